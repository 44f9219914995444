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
	o.addCurvature(t.weight)
	return t.weight, nil
}

var _ anneal.HessianMultiplier = (*multiplier)(nil)

// multiplier multiplies directions by the Hessian on the processes that hold their coefficients.
type multiplier struct {
	o    *Objective
	norm float64
}

// SetVector implements [anneal.HessianMultiplier].
func (b *multiplier) SetVector(v []float64) error {
	b.o.hand(v, direction)
	return nil
}

// Vector implements [anneal.HessianMultiplier].
func (b *multiplier) Vector(v []float64) error {
	all, err := b.o.whole(context.Background(), direction)
	copy(v, all)
	return err
}

// Multiply implements [anneal.HessianMultiplier].
func (b *multiplier) Multiply(ctx context.Context, batch int) (anneal.HessianProduct, error) {
	weight, err := b.o.curvature(ctx, batch)
	if err != nil {
		return anneal.HessianProduct{}, err
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
		return anneal.HessianProduct{}, err
	}
	total := make([]float64, 3)
	squares(total, &b.o.free)
	for i, v := range all {
		total[i%3] += v
	}
	b.norm = math.Sqrt(total[1])
	return anneal.HessianProduct{VectorNorm: math.Sqrt(total[0]), ProductNorm: b.norm, Rayleigh: total[2] / total[0], Weight: weight}, nil
}

// Normalize implements [anneal.HessianMultiplier].
func (b *multiplier) Normalize() error {
	turn := func(v *vectors) {
		for i, h := range v.grad {
			v.direction[i] = h / b.norm
		}
	}
	for _, s := range b.o.slices {
		turn(&s.vectors)
	}
	turn(&b.o.free)
	return nil
}
