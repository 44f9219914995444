package validate

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/stat/distuv"
)

// ErrChoice is wrapped by every error about a size that cannot be chosen.
var ErrChoice = errors.New("choice of a size")

// Curve is the error of a method by number of variables.
type Curve struct {
	Points []Point // by ascending size
	// Rows is the total weight of the rows, and Variables the number of variables to choose from.
	// Only the information criteria need them.
	Rows      float64
	Variables int
	// Nats is the log likelihood of the held-out rows for each unit of the error. If it is not 0, the rule paired tests
	// the null model by it. Trials is then the number of models of which the points are the best.
	Nats   float64
	Trials int

	weight  []float64 // weight of each fold
	repeats int
}

// Point is one size of a curve.
type Point struct {
	Size   int       // number of variables; 0 is the intercept alone
	Errors []float64 // error of each fold, repeat after repeat
	Mean   float64   // mean of the errors
	SE     float64   // its standard error; NaN for one fold
	// Loss is −2 log likelihood of the model of this size on all rows, and DF its degrees of
	// freedom. Only the information criteria need them. Loss is NaN until it is known.
	Loss, DF float64
}

// NewCurve summarises errors[s][f], the error of size sizes[s] in fold f. Sizes are ascending.
// Folds are listed repeat after repeat. weight is the weight of the test rows of each fold;
// nil means equal weights. If a fold cannot measure the error, its value is NaN, and so is the
// mean.
//
// The standard error is that of one repeat (Breiman et al. 1984), or the root mean square over
// several repeats. Repeating makes the mean depend less on how the rows were divided, but it
// does not add rows.
func NewCurve(sizes []int, errors [][]float64, weight []float64, repeats int) *Curve {
	if len(sizes) != len(errors) {
		panic(fmt.Sprintf("validate: errors of %d sizes for %d", len(errors), len(sizes)))
	}
	c := &Curve{weight: weight, repeats: repeats}
	for s, size := range sizes {
		if s > 0 && size <= sizes[s-1] {
			panic(fmt.Sprintf("validate: size %d after %d", size, sizes[s-1]))
		}
		n := len(errors[s])
		if repeats < 1 || n == 0 || n%repeats != 0 || weight != nil && len(weight) != n {
			panic(fmt.Sprintf("validate: %d errors of size %d in %d repeats with %d weights", n, size, repeats, len(weight)))
		}
		p := Point{Size: size, Errors: slices.Clone(errors[s]), Loss: math.NaN()}
		p.Mean, p.SE = c.average(p.Errors)
		c.Points = append(c.Points, p)
	}
	return c
}

// average returns the mean over the folds of all repeats, and its standard error.
func (c *Curve) average(x []float64) (mean, se float64) {
	repeats := max(c.repeats, 1)
	var square float64
	for from := 0; from < len(x); from += len(x) / repeats {
		to := from + len(x)/repeats
		w := slices.Repeat([]float64{1}, to-from)
		if c.weight != nil {
			w = c.weight[from:to]
		}
		m, e := meanAndError(x[from:to], w)
		mean += m / float64(repeats)
		square += e * e / float64(repeats)
	}
	return mean, math.Sqrt(square)
}

// meanAndError returns a weighted mean and its standard error.
func meanAndError(x, w []float64) (mean, se float64) {
	var total, sum float64
	for i := range x {
		total += w[i]
		mean += w[i] * x[i]
	}
	mean /= total
	for i := range x {
		sum += w[i] * (x[i] - mean) * (x[i] - mean)
	}
	return mean, math.Sqrt(sum / total / float64(len(x)-1))
}

// rules is the table of ways to choose a point of a curve. A choose function returns its index, or
// −1 if no point has an error. For a criterion, the lowest value is chosen.
var rules = []struct {
	name, about string
	choose      func(c *Curve) int
	criterion   func(c *Curve, p *Point) float64
}{
	{"paired", "the smallest size that is not significantly worse than the best (paired test) and keeps 99% of the gain", (*Curve).paired, nil},
	{"one-se", "the smallest size whose error is within one standard error of the lowest", (*Curve).oneSE, nil},
	{"min", "the size with the lowest error", (*Curve).lowest, nil},
	{"aic", "the size with the lowest AIC", nil, func(c *Curve, p *Point) float64 { return AIC(p.Loss, p.DF) }},
	{"bic", "the size with the lowest BIC", nil, func(c *Curve, p *Point) float64 { return BIC(p.Loss, p.DF, c.Rows) }},
	{"ebic", "the size with the lowest extended BIC", nil, func(c *Curve, p *Point) float64 {
		return EBIC(p.Loss, p.DF, c.Rows, p.Size, c.Variables, 1)
	}},
	{"gic", "the size with the lowest GIC", nil, func(c *Curve, p *Point) float64 { return GIC(p.Loss, p.DF, c.Rows, c.Variables) }},
}

// IsCriterion reports whether a rule is an information criterion, which needs no folds.
func IsCriterion(rule string) bool {
	for _, r := range rules {
		if r.name == rule {
			return r.criterion != nil
		}
	}
	return false
}

// Criterion returns the value of an information criterion at each point.
func (c *Curve) Criterion(rule string) []float64 {
	values := make([]float64, len(c.Points))
	for _, r := range rules {
		if r.name == rule {
			for i := range values {
				values[i] = r.criterion(c, &c.Points[i])
			}
		}
	}
	return values
}

// RuleNames lists the rules of [Curve.Choose].
func RuleNames() (names []string) {
	for _, r := range rules {
		names = append(names, r.name)
	}
	return names
}

// DescribeRule describes a rule in words. It returns "" for an unknown rule.
func DescribeRule(rule string) string {
	for _, r := range rules {
		if r.name == rule {
			return r.about
		}
	}
	return ""
}

