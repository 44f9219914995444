package fsa_test

import (
	"math/rand/v2"
	"testing"

	"fsa"
)

// A numeric target stays numeric in folds whose training rows have only two values of it.
func TestFoldsOfFewValues(t *testing.T) {
	y := []float64{0}
	for i := range 20 {
		y = append(y, float64(1+i%2))
	}
	d := rowsOf(t, len(y), func(rng *rand.Rand) []float64 {
		last := y[len(y)-1]
		y = y[:len(y)-1]
		return []float64{rng.NormFloat64(), rng.NormFloat64(), last}
	})
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
