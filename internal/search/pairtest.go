package search

import (
	"cmp"
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distuv"

	"fsa/data"
	"fsa/internal/tuning"
)

// pairTest is the score test of pairs, given a model.
type pairTest struct {
	*Sample
	leftover
	numbers []int       // numeric columns of the dataset that can be in a pair
	texts   []int       // categorical ones
	knots   int         // knots of each number of a surface; 0 for products only
	pairs   int         // number of all pairs of these columns
	sizes   []float64   // smallest significant statistic for each number of coefficients; see significant
	added   [][]float64 // orthogonal columns of the pairs that were added, and the constant

	keep  bool                      // the table is so small that what is computed of its variables is kept:
	mains memo[[2]int, [][]float64] // see mainEffects
	sides memo[[2]int, *side]       // see sideOf
}

// leastKnots is the smallest number of knots of a surface.
const leastKnots = 3

// newPairTest returns the test of pairs, given a fit. Surfaces have at most the given number of knots, and fewer if there
// are too few rows for the cells between them.
func newPairTest(s *Sample, fit *Fit, knots int) (*pairTest, error) {
	if enough := int(math.Sqrt(float64(s.Effective / tuning.RowsPerCoefficient))); knots > enough {
		knots = max(enough, leastKnots)
	}
	t := &pairTest{Sample: s, leftover: s.leftovers(fit)[0], knots: knots}
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
	t.pairs = max(1, s.countPairs(t.numbers, t.texts))
	t.keep = len(t.rows)*(len(t.numbers)+len(t.texts)) <= tuning.ContestCells
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
	if t.knots > 0 {
		return float64(2 * t.pairs)
	}
	return float64(t.pairs)
}

// nearly is the share of a significant statistic from which on a pair is tested exactly: given the
// squares of its variables, its statistic may be larger.
const nearly = 0.5

// ofRows returns the cells of the rows with a weight.
func (t *pairTest) ofRows(x []float64) []float64 {
	if len(t.rows) == len(x) {
		return x
	}
	return pick(x, t.rows)
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

// line tests a pair by the products of its columns.
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
		x = t.residual(x, basis)
		if x != nil {
			basis = append(basis, x)
		}
		return x != nil
	}
	for _, j := range pair {
		own, err := t.mainEffects(ctx, j, t.knots)
		if err != nil {
			return nil, err
		}
		for _, x := range own {
			extend(x)
		}
	}
	first := len(basis)
	for _, x := range products {
		extend(t.ofRows(x))
	}
	c := &tested{candidate: candidate{pair: pair}, columns: basis[first:], given: len(t.added)}
	if len(c.columns) > 0 {
		t.score(c)
	}
	return c, nil
}

// score tests the columns of a pair by the sums of their scores, with the variance of the scores of the rows (a sandwich
// estimate, which is valid for any loss).
func (t *pairTest) score(c *tested) {
	n := len(c.columns)
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
		return
	}
	c.judge(t, mat.Dot(sum, &solved), n)
	for a, x := range c.columns { // they are orthogonal
		c.gain += sum.AtVec(a) * sum.AtVec(a) / t.product(x, x)
	}
}

// mainEffects returns the columns of a number that a pair must add to, in the rows with a weight: the number, its square and,
// if there are knots, its functions. They are the same for both forms, so that these differ only in what the pair explains;
// those of a surface are among the functions of its grid already.
func (t *pairTest) mainEffects(ctx context.Context, j, knots int) ([][]float64, error) {
	return t.mains.get([2]int{j, knots}, t.keep, func() ([][]float64, error) {
		x, err := t.Data.Standardised(ctx, j)
		if err != nil {
			return nil, err
		}
		square := make([]float64, len(x))
		for i, v := range x {
			square[i] = v * v
		}
		columns := [][]float64{x, square}
		if knots > 0 {
			more, err := t.Data.Functions(ctx, j, knots)
			if err != nil {
				return nil, err
			}
			columns = append(columns, more...)
		}
		for k, x := range columns {
			columns[k] = t.ofRows(x)
		}
		return columns, nil
	})
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
