package grid

import (
	"context"
	"math"

	"fsa/internal/collective"
	"fsa/internal/parallel"
	"fsa/loss"
)

// told is what a pass says besides the gradient.
type told struct {
	sum, weight float64 // of the loss, and of the rows
	slope       []float64
	ridge       float64 // value of the penalty, of rows of weight 1
}

// turner turns the margins z of some rows into r, output after output. D is room for a number a row.
type turner func(r, z, d []float64, t loss.Target) (sum, weight float64)

// descent is the turner of the loss itself, and bend that of the bound on its Hessian.
func (o *Objective) descent(r, z, _ []float64, t loss.Target) (sum, weight float64) {
	return o.loss.Eval(r, z, t)
}

func (o *Objective) bend(r, z, d []float64, t loss.Target) (sum, weight float64) {
	weight = o.loss.Curvature(d, t)
	for i := range r {
		r[i] = d[i%len(d)] * z[i]
	}
	return 0, weight
}

// pass goes once over a batch: z = Xβ, r by the turner, and Xᵀr, which becomes the
// gradient of each slice, without the ridge. It takes one shard in every.
func (o *Objective) pass(ctx context.Context, batch, every int, of func(*vectors) []float64, turn turner) (told, error) {
	if err := ctx.Err(); err != nil {
		return told{}, err
	}
	b := &o.batches[batch]
	o.meter.Cells += float64(b.rows) / float64(every) * float64(o.layout.Groups())
	runs := make([][][2]int, len(b.runs))
	for s := range runs {
		if (o.first+s)%every == 0 {
			runs[s] = b.runs[s]
		}
	}
	constant, ridge, units, null, err := o.scatter(ctx, of)
	if err != nil {
		return told{}, err
	}
	z, err := o.margins(ctx, runs, constant, units, null)
	if err != nil {
		return told{}, err
	}
	t, bounds, err := o.turned(ctx, runs, z, turn)
	if err != nil {
		return told{}, err
	}
	t.ridge = ridge
	return t, o.products(ctx, runs, z, bounds, t.slope)
}

// scatter brings coefficients to the columns of the tiles. It returns what is to be added
// to every margin of each output, the value of the ridge, the unit of z of each shard, and
// whether all z are zero.
func (o *Objective) scatter(ctx context.Context, of func(*vectors) []float64) (constant []float64, ridge float64, units []unit, null bool, err error) {
	var mine []float64 // for each slice constants and the penalty, then for each shard a bound
	bounds := make([]float64, len(o.shards))
	for c, s := range o.slices {
		v, constant, squares, penalty, norm := of(&s.vectors), make([]float64, o.outputs), 0.0, 0.0, 0.0
		for q := range o.outputs {
			length := 0.0
			to := s.spread[q*s.stored : (q+1)*s.stored]
			for j, p := range s.column {
				b := v[s.coefficient(j, q)]
				constant[q] += s.offset[j] * b
				squares += b * b
				if s.penalty != nil {
					penalty += s.penalty[j] * b * b
				}
				to[p] = s.scale[j] * b
				length += to[p] * to[p]
			}
			norm = max(norm, math.Sqrt(length))
			if length != length {
				norm = math.Inf(1)
			}
		}
		mine = append(append(mine, constant...), o.ridge*squares+penalty)
		for i := range bounds {
			if t := &o.shards[i].tiles[c]; norm > 0 && t.row > 0 {
				bounds[i] = max(bounds[i], t.row*norm)
			}
		}
	}
	per := o.outputs + 1
	all, err := gatherAlong(ctx, o.grid.row, func(p int) int { return per*o.sliceCount(p) + len(bounds) }, append(mine, bounds...))
	if err != nil {
		return nil, 0, nil, false, err
	}
	constant = make([]float64, o.outputs)
	copy(constant, of(&o.free))
	for p := range o.grid.Columns {
		for range o.sliceCount(p) {
			for q := range constant {
				constant[q] += all[q]
			}
			ridge += all[o.outputs]
			all = all[per:]
		}
		for i := range bounds {
			bounds[i] = max(bounds[i], all[i])
		}
		all = all[len(bounds):]
	}
	null = true
	for _, bound := range bounds {
		units = append(units, unitFor(bound, len(o.cut.Slices)-1))
		null = null && bound == 0
	}
	return constant, ridge, units, null, nil
}

