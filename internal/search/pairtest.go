package search

import (
	"cmp"
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distuv"

	"fsa/data"
	"fsa/internal/parallel"
	"fsa/internal/tuning"
)

// screen returns the pairs of variables that explain what a fit leaves over, ascending, each in the form that is more
// significant: as a product, or as a surface with at most the given number of knots per number (0: products only).
// It tests all pairs and then adds the best ones one by one. Each must be significant given its two
// variables, their squares and the pairs before it, at a level that is divided by the number of all
// pairs (Bonferroni). Adding pairs ends when a look at all pairs finds no other.
func (s *Sample) screen(ctx context.Context, fit *Fit, most, knots int) ([]data.PairTerm, error) {
	t, err := newPairTest(s, fit, knots)
	if err != nil {
		return nil, err
	}
	var found []data.PairTerm
	for more := true; more && len(found) < most; {
		list, err := t.candidates(ctx, candidatesPerPair*most)
		if err != nil {
			return nil, err
		}
		list = slices.DeleteFunc(list, func(c candidate) bool {
			return slices.ContainsFunc(found, func(p data.PairTerm) bool { return p.Interaction == c.pair })
		})
		before := len(found)
		if found, err = t.addBest(ctx, list, found, most); err != nil {
			return nil, err
		}
		more = len(found) > before
	}
	slices.SortFunc(found, func(a, b data.PairTerm) int { return slices.Compare(a.Interaction[:], b.Interaction[:]) })
	return found, nil
}

// addBest adds the most significant of some pairs, one by one, until there are enough or no other is significant. A pair is
// tested again only if it was the most significant one before the last pair was added.
func (t *pairTest) addBest(ctx context.Context, list []candidate, found []data.PairTerm, most int) ([]data.PairTerm, error) {
	queue := make([]*tested, len(list))
	if err := parallel.Do(ctx, t.Threads, len(list), func(_, k int) (err error) {
		queue[k], err = t.test(ctx, list[k])
		return err
	}); err != nil {
		return nil, err
	}
	for len(queue) > 0 && len(found) < most {
		slices.SortFunc(queue, (*tested).compare)
		best := queue[0]
		switch {
		case best.logP+math.Log(t.count()) >= math.Log(tuning.PairLevel):
			return found, nil
		case best.given < len(t.added):
			var err error
			if queue[0], err = t.test(ctx, best.candidate); err != nil {
				return nil, err
			}
		default:
			t.add(best.columns)
			found, queue = append(found, data.PairTerm{Interaction: best.pair, Shapes: best.shapes}), queue[1:]
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
	knots   int         // knots of each number of a surface; 0 for products only
	sizes   []float64   // smallest significant statistic for each number of coefficients; see significant
	added   [][]float64 // orthogonal columns of the pairs that were added, and the constant
}

func newPairTest(s *Sample, fit *Fit, knots int) (*pairTest, error) {
	t := &pairTest{Sample: s, knots: knots}
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
	t.sizes = []float64{0}
	for n := 1; n <= max(1, (knots-1)*(knots-1)); n++ {
		t.sizes = append(t.sizes, distuv.ChiSquared{K: float64(n)}.Quantile(1-tuning.PairLevel/t.count()))
	}
	return t, nil
}

// candidate is a pair and its statistic, as a multiple of the smallest significant one.
type candidate struct {
	pair          data.Interaction
	statistic     float64
	line, surface bool // forms that may be significant
}

// significant returns the smallest significant statistic of pairs with the given number of
// coefficients. It has a χ² distribution if the pair has no effect.
func (t *pairTest) significant(coefficients int) float64 {
	if coefficients < len(t.sizes) {
		return t.sizes[coefficients]
	}
	return distuv.ChiSquared{K: float64(coefficients)}.Quantile(1 - tuning.PairLevel/t.count())
}

// count returns the number of all pairs, once for each form.
func (t *pairTest) count() float64 {
	n, forms := float64(len(t.numbers)), 1.0
	if t.knots > 0 {
		forms = 2
	}
	return forms * (n*(n-1)/2 + n*float64(len(t.texts)))
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
	if t.knots == 0 {
		return best, nil
	}
	numbers, err := t.coarsened(ctx, t.numbers)
	if err != nil {
		return nil, err
	}
	texts, err := t.coarsened(ctx, t.texts)
	if err != nil {
		return nil, err
	}
	return best, t.parallel(ctx, t.numbers, &best, most, func(a int) []candidate {
		return t.surfaces(a, numbers, texts)
	})
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
			list = append(list, candidate{pair: data.Interaction{a, b}, statistic: sum * sum / squares / significant, line: true})
		}
	}
	return list
}

