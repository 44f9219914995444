package search

import (
	"cmp"
	"context"
	"slices"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distuv"

	"fsa/data"
	"fsa/internal/parallel"
	"fsa/internal/tuning"
)

// screen returns the pairs of variables whose products explain what a fit leaves over, ascending.
// It tests all pairs and then adds the best ones one by one. Each must be significant given its two
// variables, their squares and the pairs before it, at a level that is divided by the number of all
// pairs (Bonferroni). Adding pairs ends when a look at all pairs finds no other.
func (s *Sample) screen(ctx context.Context, fit *Fit, most int) ([]data.Interaction, error) {
	t, err := newPairTest(s, fit)
	if err != nil {
		return nil, err
	}
	var found []data.Interaction
	for more := true; more && len(found) < most; {
		list, err := t.candidates(ctx, candidatesPerPair*most)
		if err != nil {
			return nil, err
		}
		list = slices.DeleteFunc(list, func(c candidate) bool { return slices.Contains(found, c.pair) })
		before := len(found)
		if found, err = t.addBest(ctx, list, found, most); err != nil {
			return nil, err
		}
		more = len(found) > before
	}
	slices.SortFunc(found, func(a, b data.Interaction) int { return slices.Compare(a[:], b[:]) })
	return found, nil
}

// addBest adds the most significant of some pairs, one by one, until there are enough or no other is significant. A pair is
// tested again only if it was the most significant one before the last pair was added.
func (t *pairTest) addBest(ctx context.Context, list []candidate, found []data.Interaction, most int) ([]data.Interaction, error) {
	queue := make([]*tested, len(list))
	if err := parallel.Do(ctx, t.Threads, len(list), func(_, k int) (err error) {
		queue[k], err = t.test(ctx, list[k].pair)
		return err
	}); err != nil {
		return nil, err
	}
	for len(queue) > 0 && len(found) < most {
		slices.SortFunc(queue, (*tested).compare)
		best := queue[0]
		switch {
		case best.probability*t.count() >= tuning.PairLevel:
			return found, nil
		case best.given < len(t.added):
			var err error
			if queue[0], err = t.test(ctx, best.pair); err != nil {
				return nil, err
			}
		default:
			t.add(best.columns)
			found, queue = append(found, best.pair), queue[1:]
		}
	}
	return found, nil
}

// pairTest is the score test of pairs, given a model.
type pairTest struct {
	*Sample
	rows    []int       // rows with a weight
	slope   []float64   // derivative of the loss of these rows by the decision value
	weight  []float64   // curvature of the loss of these rows
	numbers []int       // numeric columns of the dataset that can be in a pair
	texts   []int       // categorical ones
	added   [][]float64 // orthogonal columns of the pairs that were added, and the constant
}

func newPairTest(s *Sample, fit *Fit) (*pairTest, error) {
	t := &pairTest{Sample: s}
	n := s.Rows()
	z, slope, weight := fit.Complete().Z, make([]float64, n), make([]float64, n)
	s.Loss.Eval(slope, slices.Clone(z), s.lossTarget())
	s.Loss.Curvature(weight, s.lossTarget())
	for i := range n {
		if weight[i] > 0 {
			t.rows, t.slope, t.weight = append(t.rows, i), append(t.slope, slope[i]), append(t.weight, weight[i])
		}
	}
	for _, v := range s.Design.Usable {
		j := s.Design.Variables[v]
		switch {
		case !s.Data.Pairable(j):
		case s.Data.Columns[j].Text:
			t.texts = append(t.texts, j)
		default:
			t.numbers = append(t.numbers, j)
		}
	}
	t.added = [][]float64{slices.Repeat([]float64{1}, len(t.rows))}
	slices.Sort(t.numbers)
	slices.Sort(t.texts)
	return t, nil
}

// candidate is a pair and its statistic, as a multiple of the smallest significant one.
type candidate struct {
	pair      data.Interaction
	statistic float64
}

// significant returns the smallest significant statistic of pairs with the given number of
// coefficients. It has a χ² distribution if the pair has no effect.
func (t *pairTest) significant(coefficients int) float64 {
	return distuv.ChiSquared{K: float64(coefficients)}.Quantile(1 - tuning.PairLevel/t.count())
}

