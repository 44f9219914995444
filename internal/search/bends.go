package search

import (
	"cmp"
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"

	"fsa/internal/matrix"
	"fsa/internal/tuning"
	"fsa/loss"
)

// Bends reports whether curves may explain some of what a fit of straight lines leaves over: the bends of its variables are
// significant together, or those of any variable are, at a level that is divided by the number of variables.
func (f *Fit) Bends(ctx context.Context) (bool, error) {
	s := f.sample
	among, row := s.bendable(s.Design.Usable), matrix.Expanding(s.Design.X)
	if row == nil || f.Complete() == nil {
		return true, nil
	}
	var own []int
	for _, g := range f.Groups {
		own = append(own, s.Groups.Of(g)...)
	}
	own = s.bendable(own)
	for _, l := range s.leftovers(f) {
		t := bendTest{Sample: s, leftover: l, row: row, counts: s.lossTarget()}
		level := tuning.PairLevel / float64(s.Loss.Outputs())
		if t.significant(t.columns(own), level) {
			return true, nil
		}
		others, err := t.strongest(ctx, among, max(len(own), tuning.SwapPool))
		if err != nil {
			return false, err
		}
		for _, x := range t.columns(others) {
			if t.significant([][]float64{x}, level/float64(len(among))) {
				return true, nil
			}
		}
	}
	return false, nil
}

// bendable returns those of some variables that are numbers with more than two values.
func (s *Sample) bendable(variables []int) []int {
	var list []int
	for _, v := range variables {
		if v < s.Design.Numbers && s.Design.Product(v) == nil && !s.Data.Columns[s.Design.Variables[v]].TwoValued() {
			list = append(list, v)
		}
	}
	return list
}

// bendTest is the score test of bends, given a model of straight lines.
type bendTest struct {
	*Sample
	leftover
	row    func(to []float64, row int) // sets to to the cells of a row
	counts loss.Target                 // a row of weight 2 counts as two
}

// standard returns a and b such that ax + b is a standardised variable, given a cell x of the matrix.
func (t *bendTest) standard(v int) (a, b float64) {
	c := &t.Data.Columns[t.Design.Variables[v]]
	unit, center := t.Design.Units(v)
	if t.Design.Offset != nil {
		center += t.Design.Offset[v] * unit
	}
	return t.Design.Scale[v] * unit / c.SD, (center - c.Mean) / c.SD
}

// columns returns the cells of variables in the rows with a weight.
func (t *bendTest) columns(variables []int) [][]float64 {
	list := make([][]float64, len(variables))
	for k := range list {
		list[k] = make([]float64, len(t.rows))
	}
	_, cols := t.Design.X.Dims()
	cells := make([]float64, cols)
	for i, row := range t.rows {
		t.row(cells, row)
		for k, v := range variables {
			list[k][i] = cells[v]
		}
	}
	return list
}

// strongest returns the variables whose bends have the largest statistics, at most the given number. A first look at all
// variables takes two functions that are not quite orthogonal to a line: |x| and x|x|, for a standardised x.
func (t *bendTest) strongest(ctx context.Context, variables []int, most int) ([]int, error) {
	type score struct{ even, evens, odd, odds float64 } // sums of scores, and of the squares of the functions
	sums, a, b := make([]score, len(variables)), make([]float64, len(variables)), make([]float64, len(variables))
	for k, v := range variables {
		a[k], b[k] = t.standard(v)
	}
	_, cols := t.Design.X.Dims()
	cells := make([]float64, cols)
	for i, row := range t.rows {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		t.row(cells, row)
		slope, count := t.slope[i], t.counts.WeightOf(row)
		for k, v := range variables {
			x := a[k]*cells[v] + b[k]
			size := math.Abs(x)
			even, odd := size-meanSize, x*(size-2*meanSize)
			s := &sums[k]
			s.even += slope * even
			s.evens += count * even * even
			s.odd += slope * odd
			s.odds += count * odd * odd
		}
	}
	order, by := make([]int, len(variables)), make([]float64, len(variables))
	for k, s := range sums {
		order[k] = k
		by[k] = max(s.even*s.even/max(s.evens, math.SmallestNonzeroFloat64), s.odd*s.odd/max(s.odds, math.SmallestNonzeroFloat64))
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Or(cmp.Compare(by[b], by[a]), a-b) })
	order = order[:min(most, len(order))]
	for i, k := range order {
		order[i] = variables[k]
	}
	return order, nil
}

// meanSize is the mean of |x| for a normal x with variance 1; that of |x|³ is twice as large.
var meanSize = math.Sqrt(2 / math.Pi)

// significant reports whether the bends of some columns are significant together: those at the medians, or those at all
// quartiles. Many weak bends at the medians are noticed by the former only, waves by the latter only.
func (t *bendTest) significant(columns [][]float64, level float64) bool {
	var middle, all [][]float64
	for _, x := range columns {
		if of := t.bends(x); len(of) > 0 {
			middle, all = append(middle, of[0]), append(all, of...)
		}
	}
	return t.probability(middle) < level || t.probability(all) < level
}

// bends returns the functions of a column that are 0 below its median or another quartile and linear above, without what a
// line and the functions before explain. Each has the size 1.
func (t *bendTest) bends(x []float64) [][]float64 {
	basis := [][]float64{slices.Repeat([]float64{1}, len(x))}
	add := func(x []float64) {
		if x = t.residual(x, basis); x != nil {
			size := math.Sqrt(t.product(x, x))
			for i := range x {
				x[i] /= size
			}
			basis = append(basis, x)
		}
	}
	add(x)
	line := len(basis)
	quartiles := t.quartiles(x)
	for _, at := range []int{1, 0, 2} { // the median first
		knot, above := quartiles[at], make([]float64, len(x))
		for i, v := range x {
			above[i] = max(v-knot, 0)
		}
		add(above)
	}
	return basis[line:]
}

// quartiles returns the smallest numbers of a column that at least a quarter, a half and three quarters of the rows do not
// exceed.
func (t *bendTest) quartiles(x []float64) (q [3]float64) {
	order, total := all(len(x)), 0.0
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(x[a], x[b]) })
	for _, row := range t.rows {
		total += t.counts.WeightOf(row)
	}
	sum, at := 0.0, 0
	for _, i := range order {
		sum += t.counts.WeightOf(t.rows[i])
		for ; at < len(q) && sum >= total*float64(at+1)/4; at++ {
			q[at] = x[i]
		}
	}
	return q
}

// probability returns the probability that the sum of the squared scores of some columns is as large if none has an effect.
// Its distribution is that of a multiple of χ² with the same mean and variance (Satterthwaite). The sum notices many small
// effects, where a statistic that takes the correlations out needs more rows.
func (t *bendTest) probability(columns [][]float64) float64 {
	dispersion := 0.0
	for i, r := range t.slope {
		dispersion += r * r / t.weight[i] / float64(t.Effective)
	}
	var statistic, mean, variance float64
	for a, x := range columns {
		sum := 0.0
		for i, v := range x {
			sum += v * t.slope[i]
		}
		statistic += sum * sum / dispersion
		mean++
		variance += 2
		for _, with := range columns[:a] {
			product := t.product(x, with)
			variance += 4 * product * product
		}
	}
	if !(statistic > 0) {
		return 1
	}
	return distuv.ChiSquared{K: 2 * mean * mean / variance}.Survival(2 * mean / variance * statistic)
}
