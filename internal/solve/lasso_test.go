package solve

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"fsa/loss"
)

// columnTable is a table of columns in memory.
type columnTable [][]float64

func (t columnTable) Count() int { return len(t) }

func (t columnTable) Products(_ context.Context, r [][]float64) ([][]float64, error) {
	g := make([][]float64, len(r))
	for q := range r {
		for _, x := range t {
			g[q] = append(g[q], dot(x, r[q]))
		}
	}
	return g, nil
}

func (t columnTable) Columns(_ context.Context, js []int) ([][]float64, error) {
	x := make([][]float64, len(js))
	for i, j := range js {
		x[i] = t[j]
	}
	return x, nil
}

func (t columnTable) Square(j int) float64 { return dot(t[j], t[j]) / float64(len(t[j])) }

// At the end of the path the optimality conditions of the lasso hold. There is a set of every size, and the true columns are selected first, after the forced one.
func TestLasso(t *testing.T) {
	ctx, rng := context.Background(), rand.New(rand.NewPCG(3, 4))
	for name, l := range map[string]loss.Loss{"squared": loss.Squared{}, "logistic": loss.Logistic{}} {
		t.Run(name, func(t *testing.T) {
			const rows, cols = 80, 200
			table := make(columnTable, cols)
			for j := range table {
				for range rows {
					table[j] = append(table[j], rng.NormFloat64())
				}
			}
			y := make([]float64, rows)
			for i := range y {
				y[i] = 3*table[7][i] - 3*table[50][i] + 0.3*rng.NormFloat64()
				if name == "logistic" {
					y[i] = math.Copysign(1, y[i])
				}
			}
			p := &Problem{Loss: l, Target: loss.Target{Y: y}, Intercept: true, Quadratic: name == "squared"}
			null, err := p.Solve(ctx, nil, nil)
			if err != nil {
				t.Fatal(err)
			}
			sets, err := p.Lasso(ctx, table, null, []int{9}, 30)
			if err != nil {
				t.Fatal(err)
			}
			for k := range sets {
				if distinct := slices.Compact(slices.Clone(sets[k])); len(distinct) != k || !slices.IsSorted(sets[k]) {
					t.Fatalf("size %d: %v", k, sets[k])
				}
			}
			if !slices.Equal(sets[1], []int{9}) || !slices.Equal(sets[3], []int{7, 9, 50}) {
				t.Errorf("the first are %v and %v", sets[1], sets[3])
			}

			s := &lasso{p: p, t: table, at: map[int]int{}, z: slices.Clone(null.Z), r: make([]float64, rows), d: make([]float64, rows)}
			s.weight = l.Curvature(s.d, p.Target)
			slopes, _ := s.slopes(ctx)
			if err := s.add(ctx, slopes, 0); err != nil {
				t.Fatal(err)
			}
			const penalty = 0.1
			for range 200 {
				if err := s.descend(ctx, penalty); err != nil {
					t.Fatal(err)
				}
			}
			slopes, _ = s.slopes(ctx)
			for j, g := range slopes {
				b := s.beta[s.at[j]]
				if b == 0 && math.Abs(g) > 1.01*penalty || b != 0 && math.Abs(g+math.Copysign(penalty, b)) > 0.01*penalty {
					t.Errorf("column %d has the coefficient %v and the slope %v under %v", j, b, g, penalty)
				}
			}
		})
	}
}
