package grid

import (
	"context"
	"math"

	"fsa/anneal"
)

// Curvature implements [anneal.Curved].
func (o *Objective) Curvature(ctx context.Context, batch int, dst, v []float64) (float64, error) {
	o.hand(v, direction)
	weight, err := o.curvature(ctx, batch)
	if err != nil {
		return 0, err
	}
	all, err := o.whole(ctx, grad)
	copy(dst, all)
	return weight, err
}

// The bound on the Hessian is measured on a sample if the table has more cells than this, and on at
// least one shard in curvedShare.
const (
	curvedCells = 1 << 24
	curvedShare = 8
)

// curvedEvery returns a number n; one in n shards is used.
func curvedEvery(rows, columns, shards int) int {
	return min(max(rows*columns/curvedCells, 1), curvedShare, max(shards/2, 1))
}

// curvature multiplies the direction by the bound on the Hessian.
func (o *Objective) curvature(ctx context.Context, batch int) (float64, error) {
	every := 1
	if len(o.batches) == 1 {
		every = curvedEvery(o.batches[0].rows, o.layout.Groups(), len(o.cut.Shards)-1)
	}
	t, err := o.pass(ctx, batch, every, direction, o.bend)
	if err != nil {
		return 0, err
	}
	o.addRidge(t.weight, direction)
	return t.weight, nil
}

var _ anneal.Bender = (*bender)(nil)

// bender multiplies directions by the Hessian on the processes that hold their coefficients.
type bender struct {
	o    *Objective
	bent float64
}

// Point implements [anneal.Bender].
func (b *bender) Point(v []float64) error {
	b.o.hand(v, direction)
	return nil
}

// Pointed implements [anneal.Bender].
func (b *bender) Pointed(v []float64) error {
	all, err := b.o.whole(context.Background(), direction)
	copy(v, all)
	return err
}

// Bend implements [anneal.Bender].
func (b *bender) Bend(ctx context.Context, batch int) (anneal.Bent, error) {
	weight, err := b.o.curvature(ctx, batch)
	if err != nil {
		return anneal.Bent{}, err
	}
	squares := func(to []float64, v *vectors) {
		for i, d := range v.direction {
			to[0] += d * d
			to[1] += v.grad[i] * v.grad[i]
			to[2] += d * v.grad[i]
		}
	}
	mine := make([]float64, 3*len(b.o.slices))
	for c, s := range b.o.slices {
		squares(mine[3*c:], &s.vectors)
	}
	all, err := gatherAlong(ctx, b.o.grid.row, func(p int) int { return 3 * b.o.sliceCount(p) }, mine)
	if err != nil {
		return anneal.Bent{}, err
	}
	total := make([]float64, 3)
	squares(total, &b.o.free)
	for i, v := range all {
		total[i%3] += v
	}
	b.bent = math.Sqrt(total[1])
	return anneal.Bent{Length: math.Sqrt(total[0]), Bent: b.bent, Along: total[2] / total[0], Weight: weight}, nil
}

// Turn implements [anneal.Bender].
func (b *bender) Turn() error {
	turn := func(v *vectors) {
		for i, h := range v.grad {
			v.direction[i] = h / b.bent
		}
	}
	for _, s := range b.o.slices {
		turn(&s.vectors)
	}
	turn(&b.o.free)
	return nil
}