// Choose returns the index of the point that a rule chooses. Among equals it is the smaller
// size.
func (c *Curve) Choose(rule string) (int, error) {
	for _, r := range rules {
		if r.name != rule {
			continue
		}
		at := -1
		if r.criterion != nil {
			at = c.lowestCriterion(func(p *Point) float64 { return r.criterion(c, p) })
		} else {
			at = r.choose(c)
		}
		if at >= 0 {
			return at, nil
		}
		return 0, fmt.Errorf("%w: the rule %s cannot judge any of the %d sizes: use another rule or another measure", ErrChoice, rule, len(c.Points))
	}
	return 0, fmt.Errorf("%w: unknown rule %q: it must be %s", ErrChoice, rule, strings.Join(RuleNames(), ", "))
}

// lowest returns the point with the lowest mean error.
func (c *Curve) lowest() int {
	return c.least(func(p *Point) float64 { return p.Mean })
}

// oneSE returns the smallest size whose mean error is at most the lowest one plus its standard
// error. With one fold there is no standard error, and it returns the lowest.
func (c *Curve) oneSE() int {
	best := c.lowest()
	if best < 0 {
		return best
	}
	limit := c.Points[best].Mean
	if se := c.Points[best].SE; se == se {
		limit += se
	}
	return slices.IndexFunc(c.Points, func(p Point) bool { return p.Mean <= limit })
}

// Margin is the largest share of the gain of the best candidate over the null model that a simpler one may lack.
const Margin = 0.01

const (
	significance = 0.05 // significance level of the paired test
	signedRank   = 1.96 // critical value of the signed-rank test of the null model, at the same level
)

// Simplest is the rule by which candidates, such as sizes or recipes, are compared. Candidates
// are ordered by complexity. Simplest returns the first one whose error is not significantly
// higher than the lowest (paired t test over folds) and is higher by at most 1% of what the
// best candidate gains over the null model. errors are by candidate, then by fold, repeat
// after repeat. null is the error of the null model in each fold, or nil if it is not known.
// Simplest returns −1 if no candidate has an error.
//
// The test is paired because a hard fold is hard for all candidates. The limit of 1% matters
// if there are few rows: then a large part of the gain may not be significant. Folds of
// several repeats share their rows, so the degrees of freedom are those of one repeat.
func Simplest(errors [][]float64, null []float64, repeats int) int {
	return NewCurve(count(len(errors)), errors, nil, repeats).simplest(null)
}

func (c *Curve) simplest(null []float64) int {
	best := c.lowest()
	if best < 0 {
		return best
	}
	limit := math.Inf(1)
	if null != nil {
		mean, _ := c.average(null)
		limit = Margin * max(mean-c.Points[best].Mean, 0)
	}
	for i, p := range c.Points {
		if p.Mean-c.Points[best].Mean <= limit && c.level(i, best) {
			return i
		}
	}
	return best
}

// Difference returns the mean difference of the errors of two candidates in the same folds, and
// its standard error.
func Difference(a, b []float64, repeats int) (mean, se float64) {
	return (&Curve{repeats: repeats}).average(differences(a, b))
}

func count(n int) []int {
	list := make([]int, n)
	for i := range list {
		list[i] = i
	}
	return list
}

// paired returns the size that [Simplest] chooses. The null model must only pass the test, because
// the limit on the gain does not say whether there is anything to explain.
func (c *Curve) paired() int {
	best := c.lowest()
	if best < 0 {
		return best
	}
	var null []float64
	if p := c.Points[0]; p.Size == 0 {
		if null = p.Errors; c.nothing(best) {
			return 0
		}
	}
	return c.simplest(null)
}

// nothing reports whether the best point is not significantly better than the null model, the first point, over folds: by
// the test of [Curve.level], and by ranks, because a single outlier may dominate the mean of one fold. If folds say little
// and the error is a likelihood, the units are nats. Without a signal, the expectation of a likelihood ratio of held-out
// rows is at most 1, so that it exceeds n/α with a probability of at most α/n (Wasserman, Ramdas and Balakrishnan 2020).
func (c *Curve) nothing(best int) bool {
	null, b := &c.Points[0], &c.Points[best]
	if c.Nats > 0 {
		return c.Nats*(null.Mean-b.Mean) < math.Log(float64(c.Trials)/significance)
	}
	return c.level(0, best) && SignedRank(differences(null.Errors, b.Errors)) < signedRank
}

// level reports whether a point is not significantly above the best one, by a two-sided paired t
// test of the errors of folds. For ten folds the limit is 2.26 standard errors of the difference.
func (c *Curve) level(at, best int) bool {
	p, b := &c.Points[at], &c.Points[best]
	folds := len(p.Errors) / max(c.repeats, 1)
	if len(p.Errors) != len(b.Errors) || folds < 2 {
		return p.Mean <= b.Mean
	}
	mean, se := c.average(differences(p.Errors, b.Errors))
	t := distuv.StudentsT{Sigma: 1, Nu: float64(folds - 1)}.Quantile(1 - significance/2)
	return mean <= t*se || mean <= 0
}

// lowestCriterion returns the point with the lowest value, or −1 if the curve lacks the number of
// rows or variables.
func (c *Curve) lowestCriterion(value func(p *Point) float64) int {
	if n := len(c.Points); n == 0 || c.Variables < c.Points[n-1].Size || !(c.Rows > 0) {
		return -1
	}
	return c.least(value)
}

// least returns the first point with the smallest value that is not NaN.
func (c *Curve) least(value func(p *Point) float64) int {
	best, least := -1, 0.0
	for i := range c.Points {
		if v := value(&c.Points[i]); v == v && (best < 0 || v < least) {
			best, least = i, v
		}
	}
	return best
}