// margins returns z of the runs of each shard: run after run, and in a run output after output.
func (o *Objective) margins(ctx context.Context, runs [][][2]int, constant []float64, units []unit, null bool) ([][]float64, error) {
	at, total := o.places(runs)
	sums, z := make([]int64, total), make([][]float64, len(runs))
	if !null {
		if err := parallel.Do(ctx, 0, len(runs), func(_, s int) error {
			var room []float64
			for c, t := range o.shards[s].tiles {
				sl := o.slices[c]
				if len(sl.column) == 0 {
					continue
				}
				to := sums[at[s]:at[s+1]]
				for _, run := range runs[s] {
					n := run[1] - run[0]
					x, err := t.x.Slice(ctx, run[0], run[1])
					if err != nil {
						return err
					}
					room = sized(room, n)
					for q := range o.outputs {
						x.Mul(room, sl.spread[q*sl.stored:(q+1)*sl.stored])
						units[s].add(to[q*n:(q+1)*n], room)
					}
					to = to[o.outputs*n:]
				}
			}
			return nil
		}); err != nil {
			return nil, err
		}
		if err := o.sumAlong(ctx, o.grid.row, sums); err != nil {
			return nil, err
		}
	}
	for s := range runs {
		z[s] = make([]float64, at[s+1]-at[s])
		to, from := z[s], sums[at[s]:]
		for _, run := range runs[s] {
			n := run[1] - run[0]
			for i := range o.outputs * n {
				to[i] = units[s].value(from[i]) + constant[i/n]
			}
			to, from = to[o.outputs*n:], from[o.outputs*n:]
		}
	}
	return z, nil
}

// places returns where the margins of the runs of each shard begin, and how many there are.
func (o *Objective) places(runs [][][2]int) (at []int, total int) {
	at = make([]int, len(runs)+1)
	for s := range runs {
		for _, run := range runs[s] {
			total += o.outputs * (run[1] - run[0])
		}
		at[s+1] = total
	}
	return at, total
}

// turned turns z into r, in place. It returns sums over all shards, and for each slice a bound
// on what a shard adds to its gradient.
func (o *Objective) turned(ctx context.Context, runs [][][2]int, z [][]float64, turn turner) (told, []float64, error) {
	per := 2 + o.outputs
	mine := make([]float64, per*len(runs)) // loss, weight and slopes of each shard
	norms := make([]float64, len(runs))    // of its r
	if err := parallel.Do(ctx, 0, len(runs), func(_, s int) error {
		var r, d []float64
		squares, from, to := 0.0, z[s], mine[per*s:]
		for _, run := range runs[s] {
			n, first := run[1]-run[0], o.shards[s].lo+run[0]
			r, d = sized(r, o.outputs*n), sized(d, n)
			t := loss.Target{Y: o.y[first : first+n]}
			if o.w != nil {
				t.Weight = o.w[first : first+n]
			}
			sum, weight := turn(r, from[:o.outputs*n], d, t)
			to[0] += sum
			to[1] += weight
			for i, v := range r {
				to[2+i/n] += v
				squares += v * v
			}
			from = from[copy(from, r):]
		}
		norms[s] = math.Sqrt(squares)
		return nil
	}); err != nil {
		return told{}, nil, err
	}
	bounds := make([]float64, len(o.slices))
	for s, norm := range norms {
		if norm != norm {
			norm = math.Inf(1)
		}
		for c := range bounds {
			if t := &o.shards[s].tiles[c]; norm > 0 && t.column > 0 {
				bounds[c] = max(bounds[c], t.column*norm)
			}
		}
	}
	all, err := gatherAlong(ctx, o.grid.column, func(p int) int { return per*o.shardCount(p) + len(bounds) }, append(mine, bounds...))
	if err != nil {
		return told{}, nil, err
	}
	t := told{slope: make([]float64, o.outputs)}
	for p := range o.grid.Rows {
		for range o.shardCount(p) {
			t.sum += all[0]
			t.weight += all[1]
			for q := range t.slope {
				t.slope[q] += all[2+q]
			}
			all = all[per:]
		}
		for c := range bounds {
			bounds[c] = max(bounds[c], all[c])
		}
		all = all[len(bounds):]
	}
	return t, bounds, nil
}

