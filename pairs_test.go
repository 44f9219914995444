package fsa_test

import (
	"bytes"
	"math"
	"math/rand/v2"
	"testing"

	"fsa"
	"fsa/data"
)

// If k is open, interactions compete with variables alone: they are selected if there are any, unless they are switched off.
func TestInteractionsByContest(t *testing.T) {
	for name, c := range map[string]struct {
		pairs int
		main  float64
		o     fsa.Options
		want  int
	}{
		"a pair":       {1, 0.5, fsa.Options{}, 1},
		"two pairs":    {2, 0.5, fsa.Options{}, 2},
		"switched off": {1, 0.5, fsa.Options{Selection: fsa.Selection{Interactions: fsa.Interactions{None: true}}}, 0},
		"lines":        {1, 0.5, fsa.Options{Bins: fsa.None}, 0},
		"k given":      {1, 0.5, fsa.Options{K: 3}, 0},
		"none":         {0, 0, fsa.Options{}, 0},
	} {
		if m := fit(t, pairTable(t, 11, 300, 6, c.pairs, c.main, 0.5), c.o); len(m.Interactions()) != c.want {
			t.Errorf("%s: %v", name, pairsOf(m))
		}
	}
}

// bentPair returns a table with a variable of which the effect is a wave, a product of two others, and noise.
func bentPair(t *testing.T, seed uint64, rows int) *data.Dataset {
	t.Helper()
	rng := rand.New(rand.NewPCG(seed, 3))
	var x, y []float64
	for range rows {
		r := []float64{rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()}
		x, y = append(x, r...), append(y, 2*math.Sin(2*r[0])+r[1]*r[2]+0.3*rng.NormFloat64())
	}
	d, err := data.FromRows(nil, 5, x, y)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// Variables of an interaction may have curves, in the contest and if the number of bins is given. The model is the same for
// any number of threads, and predicts other rows.
func TestInteractionsOfCurves(t *testing.T) {
	find := fsa.Selection{Interactions: fsa.Interactions{Find: true}}
	fresh := bentPair(t, 2, 500)
	for name, o := range map[string]fsa.Options{
		"by contest": {},
		"asked for":  {Selection: find},
		"k given":    {K: 4, Selection: find},
		"bins given": {K: 4, Bins: 10, Selection: find},
	} {
		var files [2]bytes.Buffer
		for i := range files {
			o.Run.Threads = 1 + 2*i
			m := fit(t, bentPair(t, 1, 600), o)
			if _, err := m.WriteTo(&files[i]); err != nil {
				t.Fatal(err)
			}
			if got := pairsOf(m); len(got) != 1 || got[0] != [2]int{1, 2} {
				t.Fatalf("%s: %v", name, got)
			}
			p, err := m.PredictDataset(t.Context(), fresh)
			if err != nil {
				t.Fatal(err)
			}
			scores, err := p.Metrics(fresh.Target)
			if err != nil {
				t.Fatal(err)
			}
			if scores["r2"] < 0.9 {
				t.Errorf("%s: R² %v", name, scores["r2"])
			}
		}
		if !bytes.Equal(files[0].Bytes(), files[1].Bytes()) {
			t.Errorf("%s: 3 threads make another model than 1", name)
		}
	}
}
