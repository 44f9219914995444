package objectivetest

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"fsa/anneal"
)

// sample returns a random problem, the same for the same arguments.
func sample(l anneal.Layout, parts int, logistic bool) *Dense {
	rng := rand.New(rand.NewPCG(23, 0))
	d := &Dense{Columns: l, Parts: parts, Logistic: logistic}
	for range 40 {
		x := make([]float64, l.Len())
		for j := range x {
			x[j] = rng.NormFloat64()
		}
		d.X = append(d.X, x)
		y := x[0] - x[1] + rng.NormFloat64()
		if logistic {
			y = math.Copysign(1, y)
		}
		d.Y = append(d.Y, y)
		d.Weight = append(d.Weight, 0.5+rng.Float64())
	}
	return d
}

func TestDense(t *testing.T) {
	for name, l := range map[string]anneal.Layout{
		"width 1":         anneal.Uniform(12, 1, 0),
		"width 3":         anneal.Uniform(7, 3, 1),
		"all widths":      anneal.Grouped([]int{0, 2, 3, 7, 8, 10, 11}, 2),
		"single group":    anneal.Uniform(1, 2, 0),
		"more than drawn": anneal.Uniform(60, 1, 1),
	} {
		for _, parts := range []int{1, 3} {
			for _, logistic := range []bool{false, true} {
				t.Run(fmt.Sprintf("%s, %d batches, logistic %v", name, parts, logistic), func(t *testing.T) {
					Run(t, func() anneal.Objective { return sample(l, parts, logistic) })
				})
			}
		}
	}
}

// single is an objective that computes in single precision. It hides that
// Dense is Curved.
type single struct{ anneal.Objective }

func (s single) Eval(ctx context.Context, batch int, grad, beta []float64) (float64, float64, error) {
	sum, weight, err := s.Objective.Eval(ctx, batch, grad, round(beta))
	copy(grad, round(grad))
	return round([]float64{sum})[0], weight, err
}

func round(v []float64) []float64 {
	out := make([]float64, len(v))
	for i, x := range v {
		out[i] = float64(float32(x))
	}
	return out
}

func TestSinglePrecision(t *testing.T) {
	Run(t, func() anneal.Objective { return single{sample(anneal.Uniform(7, 3, 1), 2, true)} })
}

// TestEmptyBatch checks that a batch may have no weight.
func TestEmptyBatch(t *testing.T) {
	Run(t, func() anneal.Objective {
		d := sample(anneal.Uniform(5, 2, 1), 4, false)
		clear(d.Weight[:10])
		return d
	})
}

// broken is a Dense with something wrong.
type broken struct {
	*Dense
	layout    func() anneal.Layout
	eval      func(ctx context.Context, batch int, grad, beta []float64) (sum, weight float64, err error)
	keep      func(ctx context.Context, groups []int) error
	curvature func(ctx context.Context, batch int, dst, v []float64) (weight float64, err error)
}

func (b *broken) Layout() anneal.Layout {
	if b.layout == nil {
		return b.Dense.Layout()
	}
	return b.layout()
}

func (b *broken) Eval(ctx context.Context, batch int, grad, beta []float64) (sum, weight float64, err error) {
	if b.eval == nil {
		return b.Dense.Eval(ctx, batch, grad, beta)
	}
	return b.eval(ctx, batch, grad, beta)
}

func (b *broken) Keep(ctx context.Context, groups []int) error {
	if b.keep == nil {
		return b.Dense.Keep(ctx, groups)
	}
	return b.keep(ctx, groups)
}

func (b *broken) Curvature(ctx context.Context, batch int, dst, v []float64) (weight float64, err error) {
	if b.curvature == nil {
		return b.Dense.Curvature(ctx, batch, dst, v)
	}
	return b.curvature(ctx, batch, dst, v)
}

// after returns d with a change f of the result of Eval.
func after(d *Dense, f func(batch int, grad, beta []float64, sum, weight float64) (float64, float64)) *broken {
	return &broken{Dense: d, eval: func(ctx context.Context, batch int, grad, beta []float64) (float64, float64, error) {
		sum, weight, err := d.Eval(ctx, batch, grad, beta)
		sum, weight = f(batch, grad, beta, sum, weight)
		return sum, weight, err
	}}
}

