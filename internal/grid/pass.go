package grid

import (
	"context"
	"math"

	"fsa/loss"
)

// results holds the results of a pass besides the gradient.
type results struct {
	sum, weight float64 // sum of the loss, and weight of the rows
	slope       []float64
	ridge       float64 // value of the penalty, for rows of weight 1
}

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

// pass goes over a batch: it computes z = Xβ, r by the turner, and Xᵀr, which becomes the gradient
// of each slice, without the ridge. It visits one shard in every. If z need not be summed over
// processes, a block of rows is multiplied both ways while it is in the cache. On other grids all
// of z is computed first; what is added up, and in which order, is the same.
func (o *Objective) pass(ctx context.Context, batch, every int, of func(*vectors) []float64, turn turner) (results, error) {
	if err := ctx.Err(); err != nil {
		return results{}, err
	}
	b := &o.batches[batch]
	o.meter.Cells += float64(b.rows) / float64(every) * float64(o.layout.Groups())
	runs := o.buffers.runsOf(len(b.runs))
	for s := range runs {
		if runs[s] = nil; (o.first+s)%every == 0 {
			runs[s] = b.runs[s]
		}
	}
	m, err := o.scatter(ctx, of)
	if err != nil {
		return results{}, err
	}
	sums := o.buffers.tally(len(runs), o.outputs)
	var z []float64
	if o.once {
		err = o.fused(ctx, runs, m, turn, sums)
	} else if z, err = o.margins(ctx, runs, m); err == nil {
		err = o.turned(ctx, runs, z, turn, sums)
	}
	if err != nil {
		return results{}, err
	}
	t, units, err := o.agree(ctx, sums)
	if err != nil {
		return results{}, err
	}
	t.ridge = m.ridge
	at := o.columnsAt()
	var g []int64
	if o.once {
		g, err = o.rounded(ctx, at, runs, units)
	} else {
		g, err = o.products(ctx, at, runs, z, units)
	}
	if err == nil {
		err = o.sumAlong(ctx, o.grid.column, g)
	}
	if err != nil {
		return results{}, err
	}
	for c, s := range o.slices {
		for j, p := range s.column {
			for q := range o.outputs {
				s.grad[s.coefficient(j, q)] = s.scale[j]*units[c].value(g[at[c]+q*s.stored+p]) + s.offset[j]*t.slope[q]
			}
		}
	}
	copy(o.free.grad, t.slope)
	return t, nil
}

// rounded adds up the gradients of the shards, in units. The units are not known before all of r
// is, so each shard has kept its own gradient.
func (o *Objective) rounded(ctx context.Context, at []int, runs [][][2]int, units []unit) ([]int64, error) {
	g := sized(o.buffers.gradients, at[len(o.slices)])
	o.buffers.gradients = g
	return g, inSteps(ctx, len(g), func(lo, hi int) {
		clear(g[lo:hi])
		for c := range o.slices {
			from, to := max(lo, at[c]), min(hi, at[c+1])
			if from >= to {
				continue
			}
			for s := range runs {
				if len(runs[s]) > 0 {
					units[c].add(g[from:to], o.buffers.apart[s][from:to])
				}
			}
		}
	})
}

// scatter copies coefficients to the columns of the tiles.
func (o *Objective) scatter(ctx context.Context, of func(*vectors) []float64) (margin, error) {
	var mine []float64 // for each slice the constants and the penalty, then a bound for each shard
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
		penalty += o.smooth(s, nil, v, 0)
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
		return margin{}, err
	}
	m := margin{constant: make([]float64, o.outputs), null: true}
	copy(m.constant, of(&o.free))
	for p := range o.grid.Columns {
		for range o.sliceCount(p) {
			for q := range m.constant {
				m.constant[q] += all[q]
			}
			m.ridge += all[o.outputs]
			all = all[per:]
		}
		for i := range bounds {
			bounds[i] = max(bounds[i], all[i])
		}
		all = all[len(bounds):]
	}
	for _, bound := range bounds {
		m.units = append(m.units, unitFor(bound, len(o.cut.Slices)-1))
		m.null = m.null && bound == 0
	}
	return m, nil
}

// agree returns sums over all shards, and the unit of the gradient of each slice, which depends on
// a bound on what a shard adds to it.
func (o *Objective) agree(ctx context.Context, mine *tally) (results, []unit, error) {
	bounds := make([]float64, len(o.slices))
	for s, squares := range mine.squares {
		norm := math.Sqrt(squares)
		if norm != norm {
			norm = math.Inf(1)
		}
		for c := range bounds {
			if t := &o.shards[s].tiles[c]; norm > 0 && t.column > 0 {
				bounds[c] = max(bounds[c], t.column*norm)
			}
		}
	}
	all, err := gatherAlong(ctx, o.grid.column, func(p int) int { return mine.per*o.shardCount(p) + len(bounds) }, append(mine.sums, bounds...))
	if err != nil {
		return results{}, nil, err
	}
	t := results{slope: make([]float64, o.outputs)}
	for p := range o.grid.Rows {
		for range o.shardCount(p) {
			t.sum += all[0]
			t.weight += all[1]
			for q := range t.slope {
				t.slope[q] += all[2+q]
			}
			all = all[mine.per:]
		}
		for c := range bounds {
			bounds[c] = max(bounds[c], all[c])
		}
		all = all[len(bounds):]
	}
	units := make([]unit, len(bounds))
	for c, bound := range bounds {
		units[c] = unitFor(bound, len(o.cut.Shards)-1)
	}
	return t, units, nil
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

// gradient computes the gradient over a batch, with the ridge, and returns the objective and the
// weight there, as sums.
func (o *Objective) gradient(ctx context.Context, batch int, of func(*vectors) []float64) (sum, weight float64, err error) {
	t, err := o.pass(ctx, batch, 1, of, o.descent)
	if err != nil {
		return 0, 0, err
	}
	o.addRidge(t.weight, of)
	for _, s := range o.slices {
		o.smooth(s, s.grad, of(&s.vectors), t.weight)
	}
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