// count returns the number of all pairs.
func (t *pairTest) count() float64 {
	n := float64(len(t.numbers))
	return n*(n-1)/2 + n*float64(len(t.texts))
}

// screenColumns is the number of columns of a block: pairs are tested in blocks of its square.
const screenColumns = 128

// candidatesPerPair is the largest number of pairs that are tested exactly for each pair to be found.
const candidatesPerPair = 4

// nearly is the share of a significant statistic from which on a pair is tested exactly: given the
// squares of its variables, its statistic may be larger.
const nearly = 0.5

// candidates returns the pairs with the largest statistics, the largest first: at most the given
// number, and only pairs that may be significant. Ties are broken by the numbers of the variables.
func (t *pairTest) candidates(ctx context.Context, most int) ([]candidate, error) {
	significant := t.significant(1)
	categories, err := t.categories(ctx)
	if err != nil {
		return nil, err
	}
	var best []candidate
	blocks := slices.Collect(slices.Chunk(t.numbers, screenColumns))
	for i, own := range blocks {
		left, err := t.block(ctx, own)
		if err != nil {
			return nil, err
		}
		if err := t.parallel(ctx, own, &best, most, func(a int) []candidate {
			return t.againstCategories(own[a], left[a], categories)
		}); err != nil {
			return nil, err
		}
		for _, other := range blocks[i:] {
			right, err := t.block(ctx, other)
			if err != nil {
				return nil, err
			}
			if err := t.parallel(ctx, own, &best, most, func(a int) []candidate {
				return t.against(own[a], left[a], other, right, significant)
			}); err != nil {
				return nil, err
			}
		}
	}
	return best, nil
}

// parallel adds what a function finds for each column of a block to the best candidates.
func (t *pairTest) parallel(ctx context.Context, block []int, best *[]candidate, most int, find func(a int) []candidate) error {
	found := make([][]candidate, len(block))
	err := parallel.Do(ctx, t.Threads, len(block), func(_, a int) error {
		found[a] = find(a)
		return nil
	})
	*best = strongest(slices.Concat(append(found, *best)...), most)
	return err
}

// block returns standardised columns, in the rows with a weight.
func (t *pairTest) block(ctx context.Context, columns []int) ([][]float64, error) {
	list := make([][]float64, len(columns))
	return list, parallel.Do(ctx, t.Threads, len(columns), func(_, k int) error {
		x, err := t.Data.Standardised(ctx, columns[k])
		if err == nil {
			list[k] = t.ofRows(x)
		}
		return err
	})
}

// ofRows returns the cells of the rows with a weight.
func (t *pairTest) ofRows(x []float64) []float64 {
	if len(t.rows) == len(x) {
		return x
	}
	to := make([]float64, len(t.rows))
	for k, i := range t.rows {
		to[k] = x[i]
	}
	return to
}

// against tests a column with each later one of a block, by the squared sum of slopes times products,
// divided by the sum of their squares. It returns the pairs that may be significant.
func (t *pairTest) against(a int, left []float64, others []int, right [][]float64, significant float64) []candidate {
	var list []candidate
	scaled := make([]float64, len(left))
	for i, x := range left {
		scaled[i] = x * t.slope[i]
	}
	for k, b := range others {
		if b <= a {
			continue
		}
		var sum, squares float64
		for i, x := range right[k] {
			v := scaled[i] * x
			sum += v
			squares += v * v
		}
		if sum*sum > nearly*significant*squares {
			list = append(list, candidate{data.Interaction{a, b}, sum * sum / squares / significant})
		}
	}
	return list
}

// strongest returns the candidates with the largest statistics, the largest first.
func strongest(list []candidate, most int) []candidate {
	slices.SortFunc(list, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(b.statistic, a.statistic), slices.Compare(a.pair[:], b.pair[:]))
	})
	return slices.Clone(list[:min(len(list), most)])
}

// tested is a pair with the part of its columns that its variables, their squares and the pairs
// before it do not explain, and the probability of a statistic at least as large if it has no effect.
type tested struct {
	candidate
	columns     [][]float64
	given       int // number of columns of the pairs before it
	probability float64
}

