package fsa_test

import (
	"bytes"
	"testing"

	"fsa"
	"fsa/data/synth"
)

// Points of the curve are reported fold by fold. In the end, every size of the evidence was reported for all folds, with an
// error that is not larger than there. The model is the same as without Run.Curve.
func TestCurveIsTold(t *testing.T) {
	for _, measure := range []string{"", "auc"} {
		d := made(t, synth.Config{N: 120, M: 30, K: 3, Seed: 4})
		told, partial, begun := map[int]fsa.CurvePoint{}, 0, 0
		o := fsa.Options{Validation: fsa.Validation{Folds: 4, Measure: measure}, Run: fsa.Run{Threads: 2}}
		silent := fit(t, d, o)
		o.Run.Curve = func(p fsa.CurvePoint) {
			if p.First {
				begun++
			}
			if p.Folds < p.Of {
				partial++
			}
			if p.Of != 4 || p.Folds < 1 || p.Folds > 4 || p.Folds == 1 && p.SE != 0 {
				t.Errorf("told of %+v", p)
			}
			told[p.Size] = p
		}
		m := fit(t, d, o)
		if !bytes.Equal(modelBytes(t, silent), modelBytes(t, m)) {
			t.Error("the model depends on whether Run.Curve is set")
		}
		v := m.Validation()
		for _, p := range v.Points {
			got := told[p.Size]
			worse := got.Mean - p.Mean
			if measure == "auc" {
				worse = -worse
			}
			if got.Folds != 4 || got.Measure != v.Measure || worse > 1e-12 && !(v.Swapped && p.Size == v.Chosen) {
				t.Errorf("%s: reported %+v for the point %+v", v.Measure, got, p)
			}
		}
		if begun != 1 || partial < 3*len(v.Points) {
			t.Errorf("%d curves began, and %d points were reported before they were complete", begun, partial)
		}
	}
}
