package fsa_test

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"fsa"
	"fsa/data/synth"
	"fsa/model"
)

// Of two measurements of one quantity, either could stand in for the other; a variable of its own is indispensable, and one
// without effect is marginal. That holds for numbers and classes, lines and curves.
func TestRivals(t *testing.T) {
	for _, classes := range []bool{false, true} {
		for _, bins := range []int{fsa.None, 4} {
			d := rowsOf(t, 400, func(rng *rand.Rand) []float64 {
				r := make([]float64, 13)
				for j := range r {
					r[j] = rng.NormFloat64()
				}
				r[1] = r[0] + 0.01*r[1]
				y := 2*r[0] + 2*r[2] + 0.5*r[12]
				if r[12] = y; classes {
					r[12] = 0
					if y > 0 {
						r[12] = 1
					}
				}
				return r
			})
			k := 2
			if !classes && bins == fsa.None {
				k = 3
			}
			m, err := fsa.Fit(t.Context(), d, fsa.Options{K: k, Bins: bins, Validation: fsa.Validation{Rivals: true}})
			if err != nil {
				t.Fatal(err)
			}
			ties := m.Validation().Ties
			if len(ties) != k || m.Validation().TieNote() != "" {
				t.Fatalf("%+v", ties)
			}
			for _, tie := range ties {
				want := map[string]string{"x0": model.Interchangeable, "x1": model.Interchangeable, "x2": model.Indispensable}[tie.Name]
				if want == "" {
					want = model.Marginal
				}
				twin := map[string]string{"x0": "x1", "x1": "x0"}[tie.Name]
				if tie.Verdict() != want || twin != "" && (len(tie.Equals()) != 1 || tie.Rivals[0].Name != twin || !(tie.Rivals[0].Correlation > 0.99)) || len(tie.Rivals) != 3 {
					t.Errorf("classes %v, %d bins: %s is %s, not %s: %+v", classes, bins, tie.Name, tie.Verdict(), want, tie)
				}
			}
		}
	}
}

// Rivals do not depend on threads and do not change the model, and a file keeps them.
func TestRivalsOnThreads(t *testing.T) {
	d := made(t, synth.Config{N: 150, M: 30, K: 3, Rho: 0.5, Noise: 0.1})
	var files [2]bytes.Buffer
	for i, threads := range []int{1, 3} {
		m, err := fsa.Fit(t.Context(), d, fsa.Options{K: 4, Validation: fsa.Validation{Rivals: true}, Run: fsa.Run{Threads: threads}})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := m.WriteTo(&files[i]); err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(files[0].Bytes(), files[1].Bytes()) {
		t.Error("the model depends on the number of threads")
	}
	m, err := model.Read(&files[0])
	if err != nil || len(m.Validation().Ties) != 4 || m.Validation().Ties[0].Without == nil {
		t.Fatalf("%v", err)
	}
	plain, err := fsa.Fit(t.Context(), d, fsa.Options{K: 4, Validation: fsa.Validation{Always: true}})
	if err != nil {
		t.Fatal(err)
	}
	for i, v := range plain.Selected() {
		if other := m.Selected()[i]; v.Name != other.Name || v.Coefficients[0] != other.Coefficients[0] {
			t.Errorf("%s has coefficient %v with rivals, and %s %v without", other.Name, other.Coefficients, v.Name, v.Coefficients)
		}
	}
}

func TestRivalsRefuse(t *testing.T) {
	d := made(t, synth.Config{N: 60, M: 10, K: 2})
	o := fsa.Options{K: 2, Bins: 4, Validation: fsa.Validation{Rivals: true}, Objective: fsa.Objective{CurvePriors: map[string]float64{"smooth": 1}}}
	if _, err := fsa.Fit(t.Context(), d, o); !errors.Is(err, fsa.ErrOptions) || !strings.Contains(err.Error(), "rivals need a model") {
		t.Errorf("%v", err)
	}
}
