package baseline

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"fsa/data"
	"fsa/model"
)

// maxPathK limits the number of variables that are selected along a path, because the products of
// all pairs are stored.
const maxPathK = 10000

// The penalties of a path start at the one at which no variable enters, and fall by factor each, at
// most penalties times.
const (
	factor    = 0.933 // a thousandth after 100 penalties
	penalties = 250
)

// saturated is the share of the logistic loss without variables at which a path
// ends: the classes are as good as separated, and the coefficients only grow.
const saturated = 1e-2

// fitPath selects K variables by a suitable penalty and refits a model on them. family returns the
// penalty for a given strength; ridge is that of the refit. Iterations limits the number of
// penalties.
func fitPath(ctx context.Context, method string, d *data.Dataset, o Options, family func(t *task, lambda float64) penalty, ridge func(t *task) float64) (*model.Model, error) {
	if o.K > maxPathK {
		return nil, fmt.Errorf("%w: k = %d, but %s stores the products of all pairs of variables and selects at most %d", model.ErrOptions, o.K, method, maxPathK)
	}
	t, err := newTask(ctx, method, d, o, "squared", "logistic")
	if err != nil {
		return nil, err
	}
	descent, err := newDescent(ctx, t)
	if err != nil {
		return nil, err
	}
	tried, err := descent.reach(ctx, min(t.K, len(t.design.Usable)), func(lambda float64) penalty { return family(t, lambda) })
	if err != nil {
		return nil, err
	}
	chosen := descent.strongest(t.K)
	intercept, beta, err := t.refit(ctx, chosen, ridge(t))
	if err != nil {
		return nil, err
	}
	return t.linear(tried, intercept, chosen, beta)
}

// reach moves to a solution with k variables. It returns the number of penalties tried.
//
// The penalty falls until at least k variables are in the model, and is bisected if more entered at
// once. There may be no penalty that gives exactly k, because two equal columns enter and leave
// together; the smaller penalty is then taken. The search also stops if the path ends before k
// variables have entered.
//
// With a concave penalty, variables may leave again when better ones enter. So the path is followed
// further, and of all solutions with k variables the one with the smallest penalty is taken.
func (d *descent) reach(ctx context.Context, k int, family func(lambda float64) penalty) (tried int, err error) {
	p := path{descent: d, family: family, limit: cmp.Or(d.Iterations, penalties)}
	above := mark{lambda: d.steepest / family(1).Threshold(), point: d.point.clone(), slope: slices.Clone(d.slope)}
	below := above
	for d.size() < k {
		if p.ended() {
			return p.tried, nil
		}
		above = below
		if below, err = p.next(ctx, above, factor*above.lambda); err != nil {
			return p.tried, err
		}
	}
	if !family(1).Convex() {
		if below, err = p.further(ctx, below, k); err != nil {
			return p.tried, err
		}
	}
	for below.size > k && above.lambda > (1+1e-9)*below.lambda {
		middle, err := p.next(ctx, above, math.Sqrt(above.lambda*below.lambda))
		if err != nil {
			return p.tried, err
		}
		if middle.size >= k {
			below = middle
		} else {
			above = middle
		}
	}
	d.set(below)
	return p.tried, nil
}

// mark is a solution on the path.
type mark struct {
	lambda float64
	size   int // coefficients that are not zero
	point  point
	slope  []float64
}

// set moves a descent to a mark without modifying the mark.
func (d *descent) set(m mark) {
	d.point, d.slope = m.point.clone(), slices.Clone(m.slope)
}

// path walks along penalties.
type path struct {
	*descent
	family       func(lambda float64) penalty
	tried, limit int
}

// next moves from a mark to the solution for another penalty.
func (p *path) next(ctx context.Context, from mark, lambda float64) (mark, error) {
	p.set(from)
	p.tried++
	err := p.minimise(ctx, p.family(lambda))
	return mark{lambda, p.size(), p.point.clone(), slices.Clone(p.slope)}, err
}

// further follows the path from a mark with k or more variables, until there are twice as many. It
// returns the last mark with k variables, or the first mark if there is none.
func (p *path) further(ctx context.Context, from mark, k int) (mark, error) {
	best := from
	for at := from; at.size <= 2*k; {
		if at.size == k {
			best = at
			if p.free(at.lambda) {
				break
			}
		}
		if p.ended() {
			break
		}
		var err error
		if at, err = p.next(ctx, at, factor*at.lambda); err != nil {
			return best, err
		}
	}
	return best, nil
}

// free reports whether the penalty is flat at all nonzero coefficients. Lower penalties can then
// only let others in.
func (p *path) free(lambda float64) bool {
	cost := p.family(lambda)
	flat := cost.Value(math.Inf(1))
	return !slices.ContainsFunc(p.beta, func(b float64) bool { return b != 0 && cost.Value(b) != flat })
}

// ended reports whether lower penalties are useless.
func (p *path) ended() bool {
	return p.tried >= p.limit || p.Loss() == "logistic" && p.value < saturated*p.null
}

// size returns how many coefficients are not zero.
func (d *descent) size() int {
	n := 0
	for _, b := range d.beta {
		if b != 0 {
			n++
		}
	}
	return n
}

// strongest returns the k variables with the largest coefficients. If there are fewer, those with
// the largest slopes follow, which would have entered next.
func (d *descent) strongest(k int) []int {
	order := slices.Clone(d.design.Usable)
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Or(
			-cmp.Compare(math.Abs(d.beta[a]), math.Abs(d.beta[b])),
			-cmp.Compare(math.Abs(d.slope[a]), math.Abs(d.slope[b])))
	})
	order = order[:min(k, len(order))]
	slices.Sort(order)
	return order
}