// TestBroken checks that the suite finds broken promises.
func TestBroken(t *testing.T) {
	for _, c := range []struct {
		name  string
		spoil func(d *Dense) *broken
		check func(source) error
	}{
		{"groups overlap", func(d *Dense) *broken {
			return &broken{Dense: d, layout: func() anneal.Layout { return anneal.Grouped([]int{0, 3, 2}, 0) }}
		}, layout},
		{"no groups", func(d *Dense) *broken {
			return &broken{Dense: d, layout: func() anneal.Layout { return anneal.Grouped([]int{0}, 1) }}
		}, layout},
		{"no weight", func(d *Dense) *broken {
			return after(d, func(_ int, _, _ []float64, sum, _ float64) (float64, float64) { return sum, 0 })
		}, weight},
		{"weight of rows that err", func(d *Dense) *broken {
			return after(d, func(_ int, _, _ []float64, sum, _ float64) (float64, float64) { return sum, sum })
		}, weight},
		{"gradient a little too large", func(d *Dense) *broken {
			return after(d, func(_ int, grad, _ []float64, sum, weight float64) (float64, float64) {
				add(grad, 0.01, grad)
				return sum, weight
			})
		}, gradient},
		{"gradient is a mean", func(d *Dense) *broken {
			return after(d, func(_ int, grad, _ []float64, sum, weight float64) (float64, float64) {
				add(grad, 1/weight-1, grad)
				return sum, weight
			})
		}, gradient},
		{"gradient of the intercept forgotten", func(d *Dense) *broken {
			return after(d, func(_ int, grad, _ []float64, sum, weight float64) (float64, float64) {
				grad[len(grad)-1] = 0
				return sum, weight
			})
		}, gradient},
		{"gradient of another batch", func(d *Dense) *broken {
			return after(d, func(_ int, grad, beta []float64, sum, weight float64) (float64, float64) {
				_, _, _ = d.Eval(context.Background(), 0, grad, beta)
				return sum, weight
			})
		}, gradient},
		{"gradient added", func(d *Dense) *broken {
			return &broken{Dense: d, eval: func(ctx context.Context, batch int, grad, beta []float64) (float64, float64, error) {
				g := make([]float64, len(grad))
				sum, weight, err := d.Eval(ctx, batch, g, beta)
				add(grad, 1, g)
				return sum, weight, err
			}}
		}, gradient},
		{"prior in the sum only", func(d *Dense) *broken {
			return after(d, func(_ int, _, beta []float64, sum, weight float64) (float64, float64) {
				return sum + 0.1*weight*dot(beta, beta), weight
			})
		}, gradient},
		{"beta changed", func(d *Dense) *broken {
			return after(d, func(_ int, _, beta []float64, sum, weight float64) (float64, float64) {
				beta[0] += 1e-9
				return sum, weight
			})
		}, inputs},
		{"state kept", func(d *Dense) *broken {
			calls := 0.0
			return after(d, func(_ int, _, _ []float64, sum, weight float64) (float64, float64) {
				calls++
				return sum * calls, weight
			})
		}, inputs},
		{"groups from the front kept", func(d *Dense) *broken {
			return &broken{Dense: d, keep: func(ctx context.Context, groups []int) error {
				front := make([]int, len(groups))
				for j := range front {
					front[j] = j
				}
				return d.Keep(ctx, front)
			}}
		}, keep},
		{"original numbers asked for", func(d *Dense) *broken {
			whole := *d
			return &broken{Dense: d, keep: func(ctx context.Context, groups []int) error {
				*d = whole
				return d.Keep(ctx, groups)
			}}
		}, keep},
		{"free coefficients dropped", func(d *Dense) *broken {
			return &broken{Dense: d, keep: func(ctx context.Context, groups []int) error {
				d.Columns.Free = 0
				return d.Keep(ctx, groups)
			}}
		}, keep},
		{"groups kept in another order", func(d *Dense) *broken {
			return &broken{Dense: d, keep: func(ctx context.Context, groups []int) error {
				turned := make([]int, len(groups))
				for i, j := range groups {
					turned[len(groups)-1-i] = j
				}
				return d.Keep(ctx, turned)
			}}
		}, keep},
		{"list of groups changed", func(d *Dense) *broken {
			return &broken{Dense: d, keep: func(ctx context.Context, groups []int) error {
				err := d.Keep(ctx, groups)
				clear(groups)
				return err
			}}
		}, keep},
		{"curvature too small", func(d *Dense) *broken {
			return &broken{Dense: d, curvature: func(ctx context.Context, batch int, dst, v []float64) (float64, error) {
				weight, err := d.Curvature(ctx, batch, dst, v)
				add(dst, -0.02, dst)
				return weight, err
			}}
		}, curvature},
		{"curvature of a mean", func(d *Dense) *broken {
			return &broken{Dense: d, curvature: func(ctx context.Context, batch int, dst, v []float64) (float64, error) {
				weight, err := d.Curvature(ctx, batch, dst, v)
				add(dst, 1/weight-1, dst)
				return weight, err
			}}
		}, curvature},
		{"curvature without the intercept", func(d *Dense) *broken {
			return &broken{Dense: d, curvature: func(ctx context.Context, batch int, dst, v []float64) (float64, error) {
				weight, err := d.Curvature(ctx, batch, dst, v)
				dst[len(dst)-1] = 0
				return weight, err
			}}
		}, curvature},
		{"curvature of absolute values", func(d *Dense) *broken {
			return &broken{Dense: d, curvature: func(ctx context.Context, batch int, dst, v []float64) (float64, error) {
				weight, err := d.Curvature(ctx, batch, dst, v)
				for i := range dst {
					dst[i] = math.Abs(dst[i])
				}
				return weight, err
			}}
		}, curvature},
		{"context ignored", func(d *Dense) *broken {
			return &broken{Dense: d, eval: func(_ context.Context, batch int, grad, beta []float64) (float64, float64, error) {
				return d.Eval(context.Background(), batch, grad, beta)
			}}
		}, cancel},
		{"context ignored by Curvature", func(d *Dense) *broken {
			return &broken{Dense: d, curvature: func(_ context.Context, batch int, dst, v []float64) (float64, error) {
				return d.Curvature(context.Background(), batch, dst, v)
			}}
		}, cancel},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, logistic := range []bool{false, true} {
				fresh := func() anneal.Objective { return c.spoil(sample(anneal.Uniform(7, 3, 1), 2, logistic)) }
				s := source{rand.New(rand.NewPCG(22, 0)), fresh}
				found := false
				for range 5 {
					found = found || c.check(s) != nil
				}
				if !found {
					t.Errorf("not found, logistic %v", logistic)
				}
			}
		})
	}
}
