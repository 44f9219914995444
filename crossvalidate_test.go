package fsa_test

import (
	"math/rand/v2"
	"testing"

	"fsa"
	"fsa/data"
)

// Numbers stay numbers in folds that have seen two of them only.
func TestFoldsOfFewValues(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 8))
	var x, y []float64
	for i := range 20 {
		x, y = append(x, rng.NormFloat64(), rng.NormFloat64()), append(y, float64(1+i%2))
	}
	y[7] = 0
	d, err := data.FromRows(nil, 2, x, y)
	if err != nil {
		t.Fatal(err)
	}
	j, err := fsa.Prepare(background, d, fsa.Options{K: 1})
	if err != nil {
		t.Fatal(err)
	}
	folds, err := j.Folds(background)
	if err != nil {
		t.Fatal(err)
	}
	c, err := fsa.CrossValidate(background, d, fsa.Options{K: 1}, folds)
	if err != nil {
		t.Fatal(err)
	}
	for i, m := range c.Models {
		if m.Loss() != "squared" {
			t.Errorf("fold %d has the %s loss", i, m.Loss())
		}
	}
}