// compare orders pairs by their significance, the most significant first.
func (c *tested) compare(with *tested) int {
	return cmp.Or(cmp.Compare(c.probability, with.probability), cmp.Compare(with.statistic, c.statistic), slices.Compare(c.pair[:], with.pair[:]))
}

// test tests a pair by the score of its columns, with the variance of the scores of the rows
// (a sandwich estimate, which is valid for any loss).
func (t *pairTest) test(ctx context.Context, pair data.Interaction) (*tested, error) {
	products, err := t.Data.InteractionColumns(ctx, pair)
	if err != nil {
		return nil, err
	}
	basis := slices.Clone(t.added)
	extend := func(x []float64) bool {
		x = t.residual(t.ofRows(x), basis)
		if x != nil {
			basis = append(basis, x)
		}
		return x != nil
	}
	for _, j := range pair {
		own, err := t.mainEffects(ctx, j)
		if err != nil {
			return nil, err
		}
		for _, x := range own {
			extend(x)
		}
	}
	first := len(basis)
	for _, x := range products {
		extend(x)
	}
	c := &tested{candidate: candidate{pair: pair}, columns: basis[first:], given: len(t.added), probability: 1}
	n := len(c.columns)
	if n == 0 {
		return c, nil
	}
	sum, variance := mat.NewVecDense(n, nil), mat.NewSymDense(n, nil)
	for a, x := range c.columns {
		for i, v := range x {
			score := v * t.slope[i]
			sum.SetVec(a, sum.AtVec(a)+score)
			for b := range c.columns[:a+1] {
				variance.SetSym(a, b, variance.At(a, b)+score*c.columns[b][i]*t.slope[i])
			}
		}
	}
	var factor mat.Cholesky
	var solved mat.VecDense
	if !factor.Factorize(variance) || factor.SolveVecTo(&solved, sum) != nil {
		return c, nil
	}
	statistic := mat.Dot(sum, &solved)
	c.statistic = statistic / t.significant(n)
	c.probability = distuv.ChiSquared{K: float64(n)}.Survival(statistic)
	return c, nil
}

// mainEffects returns the columns of a variable that a pair must add to: a number and its square, or
// the indicators of categories.
func (t *pairTest) mainEffects(ctx context.Context, j int) ([][]float64, error) {
	if !t.Data.Columns[j].Text {
		x, err := t.Data.Standardised(ctx, j)
		square := make([]float64, len(x))
		for i, v := range x {
			square[i] = v * v
		}
		return [][]float64{x, square}, err
	}
	code, err := t.Data.CategoryOf(ctx, j)
	levels, _ := t.Data.Levels(j)
	columns := make([][]float64, len(levels))
	for l := range columns {
		columns[l] = make([]float64, len(code))
	}
	for i, l := range code {
		if l >= 0 {
			columns[l][i] = 1
		}
	}
	return columns, err
}

// dependent is the share of the square of a column below which what is left of it is rounding error.
const dependent = 1e-8

// residual returns what orthogonal columns do not explain of a column, weighted by the curvature of
// the loss. It is nil if that is nothing.
func (t *pairTest) residual(x []float64, basis [][]float64) []float64 {
	x = slices.Clone(x)
	before := t.product(x, x)
	for range 2 { // once is not orthogonal if the columns are nearly dependent
		for _, b := range basis {
			share := t.product(x, b) / t.product(b, b)
			for i, v := range b {
				x[i] -= share * v
			}
		}
	}
	if !(t.product(x, x) > dependent*before) {
		return nil
	}
	return x
}

// product returns the inner product of two columns, weighted by the curvature of the loss.
func (t *pairTest) product(a, b []float64) float64 {
	sum := 0.0
	for i, w := range t.weight {
		sum += w * a[i] * b[i]
	}
	return sum
}

// add adds the columns of a pair to the model, by one Newton step.
func (t *pairTest) add(columns [][]float64) {
	for _, x := range columns {
		sum := 0.0
		for i, v := range x {
			sum += v * t.slope[i]
		}
		step := sum / t.product(x, x)
		for i, v := range x {
			t.slope[i] -= step * t.weight[i] * v
		}
		t.added = append(t.added, x)
	}
}
