package baseline

import (
	"cmp"
	"context"
	"math"
	"slices"

	"fsa/data"
	"fsa/internal/portable"
	"fsa/model"
)

// RankBoost adds weak rankers, each of which raises the score of rows in which one variable
// exceeds a threshold (Freund, Iyer, Schapire and Singer, 2003):
//
//	H(x) = Σ_t α_t [x_j(t) ≥ θ_t]
//
// It minimises the mean of exp(H(worse) − H(better)) over the pairs of rows of a query with
// different relevance. Each round adds the ranker with the largest |r|, where r is the
// weighted mean of h(better) − h(worse) over the pairs, and α = ½ ln((1+r)/(1−r)).
//
// Pairs are not listed. Because exp(H_i − H_j) is a product, the contribution of a row with
// all rows below it in its query follows from one sum over them. So the time of a round grows
// with the number of rows, not of pairs.
//
// Iterations is the number of rounds; 0 means 100. Once K variables are in use, only they
// compete.
type RankBoost struct {
	Options
	// Bins is the number of bins of equal width between whose borders the
	// thresholds lie; 0 means 64. The last threshold, the upper end of the
	// range, would lift nothing.
	Bins int
}

var _ Fitter = RankBoost{}

// Fit implements [Fitter].
func (m RankBoost) Fit(ctx context.Context, d *data.Dataset) (*model.Model, error) {
	bins := cmp.Or(m.Bins, 64)
	if err := checkBins(bins); err != nil {
		return nil, err
	}
	m.LossName = orLoss(m.LossName, "rank")
	m.Scale = data.ScaleNone // bins look at the numbers themselves
	t, err := newBinTask(ctx, "rankboost", d, m.Options, "rank")
	if err != nil {
		return nil, err
	}
	x, err := newBins(ctx, t, bins)
	if err != nil {
		return nil, err
	}

	pairs := newPairMass(t)
	field := newEntrants(t, 0)
	parts := map[int][]float64{}
	h := make([]float64, len(t.Y))
	lift := make([]float64, bins)
	rounds := 0
	for ; rounds < cmp.Or(m.Iterations, 100); rounds++ {
		mass, _ := pairs.weigh(h)
		v, bin, r, err := bestThreshold(ctx, m.Threads, x, field.next(), mass, bins)
		if err != nil {
			return nil, err
		}
		if r == 0 {
			break // no ranker is better than a guess
		}
		// A ranker without an error would get an infinite weight; adding part of a row to either
		// side keeps it finite.
		smooth := 1 / float64(len(t.Y))
		alpha := math.Log((1+r+smooth)/(1-r+smooth)) / 2
		field.use(v)
		if parts[v] == nil {
			parts[v] = make([]float64, bins)
		}
		clear(lift)
		for b := bin; b < bins; b++ {
			lift[b] = alpha
			parts[v][b] += alpha
		}
		x.spread(h, v, lift)
	}
	return t.steps(rounds, parts, h)
}

// bestThreshold returns the variable and the first bin above the threshold for
// which |r| is largest. Ties go to the lower variable, then to the lower bin.
func bestThreshold(ctx context.Context, threads int, x coded, variables []int, mass []float64, bins int) (variable, bin int, r float64, err error) {
	type ranker struct {
		bin int
		r   float64
	}
	best := make([]ranker, len(variables))
	// Every pair adds as much as it takes away, so the masses sum to zero.
	err = each(ctx, threads, len(variables), func(at int) {
		var room [maxBins]float64
		sums := room[:bins]
		x.tally(sums, variables[at], mass, 0)
		var above float64
		for b := bins - 1; b > 0; b-- {
			if above += sums[b]; math.Abs(above) >= math.Abs(best[at].r) {
				best[at] = ranker{b, above}
			}
		}
	})
	if err != nil {
		return 0, 0, 0, err
	}
	for at, v := range variables {
		if b := best[at]; math.Abs(b.r) > math.Abs(r) {
			variable, bin, r = v, b.bin, b.r
		}
	}
	// Rounding may add up to a little more than everything.
	return variable, bin, min(max(r, -1), 1), nil
}

