package solve

import (
	"cmp"
	"context"
	"math"
	"slices"
)

const (
	lassoStep      = 0.93  // factor by which the penalty falls from step to step
	lassoSteps     = 100   // maximum number of penalties
	lassoSweeps    = 20    // maximum number of sweeps over the active columns
	lassoRounds    = 10    // maximum number of times that columns are added to the active ones
	lassoTolerance = 0.001 // accuracy of the optimality conditions, as a share of the penalty
)

// Lasso returns a set of columns of a table for every size up to most. The lasso (Tibshirani 1996) minimises the mean
// loss plus λ Σ|β_j|. λ falls from the value at which all coefficients are zero, and the set of a size consists of the
// columns with the largest coefficients at the first λ with at least as many nonzero ones. Each problem is solved by
// coordinate descent on a quadratic bound of the loss. The columns of must come first and are in every set. p has no
// columns and one output, and null is its solution.
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
	size := 1 // smallest size without a set
	for step := 0; step < lassoSteps && size <= most && penalty > 0; step++ {
		before := penalty
		penalty *= lassoStep
		for range lassoRounds {
			if err := l.add(ctx, slopes, 2*penalty-before); err != nil {
				return nil, err
			}
			if err := l.descend(ctx, penalty); err != nil {
				return nil, err
			}
			if slopes, err = l.slopes(ctx); err != nil {
				return nil, err
			}
			if !l.violated(slopes, penalty) {
				break
			}
			before = penalty // the optimality conditions hold for all columns
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
	p         *Problem
	t         Table
	must      []int // columns that are always selected
	columns   []int // active columns of the table: they may have a coefficient
	at        map[int]int
	x         [][]float64
	beta      []float64
	curvature []float64 // bound on the second derivative by each coefficient
	z, r, d   []float64 // decision values, the derivative of the loss by them, and a bound on the second derivative
	weight    float64
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

// add makes the columns with large slopes active. By the strong rule (Tibshirani et al. 2012), few others get a
// coefficient.
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
		curvature := 0.0
		for k, v := range x[i] {
			curvature += l.d[k] * v * v
		}
		l.at[j] = len(l.columns)
		l.columns, l.x, l.beta, l.curvature = append(l.columns, j), append(l.x, x[i]), append(l.beta, 0), append(l.curvature, curvature/l.weight)
	}
	return nil
}

// descend sweeps over the active columns until the optimality conditions hold to the tolerance.
func (l *lasso) descend(ctx context.Context, penalty float64) error {
	last := math.Inf(1)
	for range lassoSweeps {
		sum, _ := l.p.Loss.Eval(l.r, l.z, l.p.Target)
		if value := sum/l.weight + penalty*l.length(); value > last+math.Abs(last)*1e-9 {
			scale(l.d, 4) // the bound was exceeded: the curvature of this loss is unbounded
			scale(l.curvature, 4)
			last = math.Inf(1)
		} else {
			last = value
		}
		off := 0.0
		for j, x := range l.x {
			if err := ctx.Err(); err != nil {
				return err
			}
			if l.curvature[j] == 0 {
				continue
			}
			to := soft(l.beta[j]*l.curvature[j]-dot(l.r, x)/l.weight, penalty) / l.curvature[j]
			if move := to - l.beta[j]; move != 0 {
				off = max(off, math.Abs(move)*l.curvature[j])
				l.beta[j] = to
				l.move(x, move)
			}
		}
		if l.p.Intercept {
			l.move(nil, -total(l.r)/total(l.d))
		}
		if off <= lassoTolerance*penalty {
			break
		}
	}
	return nil
}

// length returns Σ|β|.
func (l *lasso) length() (sum float64) {
	for _, b := range l.beta {
		sum += math.Abs(b)
	}
	return sum
}

// move adds by·x to the decision values; a nil x is a column of ones. It updates r by the quadratic bound.
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

// violated reports whether an inactive column violates the optimality conditions.
func (l *lasso) violated(slopes []float64, penalty float64) bool {
	for j, g := range slopes {
		if _, there := l.at[j]; !there && math.Abs(g) > (1+lassoTolerance)*penalty {
			return true
		}
	}
	return false
}

// taken returns the forced columns, and then the columns with a coefficient in descending order of its size.
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

// soft returns the soft-thresholded value of v.
func soft(v, by float64) float64 {
	switch {
	case v > by:
		return v - by
	case v < -by:
		return v + by
	}
	return 0
}