// products sets the gradient of each slice to Xᵀr, as the objective sees the columns.
func (o *Objective) products(ctx context.Context, runs [][][2]int, r [][]float64, bounds, slope []float64) error {
	at := make([]int, len(o.slices)+1)
	for c, s := range o.slices {
		at[c+1] = at[c]
		if len(s.column) > 0 {
			at[c+1] += o.outputs * s.stored
		}
	}
	sums := make([]int64, at[len(o.slices)])
	units := make([]unit, len(o.slices))
	if err := parallel.Do(ctx, 0, len(o.slices), func(_, c int) error {
		s := o.slices[c]
		if len(s.column) == 0 {
			return nil
		}
		units[c] = unitFor(bounds[c], len(o.cut.Shards)-1)
		g := make([]float64, o.outputs*s.stored)
		for i := range runs {
			if len(runs[i]) == 0 {
				continue
			}
			clear(g)
			from := r[i]
			for _, run := range runs[i] {
				n := run[1] - run[0]
				x, err := o.shards[i].tiles[c].x.Slice(ctx, run[0], run[1])
				if err != nil {
					return err
				}
				for q := range o.outputs {
					x.MulT(g[q*s.stored:(q+1)*s.stored], from[q*n:(q+1)*n])
				}
				from = from[o.outputs*n:]
			}
			units[c].add(sums[at[c]:at[c+1]], g)
		}
		return ctx.Err()
	}); err != nil {
		return err
	}
	if err := o.sumAlong(ctx, o.grid.column, sums); err != nil {
		return err
	}
	for c, s := range o.slices {
		for j, p := range s.column {
			for q := range o.outputs {
				s.grad[s.coefficient(j, q)] = s.scale[j]*units[c].value(sums[at[c]+q*s.stored+p]) + s.offset[j]*slope[q]
			}
		}
	}
	copy(o.free.grad, slope)
	return nil
}

// sumAlong adds up vectors along a row or a column of the grid.
func (o *Objective) sumAlong(ctx context.Context, c collective.Comm, v []int64) error {
	if err := ctx.Err(); err != nil || c.Size() == 1 || len(v) == 0 {
		return err
	}
	return c.Sum(v)
}

// sized returns room for n numbers.
func sized(v []float64, n int) []float64 {
	if cap(v) < n {
		return make([]float64, n)
	}
	return v[:n]
}

// Eval implements [anneal.Objective].
func (o *Objective) Eval(ctx context.Context, batch int, dst, at []float64) (sum, weight float64, err error) {
	o.hand(at, direction)
	sum, weight, err = o.gradient(ctx, batch, direction)
	if err != nil {
		return 0, 0, err
	}
	all, err := o.whole(ctx, grad)
	copy(dst, all)
	return sum, weight, err
}

// gradient finds the gradient over a batch, with the ridge, and returns the objective and the
// weight there, as sums.
func (o *Objective) gradient(ctx context.Context, batch int, of func(*vectors) []float64) (sum, weight float64, err error) {
	t, err := o.pass(ctx, batch, 1, of, o.descent)
	if err != nil {
		return 0, 0, err
	}
	o.addRidge(t.weight, of)
	return t.sum + t.weight*t.ridge, t.weight, nil
}

// addRidge adds the gradient of the ridge, or its Hessian times a direction.
func (o *Objective) addRidge(weight float64, of func(*vectors) []float64) {
	for _, s := range o.slices {
		v := of(&s.vectors)
		if o.ridge > 0 {
			for i, b := range v {
				s.grad[i] += 2 * o.ridge * weight * b
			}
		}
		for j, penalty := range s.penalty {
			for q := range o.outputs {
				i := s.coefficient(j, q)
				s.grad[i] += 2 * penalty * weight * v[i]
			}
		}
	}
}