// pairMass holds the pairs of rows with different grades.
type pairMass struct {
	y, log   []float64 // relevance and logarithm of the weight of each row
	query    []int
	order    []int // rows by query, and by relevance within a query
	judged   []data.Pair
	up, down []float64
	mass     []float64
}

func newPairMass(t *task) *pairMass {
	n := len(t.Y)
	p := &pairMass{y: t.Y, query: t.Query, judged: t.Data.Target.Pairs, up: make([]float64, n), down: make([]float64, n), mass: make([]float64, n)}
	for i := range n {
		p.log = append(p.log, math.Log(t.weight(i)))
		p.order = append(p.order, i)
	}
	for q := range len(p.query) - 1 {
		slices.SortStableFunc(p.order[p.query[q]:p.query[q+1]], func(a, b int) int { return cmp.Compare(p.y[a], p.y[b]) })
	}
	return p
}

// weigh returns for each row the mass of the pairs in which it is the better one
// less that of the pairs in which it is the worse one, where the mass of a pair
// is proportional to the mean weight of its rows times exp(h(worse) − h(better))
// and all pairs together have mass 1; and the logarithm of the sum of these
// products, the loss. The masses are valid until the next call.
func (p *pairMass) weigh(h []float64) (mass []float64, loss float64) {
	if p.judged != nil {
		p.weighJudged(h)
	} else {
		for q := range len(p.query) - 1 {
			order := p.order[p.query[q]:p.query[q+1]]
			p.climb(p.up, order, h, -1)
			slices.Reverse(order)
			p.climb(p.down, order, h, 1)
			slices.Reverse(order)
		}
	}
	top, total := slices.Max(p.up), 0.0
	if math.IsInf(top, -1) { // no pair weighs anything
		clear(p.mass)
		return p.mass, top
	}
	for _, u := range p.up {
		total += portable.Exp(u - top)
	}
	for i := range p.mass {
		p.mass[i] = (portable.Exp(p.up[i]-top) - portable.Exp(p.down[i]-top)) / total
	}
	return p.mass, top + math.Log(total)
}

// climb walks through the rows of a query from grade to grade and sets dst to
// the logarithm of the mass of the pairs of each row with the rows of grades
// passed before. Sign is that of h in the mass.
func (p *pairMass) climb(dst []float64, order []int, h []float64, sign float64) {
	passed, weighted := math.Inf(-1), math.Inf(-1) // sums over the rows passed
	for lo := 0; lo < len(order); {
		hi := lo
		for hi < len(order) && p.y[order[hi]] == p.y[order[lo]] {
			i := order[hi]
			dst[i] = addLogs(p.log[i]+passed, weighted) - math.Ln2 + sign*h[i]
			hi++
		}
		for _, i := range order[lo:hi] {
			passed = addLogs(passed, -sign*h[i])
			weighted = addLogs(weighted, p.log[i]-sign*h[i])
		}
		lo = hi
	}
}

// weighJudged goes through listed pairs. How sure a judgement is counts as
// weight.
func (p *pairMass) weighJudged(h []float64) {
	for i := range p.up {
		p.up[i], p.down[i] = math.Inf(-1), math.Inf(-1)
	}
	for _, pair := range p.judged {
		better, worse, sure := pair.I, pair.J, 2*pair.R-1
		if sure < 0 {
			better, worse, sure = worse, better, -sure
		}
		part := addLogs(p.log[better], p.log[worse]) - math.Ln2 + math.Log(sure) + h[worse] - h[better]
		p.up[better] = addLogs(p.up[better], part)
		p.down[worse] = addLogs(p.down[worse], part)
	}
}

// addLogs returns ln(eᵃ + eᵇ).
func addLogs(a, b float64) float64 {
	if a < b {
		a, b = b, a
	}
	if math.IsInf(b, -1) {
		return a
	}
	return a + math.Log1p(portable.Exp(b-a))
}
