package baseline

import (
	"context"
	"fmt"
	"testing"

	"fsa/data"
)

// Products of columns are what their definition says, dense and sparse, whether
// they are taken at once or one after the other.
func TestProducts(t *testing.T) {
	ctx := context.Background()
	s := mixed(11, "squared").thinned(2)
	weight := s.Weight
	var total float64
	for _, w := range weight {
		total += w
	}
	for name, d := range map[string]*data.Dataset{"dense": s.dense(t), "sparse": s.sparse(t)} {
		columns := rawTask(t, d, "squared").columns
		mean, centred := make([]float64, s.Columns), make([][]float64, s.Columns)
		for j := range centred {
			mean[j] = columns.Dot(j, weight) / total
			centred[j] = make([]float64, len(weight))
			columns.Add(centred[j], j, 1)
			for i := range weight {
				centred[j][i] -= mean[j]
			}
		}
		for _, step := range []int{1, 3, s.Columns} {
			m := newMultiplier(columns, weight)
			var gram [][]float64
			for first := 0; first < s.Columns; first += step {
				for j := first; j < min(first+step, s.Columns); j++ {
					m.add(columns, j, mean[j])
				}
				var err error
				if gram, err = m.products(ctx, 2, gram); err != nil {
					t.Fatal(err)
				}
			}
			for a := range centred {
				want := make([]float64, s.Columns)
				for b := range want {
					for i, w := range weight {
						want[b] += w * centred[a][i] * centred[b][i]
					}
				}
				near(t, fmt.Sprintf("%s by %d: products of %d", name, step, a), gram[a], want, 1e-4)
			}

			// A combination differs by a constant, which a left side of sum zero
			// does not see.
			coef, x := make([]float64, s.Columns), make([]float64, len(weight))
			for j := range coef {
				coef[j] = float64(j%5) - 2
			}
			m.combine(x, coef)
			var level float64
			for i, w := range weight {
				level += w * x[i] / total
			}
			for i, w := range weight {
				x[i] = w * (x[i] - level)
			}
			got, want := make([]float64, s.Columns), make([]float64, s.Columns)
			m.dots(got, x)
			for a := range want {
				for b, c := range coef {
					want[a] += c * gram[a][b]
				}
			}
			near(t, name+": product of the products", got, want, 1e-3)
		}
	}
}
