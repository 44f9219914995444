package baseline

import (
	"cmp"
	"context"
	"math"
	"math/rand/v2"

	"fsa/internal/matrix"
)

// linearSVM is a support vector machine without a kernel: it minimises
//
//	½‖β‖² + ½b² + C Σ wᵢ max(0, 1 − yᵢ(βᵀxᵢ + b))
//
// over β and b by coordinate descent on the dual (Hsieh, Chang, Lin, Keerthi and
// Sundararajan, 2008). A step looks at one row and costs as much as it has
// numbers, so sparse rows of millions of columns are welcome. The intercept is
// the coefficient of a column of ones, as in liblinear.
type linearSVM struct {
	// C is the price of a row within the margin.
	C float64
	// Tolerance bounds the difference of the largest and the smallest
	// projected gradient of the dual at the end; 0 means 0.001.
	Tolerance float64
	// Epochs bounds the walks through the rows; 0 means 1000.
	Epochs int
	// Seed chooses the order of the rows.
	Seed uint64
}

// fit trains on rows of dense or sparse numbers (dense ones in float32 precision), with responses
// ±1 and weights; nil means that all are 1. alpha holds the dual variable of each row: fit starts
// from it and stores the solution in it, which is a good start for a similar problem. Nil starts at
// zero. A value above C times the weight of its row is reduced to that first.
func (s linearSVM) fit(ctx context.Context, from *matrix.Vectors, y, weight, alpha []float64) (beta []float64, intercept float64, err error) {
	rows := newNarrow(from)
	tolerance, epochs := cmp.Or(s.Tolerance, 1e-3), cmp.Or(s.Epochs, 1000)
	if alpha == nil {
		alpha = make([]float64, rows.Count)
	}
	top := make([]float64, rows.Count)    // of the dual variable of each row
	square := make([]float64, rows.Count) // length of each row
	beta = make([]float64, rows.Length)
	var all []int
	for i := range top {
		top[i] = s.C
		if weight != nil {
			top[i] *= weight[i]
		}
		alpha[i] = min(max(alpha[i], 0), top[i])
		if top[i] == 0 {
			continue
		}
		all = append(all, i)
		_, value := rows.Cells(i)
		square[i] = 1
		for _, v := range value {
			square[i] += v * v
		}
		if alpha[i] > 0 {
			rows.Add(beta, i, alpha[i]*y[i])
			intercept += alpha[i] * y[i]
		}
	}

	rng := rand.New(rand.NewPCG(s.Seed, 0x57a))
	// Rows whose dual variable is at a bound, with a gradient that holds it there more firmly than
	// any in the last pass, are skipped until the others have converged.
	active := all
	highest, lowest := math.Inf(1), math.Inf(-1)
	for range epochs {
		if err := ctx.Err(); err != nil {
			return nil, 0, err
		}
		rng.Shuffle(len(active), func(a, b int) { active[a], active[b] = active[b], active[a] })
		high, low := math.Inf(-1), math.Inf(1)
		for at := 0; at < len(active); at++ {
			i := active[at]
			gradient := y[i]*(rows.Dot(i, beta)+intercept) - 1
			if alpha[i] == 0 && gradient > highest || alpha[i] == top[i] && gradient < lowest {
				last := len(active) - 1
				active[at], active[last] = active[last], active[at]
				active = active[:last]
				at--
				continue
			}
			projected := gradient
			switch {
			case alpha[i] == 0:
				projected = min(gradient, 0)
			case alpha[i] == top[i]:
				projected = max(gradient, 0)
			}
			high, low = max(high, projected), min(low, projected)
			if projected == 0 {
				continue
			}
			next := min(max(alpha[i]-gradient/square[i], 0), top[i])
			step := (next - alpha[i]) * y[i]
			alpha[i] = next
			rows.Add(beta, i, step)
			intercept += step
		}
		switch {
		case high-low > tolerance:
			highest, lowest = high, low
			if high <= 0 {
				highest = math.Inf(1)
			}
			if low >= 0 {
				lowest = math.Inf(-1)
			}
		case len(active) == len(all):
			return beta, intercept, nil
		default:
			active, highest, lowest = all, math.Inf(1), math.Inf(-1)
		}
	}
	return beta, intercept, nil
}
