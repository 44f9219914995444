package fsa_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"fsa"
	"fsa/data"
	"fsa/internal/need"
	"fsa/model"
)

// Only the proportions of weights matter, and rows of weight zero have no influence, also if categories have a ridge.
func TestCategoriesForgetTheUnitOfWeights(t *testing.T) {
	need.Long(t)
	const rows, levels, seed = 300, 100, 1
	rng := rand.New(rand.NewPCG(seed, 2))
	texts := make([]string, levels)
	for l := range texts {
		texts[l] = fmt.Sprintf("t%d", l)
	}
	var cells, y []float64
	for i := range rows {
		x := rng.NormFloat64()
		cells = append(cells, float64(i%levels), x)
		y = append(y, x+rng.NormFloat64())
	}
	fit := func(cells, y, weight []float64) *model.Model {
		schema := &data.Schema{Width: 2, Names: []string{"text", "number"}, Categories: map[int][]string{0: texts}}
		b := data.NewBuilder("rows", schema, data.Roles{TargetVector: &data.Vector{Values: y}, WeightVector: &data.Vector{Values: weight}})
		if err := b.Add(&data.Block{Rows: len(y), Dense: cells}); err != nil {
			t.Fatal(err)
		}
		d, err := b.Dataset(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		m, err := fsa.Fit(t.Context(), d, fsa.Options{K: 2})
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	ones := slices.Repeat([]float64{1}, rows)
	want := fit(cells, y, ones).Selected()
	for name, m := range map[string]*model.Model{
		"weights of 1024":        fit(cells, y, slices.Repeat([]float64{1024}, rows)),
		"rows without weight":    fit(slices.Concat(cells, cells), slices.Concat(y, make([]float64, rows)), slices.Concat(ones, make([]float64, rows))),
		"the first rows without": fit(slices.Concat(cells, cells), slices.Concat(make([]float64, rows), y), slices.Concat(make([]float64, rows), ones)),
	} {
		for i, v := range m.Selected() {
			if v.Name != want[i].Name || math.Abs(v.Norm-want[i].Norm) > 1e-3*want[i].Norm {
				t.Errorf("%s: %s has strength %v, with weights of 1 %s has %v (seed %d)", name, v.Name, v.Norm, want[i].Name, want[i].Norm, seed)
			}
		}
	}
}

// A column with many categories fits noise. It must not be preferred to an informative number for that reason, but must be
// selected if its categories have effects.
func TestTextsOfManyCategories(t *testing.T) {
	const rows, categories = 2000, 400
	texts := make([]string, categories)
	for c := range texts {
		texts[c] = fmt.Sprintf("store %d", c)
	}
	seeds := need.Sweep[uint64](2, 6)
	if testing.Short() {
		seeds = 1
	}
	for seed := range seeds {
		for _, matters := range []bool{false, true} {
			rng := rand.New(rand.NewPCG(seed, 3))
			effect := make([]float64, categories)
			for c := range effect {
				effect[c] = rng.NormFloat64()
			}
			var cells, y []float64
			for range rows {
				store := rng.IntN(categories)
				a, b, noise := rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()
				cells = append(cells, a, b, float64(store), noise)
				signal := 0.35 * (a + b)
				if matters {
					signal = 0.7*effect[store] + 0.35*a
				}
				y = append(y, signal+rng.NormFloat64())
			}
			schema := &data.Schema{Width: 4, Names: []string{"a", "b", "store", "noise"}, Categories: map[int][]string{2: texts}}
			d := tableOf(t, schema, cells, y)
			m, err := fsa.Fit(t.Context(), d, fsa.Options{K: 2})
			if err != nil {
				t.Fatal(err)
			}
			want := []string{"a", "b"}
			if matters {
				want = []string{"a", "store"}
			}
			var got []string
			for _, v := range m.Selected() {
				got = append(got, v.Name)
			}
			if slices.Sort(got); !slices.Equal(got, want) {
				t.Errorf("seed %d, categories matter: %v: selected %v, want %v", seed, matters, got, want)
			}
		}
	}
}

// tableOf makes a dataset of rows of cells.
func tableOf(t *testing.T, schema *data.Schema, cells, y []float64) *data.Dataset {
	t.Helper()
	b := data.NewBuilder("rows", schema, data.Roles{TargetVector: &data.Vector{Values: y}})
	if err := b.Add(&data.Block{Rows: len(y), Dense: cells}); err != nil {
		t.Fatal(err)
	}
	d, err := b.Dataset(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// Many categorical columns with small effects add up: cross-validation finds that the prior on their categories is too
// strong.
func TestValidationChoosesPooling(t *testing.T) {
	need.Long(t)
	const rows, fresh, texts, categories, effect, seed = 1900, 4000, 20, 8, 0.07, 7
	rng := rand.New(rand.NewPCG(seed, 4))
	schema := &data.Schema{Width: texts, Categories: map[int][]string{}}
	effects := make([][]float64, texts)
	for j := range texts {
		schema.Names = append(schema.Names, fmt.Sprintf("text%d", j))
		for c := range categories {
			schema.Categories[j] = append(schema.Categories[j], fmt.Sprintf("level %d", c))
			effects[j] = append(effects[j], effect*rng.NormFloat64())
		}
	}
	table := func(n int) (d *data.Dataset, y []float64, explained float64) {
		var cells []float64
		var signal, all float64
		for range n {
			z := 0.0
			for j := range texts {
				c := rng.IntN(categories)
				cells = append(cells, float64(c))
				z += effects[j][c]
			}
			y = append(y, z+rng.NormFloat64())
			signal += z * z
			all += y[len(y)-1] * y[len(y)-1]
		}
		b := data.NewBuilder("rows", schema, data.Roles{TargetVector: &data.Vector{Values: y}})
		if err := b.Add(&data.Block{Rows: n, Dense: cells}); err != nil {
			t.Fatal(err)
		}
		d, err := b.Dataset(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return d, y, signal / all
	}
	train, _, _ := table(rows)
	m, err := fsa.Fit(t.Context(), train, fsa.Options{K: texts})
	if err != nil {
		t.Fatal(err)
	}
	test, y, truth := table(fresh)
	p, err := m.PredictDataset(t.Context(), test)
	if err != nil {
		t.Fatal(err)
	}
	var left, all float64
	for i, v := range y {
		left += (v - p.Decision[i]) * (v - p.Decision[i])
		all += v * v
	}
	if r2 := 1 - left/all; r2 < truth/3 { // with the full prior it is a quarter
		t.Errorf("R² of new rows is %.3f, that of the true effects %.3f (seed %d)", r2, truth, seed)
	}
}
