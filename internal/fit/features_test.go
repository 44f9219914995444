package fit

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"fsa/data"
	"fsa/internal/need"
	"fsa/internal/search"
)

// features makes tables of normal columns and, at the end, a column of texts.
type features struct {
	*rand.Rand
	rows, cols int
	x          []float64
	vectors    int // number of vectors that were made
}

func newFeatures(seed uint64, rows, cols int) *features {
	f := &features{Rand: rand.New(rand.NewPCG(seed, 42)), rows: rows, cols: cols}
	for i := range rows * cols {
		v := f.NormFloat64()
		if i%cols == cols-1 {
			v = float64(f.IntN(4))
		}
		f.x = append(f.x, v)
	}
	return f
}

// row returns a row of the table.
func (f *features) row(i int) []float64 { return f.x[i*f.cols : (i+1)*f.cols] }

// vector returns a value for each row.
func (f *features) vector(of func(row []float64) float64) *data.Vector {
	f.vectors++
	v := &data.Vector{Name: fmt.Sprint("y", f.vectors)}
	for i := range f.rows {
		v.Values = append(v.Values, of(f.row(i)))
	}
	return v
}

// line returns a linear effect plus noise.
func (f *features) line(row []float64) float64 { return 2*row[0] - 2*row[1] + 0.5*f.NormFloat64() }

// dataset returns the table with a target and other roles.
func (f *features) dataset(t *testing.T, roles data.Roles) *data.Dataset {
	t.Helper()
	schema := &data.Schema{Width: f.cols, Categories: map[int][]string{f.cols - 1: {"a", "b", "c", "d"}}}
	b := data.NewBuilder("features", schema, roles)
	if err := b.Add(&data.Block{Rows: f.rows, Dense: f.x}); err != nil {
		t.Fatal(err)
	}
	d, err := b.Dataset(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// Fits with pairs, curves, texts, weights, and every kind of response run the same procedure as their folds and half samples.
func TestProcedureOfFeatures(t *testing.T) {
	seed := need.Seed(t)
	target := func(v *data.Vector) data.Roles { return data.Roles{TargetVector: v} }
	anything := func(r search.Recipe) bool { return r != search.Recipe{} }
	sign := func(v float64) float64 { return math.Copysign(1, v) }
	for name, c := range map[string]struct {
		loss   string
		roles  func(f *features) data.Roles
		change func(o *Settings)
		has    func(search.Recipe) bool // what the recipe must have, so that the case is one
	}{
		"pairs that are asked for": {"squared", func(f *features) data.Roles {
			return target(f.vector(func(row []float64) float64 { return f.line(row) + 2*row[0]*row[1] }))
		}, func(o *Settings) {
			o.Request.K, o.Request.Interactions = 3, search.Interactions{Most: math.MaxInt32, Heredity: search.Strong}
		}, func(r search.Recipe) bool { return r.Select.Interactions.Most > 0 }},
		"pairs by contest": {"logistic", func(f *features) data.Roles {
			return target(f.vector(func(row []float64) float64 { return sign(row[0]*row[1] + 0.1*f.NormFloat64()) }))
		}, func(o *Settings) { o.Request.Pairs = true }, func(r search.Recipe) bool { return r.Select.Interactions.Most > 0 }},
		"curves by contest": {"squared", func(f *features) data.Roles {
			return target(f.vector(func(row []float64) float64 { return row[0]*row[0] + 0.1*f.NormFloat64() }))
		}, func(o *Settings) { o.Request.K = 1 }, func(r search.Recipe) bool { return r.Select.Bins > 0 }},
		"texts": {"squared", func(f *features) data.Roles {
			return target(f.vector(func(row []float64) float64 { return row[0] + row[len(row)-1] + 0.5*f.NormFloat64() }))
		}, nil, anything},
		"weights": {"squared", func(f *features) data.Roles {
			roles := target(f.vector(f.line))
			roles.WeightVector = f.vector(func([]float64) float64 { return float64(f.IntN(3)) })
			return roles
		}, nil, anything},
		"offsets": {"poisson", func(f *features) data.Roles {
			roles := target(f.vector(func(row []float64) float64 { return math.Floor(math.Exp(f.line(row))) }))
			roles.OffsetVector = f.vector(func(row []float64) float64 { return 0.1 * row[0] })
			return roles
		}, func(o *Settings) { o.Request.K = 2 }, anything},
		"two classes": {"", func(f *features) data.Roles {
			return target(f.vector(func(row []float64) float64 { return sign(f.line(row)) }))
		}, func(o *Settings) { o.Request.K = 2 }, anything},
		"amounts": {"gamma", func(f *features) data.Roles {
			return target(f.vector(func(row []float64) float64 { return math.Exp(f.line(row)) }))
		}, func(o *Settings) { o.Request.K = 2 }, anything},
		"ordered classes": {"ordinal", func(f *features) data.Roles {
			return target(f.vector(func(row []float64) float64 { return math.Round(min(max(f.line(row), -1), 1)) }))
		}, func(o *Settings) { o.Request.K = 2 }, anything},
		"quantiles": {"quantile", func(f *features) data.Roles { return target(f.vector(f.line)) }, func(o *Settings) {
			o.Response.Quantiles = []float64{0.2, 0.5, 0.8}
		}, anything},
		"survival": {"cox", func(f *features) data.Roles {
			roles := target(f.vector(func(row []float64) float64 { return math.Exp(f.line(row)) }))
			roles.EventVector = f.vector(func([]float64) float64 { return float64(f.IntN(2)) })
			return roles
		}, nil, anything},
		"several targets": {"multitarget", func(f *features) data.Roles {
			return data.Roles{TargetVectors: []*data.Vector{f.vector(f.line), f.vector(func(row []float64) float64 { return f.line(row) + row[2] })}}
		}, nil, anything},
		"several labels": {"multilabel", func(f *features) data.Roles {
			label := func(row []float64) float64 { return max(sign(f.line(row)), 0) }
			return data.Roles{TargetVectors: []*data.Vector{f.vector(label), f.vector(label)}}
		}, nil, anything},
		"queries": {"rank", func(f *features) data.Roles {
			roles := target(f.vector(func(row []float64) float64 { return math.Round(f.line(row)) }))
			at := 0
			roles.QueryVector = f.vector(func([]float64) float64 { at++; return float64(at / 6) })
			return roles
		}, func(o *Settings) { o.Request.K = 2 }, anything},
	} {
		f := newFeatures(seed, 150, 5)
		o := settingsOf(c.loss)
		if o.Request.Iterations, o.Training.Seed = 60, seed; c.change != nil {
			c.change(&o)
		}
		if o.Request.K == 0 {
			o.Validation.Folds = 3
		}
		recipe, list := compared(t, f.dataset(t, c.roles(f)), o)
		if !c.has(recipe) {
			list = append(list, fmt.Sprintf("the recipe is %v", recipe))
		}
		for _, what := range list {
			t.Errorf("%s, seed %d: %s", name, seed, what)
		}
	}
}