// strongest returns the candidates with the largest statistics, the largest first.
func strongest(list []candidate, most int) []candidate {
	slices.SortFunc(list, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(b.statistic, a.statistic), slices.Compare(a.pair[:], b.pair[:]))
	})
	seen, once := map[data.Interaction]int{}, make([]candidate, 0, min(len(list), most))
	for _, c := range list {
		if at, again := seen[c.pair]; again { // in another form
			once[at].line, once[at].surface = once[at].line || c.line, once[at].surface || c.surface
		} else if len(once) < most {
			seen[c.pair], once = len(once), append(once, c)
		}
	}
	return once
}

// tested is a pair with the part of its columns that its variables, their squares and the pairs
// before it do not explain, and the probability of a statistic at least as large if it has no effect.
type tested struct {
	candidate
	columns [][]float64
	given   int            // number of columns of the pairs before it
	logP    float64        // logarithm of the probability
	shapes  [2]*data.Shape // of a surface
	gain    float64        // decrease of the sum of squares, weighted by the curvature
	free    int            // number of coefficients
}

// judge sets the significance of a statistic with the given number of coefficients.
func (c *tested) judge(t *pairTest, statistic float64, coefficients int) {
	c.statistic, c.free = statistic/t.significant(coefficients), coefficients
	if c.logP = math.Log(distuv.ChiSquared{K: float64(coefficients)}.Survival(statistic)); c.logP < logTiny {
		c.logP = logTail(float64(coefficients)/2, statistic/2)
	}
}

// logTiny is the logarithm of a probability below which [logTail] is precise and Survival may be 0.
const logTiny = -400

// logTail returns the logarithm of the upper tail of the gamma distribution with shape a at x, which is much larger than a,
// by the first terms of its asymptotic series.
func logTail(a, x float64) float64 {
	gamma, _ := math.Lgamma(a)
	return (a-1)*math.Log(x) - x - gamma + math.Log1p((a-1)/x*(1+(a-2)/x))
}

// compare orders pairs by their significance, the most significant first.
func (c *tested) compare(with *tested) int {
	return cmp.Or(cmp.Compare(c.logP, with.logP), cmp.Compare(with.statistic, c.statistic), slices.Compare(c.pair[:], with.pair[:]))
}

// better reports whether a surface is preferred to another form: it is significant, and the other is not or explains
// significantly less. Both are compared by what they explain, because the variance in the probability of a large effect is
// mostly that of the effect itself.
func (t *pairTest) better(surface, than *tested) bool {
	level := math.Log(tuning.PairLevel) - math.Log(t.count())
	if surface.logP >= level || than.logP >= level {
		return surface.logP < than.logP
	}
	rest := 0.0 // squared error that is left with the surface, per row and curvature
	for i, r := range t.slope {
		rest += r * r / t.weight[i]
	}
	rest = (rest - surface.gain) / float64(len(t.slope))
	return surface.gain-than.gain > rest*distuv.ChiSquared{K: max(1, float64(surface.free-than.free))}.Quantile(1-tuning.PairLevel/t.count())
}

// test tests a pair in each form that may be significant, and returns the more significant one.
func (t *pairTest) test(ctx context.Context, of candidate) (best *tested, err error) {
	best = &tested{given: len(t.added)}
	if of.line {
		if best, err = t.line(ctx, of.pair); err != nil {
			return nil, err
		}
	}
	if of.surface {
		surface, err := t.surface(ctx, of.pair)
		if err != nil {
			return nil, err
		}
		if t.better(surface, best) {
			best = surface
		}
	}
	best.pair, best.line, best.surface = of.pair, of.line, of.surface
	return best, nil
}

// line tests a pair by the score of its columns, with the variance of the scores of the rows
// (a sandwich estimate, which is valid for any loss).
func (t *pairTest) line(ctx context.Context, pair data.Interaction) (*tested, error) {
	if t.Data.Columns[pair[1]].Text {
		return t.lines(ctx, pair)
	}
	products, err := t.Data.InteractionColumns(ctx, data.PairTerm{Interaction: pair})
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
	c := &tested{candidate: candidate{pair: pair}, columns: basis[first:], given: len(t.added)}
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
	c.judge(t, mat.Dot(sum, &solved), n)
	for a, x := range c.columns { // they are orthogonal
		c.gain += sum.AtVec(a) * sum.AtVec(a) / t.product(x, x)
	}
	return c, nil
}

// mainEffects returns the columns of a number that a pair must add to: the number, its square and, if there are surfaces,
// its functions. They are the same for both forms, so that these differ only in what the pair explains.
func (t *pairTest) mainEffects(ctx context.Context, j int) ([][]float64, error) {
	x, err := t.Data.Standardised(ctx, j)
	square := make([]float64, len(x))
	for i, v := range x {
		square[i] = v * v
	}
	columns := [][]float64{x, square}
	if err != nil || t.knots == 0 {
		return columns, err
	}
	more, err := t.Data.Functions(ctx, j, t.knots)
	return append(columns, more...), err
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
