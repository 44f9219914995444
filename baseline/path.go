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

// maxPathK bounds the number of variables that are selected along a path: the
// products of all pairs of them are kept.
const maxPathK = 10000

// The penalties of a path fall from the one that lets no variable in by factor
// each, at most penalties times.
const (
	factor    = 0.933 // a thousandth after 100 penalties
	penalties = 250
)

// saturated is the share of the logistic loss without variables at which a path
// ends: the classes are as good as separated, and the coefficients only grow.
const saturated = 1e-2

// fitPath selects K variables by a penalty of the right size and refits a model
// on them. Family gives the penalty for each size; ridge is that of the refit.
// Iterations bounds the number of penalties.
func fitPath(ctx context.Context, method string, d *data.Dataset, o Options, family func(t *task, lambda float64) penalty, ridge func(t *task) float64) (*model.Model, error) {
	if o.K > maxPathK {
		return nil, fmt.Errorf("%w: k = %d, but %s keeps the products of all pairs of variables and selects at most %d", model.ErrOptions, o.K, method, maxPathK)
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

// reach moves to a solution with k variables. It returns how many penalties
// were tried.
//
// The penalty falls until at least k variables are in, and is bisected where
// more came at once. Between the two penalties where the number passes k there
// may be none that gives k: two equal columns come and go together. Then it
// stops at the smaller one. It also stops when the path ends before k variables
// are in.
//
// With a concave penalty variables leave again when better ones become cheap
// enough, so the path is followed further, and of all solutions with k
// variables the one of the smallest penalty is taken.
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

// mark is a solution that a path has been to.
type mark struct {
	lambda float64
	size   int // coefficients that are not zero
	point  point
	slope  []float64
}

// set moves a descent to a mark, which stays as it is.
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

// further follows the path from a mark with k variables or more, until there are
// twice as many. It returns the last mark with k, or the first if there is none.
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

// free reports whether no coefficient that is not zero feels the penalty: all
// are where it is flat. Lower penalties can then do nothing but let others in.
func (p *path) free(lambda float64) bool {
	cost := p.family(lambda)
	flat := cost.Value(math.Inf(1))
	return !slices.ContainsFunc(p.beta, func(b float64) bool { return b != 0 && cost.Value(b) != flat })
}

// ended reports whether there is no use in lower penalties.
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

// strongest returns the k variables of largest coefficients. Where not as many
// are in, those with the steepest slopes follow, which would have been next.
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
