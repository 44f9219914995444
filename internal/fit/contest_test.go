package fit

import (
	"math"
	"testing"

	"fsa/data"
)

// Folds are compared with caution by the logistic loss of two classes, and race if rows are judged by a loss of their own.
func TestContestFold(t *testing.T) {
	for name, c := range map[string]struct {
		loss, measure string
		caution, race bool
		nats          float64
	}{
		"two classes":           {loss: "logistic", caution: true, race: true},
		"measured two classes":  {loss: "logistic", measure: "auc"},
		"classes by the margin": {loss: "svm", race: true},
		"numbers":               {loss: "squared", race: true},
		"measured numbers":      {loss: "squared", measure: "mae"},
		"survival":              {loss: "cox", nats: 20}, // as many as events
		"measured survival":     {loss: "cox", measure: "concordance"},
	} {
		f := newFeatures(1, 40, 3)
		target := f.vector(func(row []float64) float64 { return f.line(row) })
		for i, v := range target.Values {
			switch c.loss {
			case "logistic", "svm":
				target.Values[i] = math.Copysign(1, v)
			case "cox":
				target.Values[i] = math.Exp(v)
			}
		}
		roles := data.Roles{TargetVector: target}
		if c.loss == "cox" {
			roles.EventVector = f.vector(func([]float64) float64 { return 1 })
			for i := range 20 {
				roles.EventVector.Values[2*i] = 0
			}
		}
		o := settingsOf(c.loss)
		o.Validation.Measure, o.Request.K = c.measure, 1
		j, err := Prepare(t.Context(), f.dataset(t, roles), o)
		if err != nil {
			t.Fatal(err)
		}
		defer j.Close()
		fold := j.contestFold(j.Whole, []int{1, 2})
		if (fold.Caution != nil) != c.caution || (fold.Gain != nil) != c.race {
			t.Errorf("%s: caution %v, race %v", name, fold.Caution != nil, fold.Gain != nil)
		}
		if got := j.nats(); got != c.nats {
			t.Errorf("%s: %v nats, not %v", name, got, c.nats)
		}
		z := []float64{0.5, -2}
		if c.caution {
			if got, want := fold.Caution(z), (target.Values[1]*0.5-target.Values[2]*2)/2/42; math.Abs(got-want) > 1e-12 {
				t.Errorf("%s: %v is added, not %v", name, got, want)
			}
		}
		if c.race {
			if gain := fold.Gain(z, z); gain.Rows != 2 || gain.Sum != 0 {
				t.Errorf("%s: a gain of %+v", name, gain)
			}
		}
	}
}
