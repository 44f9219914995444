package solve

import (
	"cmp"
	"context"
	"math"
	"slices"
)

const (
	lassoStep      = 0.93  // by which the penalty falls
	lassoSteps     = 100   // at most
	lassoSweeps    = 20    // over the columns that may be taken, at most
	lassoRounds    = 10    // in which columns are added to these, at most
	lassoTolerance = 0.001 // of the penalty, to which a slope is brought
)

// Lasso returns for every size up to most so many columns of a table, those with the largest coefficients where the lasso (Tibshirani 1996)
// first has as many: the least mean loss plus λ Σ|β_j|, with λ falling from where all are zero. It goes from column to column under a quadratic
// bound of the loss. Those that must be there come first. P has no columns, and one output; null is its solution.
func (p *Problem) Lasso(ctx context.Context, t Table, null *Solution, must []int, most int) ([][]int, error) {
	l := &lasso{p: p, t: t, must: must, at: map[int]int{}, z: slices.Clone(null.Z), r: make([]float64, p.rows()), d: make([]float64, p.rows())}
	l.weight = p.Loss.Curvature(l.d, p.Target)
	slopes, err := l.slopes(ctx)
	if err != nil {
		return nil, err
	}
	sets := make([][]int, most+1)
	penalty := 0.0
	for _, g := range slopes {
		penalty = max(penalty, math.Abs(g))
	}
	size := 1 // the least that has no set yet
	for step := 0; step < lassoSteps && size <= most && penalty > 0; step++ {
		before := penalty
		penalty *= lassoStep
		for range lassoRounds {
			if err := l.add(ctx, slopes, 2*penalty-before); err != nil {
				return nil, err
			}
			l.descend(penalty)
			if slopes, err = l.slopes(ctx); err != nil {
				return nil, err
			}
			if !l.violated(slopes, penalty) {
				break
			}
			before = penalty // none is left out that should not be
		}
		for taken := l.taken(); size <= min(most, len(taken)); size++ {
			sets[size] = slices.Sorted(slices.Values(taken[:size]))
		}
	}
	rest := l.taken()
	order := all(len(slopes))
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(math.Abs(slopes[b]), math.Abs(slopes[a])) })
	for _, j := range order {
		if len(rest) >= most {
			break
		}
		if !slices.Contains(rest, j) {
			rest = append(rest, j)
		}
	}
	for ; size <= most; size++ {
		sets[size] = slices.Sorted(slices.Values(rest[:size]))
	}
	return sets, nil
}

// lasso is the state of the path.
type lasso struct {
	p       *Problem
	t       Table
	must    []int // columns that are taken whatever they are worth
	columns []int // of the table, that may have a coefficient
	at      map[int]int
	x       [][]float64
	beta    []float64
	bend    []float64 // bound on the second derivative by each
	z, r, d []float64 // margins, the derivative of the loss by these, and a bound on the second
	weight  float64
}

// slopes returns the derivative of the mean loss by the coefficient of every column.
func (l *lasso) slopes(ctx context.Context) ([]float64, error) {
	l.p.Loss.Eval(l.r, l.z, l.p.Target)
	g, err := l.t.Products(ctx, [][]float64{l.r})
	if err != nil {
		return nil, err
	}
	scale(g[0], 1/l.weight)
	return g[0], ctx.Err()
}

// add lets columns of steep slopes have coefficients: by the strong rule few others will (Tibshirani et al. 2012).
func (l *lasso) add(ctx context.Context, slopes []float64, least float64) error {
	var list []int
	for j, g := range slopes {
		if _, there := l.at[j]; !there && math.Abs(g) >= least {
			list = append(list, j)
		}
	}
	if len(list) == 0 {
		return nil
	}
	x, err := l.t.Columns(ctx, list)
	if err != nil {
		return err
	}
	for i, j := range list {
		bend := 0.0
		for k, v := range x[i] {
			bend += l.d[k] * v * v
		}
		l.at[j] = len(l.columns)
		l.columns, l.x, l.beta, l.bend = append(l.columns, j), append(l.x, x[i]), append(l.beta, 0), append(l.bend, bend/l.weight)
	}
	return nil
}

// descend sweeps over the columns until no slope is off by much.
func (l *lasso) descend(penalty float64) {
	for range lassoSweeps {
		l.p.Loss.Eval(l.r, l.z, l.p.Target)
		off := 0.0
		for j, x := range l.x {
			if l.bend[j] == 0 {
				continue
			}
			to := soft(l.beta[j]*l.bend[j]-dot(l.r, x)/l.weight, penalty) / l.bend[j]
			if move := to - l.beta[j]; move != 0 {
				off = max(off, math.Abs(move)*l.bend[j])
				l.beta[j] = to
				l.move(x, move)
			}
		}
		if l.p.Intercept {
			l.move(nil, -total(l.r)/total(l.d))
		}
		if off <= lassoTolerance*penalty {
			return
		}
	}
}

// move adds a multiple of a column to the margins, a nil one being all ones; r follows its bound.
func (l *lasso) move(x []float64, by float64) {
	for i, d := range l.d {
		v := by
		if x != nil {
			v *= x[i]
		}
		l.z[i] += v
		l.r[i] += d * v
	}
}

// violated reports whether a column without a coefficient should have one.
func (l *lasso) violated(slopes []float64, penalty float64) bool {
	for j, g := range slopes {
		if _, there := l.at[j]; !there && math.Abs(g) > (1+lassoTolerance)*penalty {
			return true
		}
	}
	return false
}

// taken lists those that must be, and then the columns that have a coefficient, those with the largest first.
func (l *lasso) taken() []int {
	var list []int
	for i, b := range l.beta {
		if b != 0 && !slices.Contains(l.must, l.columns[i]) {
			list = append(list, l.columns[i])
		}
	}
	size := func(j int) float64 { return math.Abs(l.beta[l.at[j]]) }
	slices.SortFunc(list, func(a, b int) int { return cmp.Or(cmp.Compare(size(b), size(a)), cmp.Compare(a, b)) })
	return slices.Concat(l.must, list)
}

// soft is the soft threshold.
func soft(v, by float64) float64 {
	switch {
	case v > by:
		return v - by
	case v < -by:
		return v + by
	}
	return 0
}
