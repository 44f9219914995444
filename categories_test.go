package fsa_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"fsa"
	"fsa/data"
	"fsa/model"
)

// Only the proportions of weights count, and rows of weight zero say nothing: also
// where categories have a ridge.
func TestCategoriesForgetTheUnitOfWeights(t *testing.T) {
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
