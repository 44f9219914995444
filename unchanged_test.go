package fsa_test

import (
	"bytes"
	"encoding/json"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"fsa"
	"fsa/data"
	"fsa/data/open"
	"fsa/internal/need"
	"fsa/model"
)

// learnedPart returns the bytes of a model without what was measured of it.
func learnedPart(t *testing.T, m *model.Model) []byte {
	t.Helper()
	var file bytes.Buffer
	if _, err := m.WriteTo(&file); err != nil {
		t.Fatal(err)
	}
	var of struct{ Model map[string]json.RawMessage }
	if err := json.Unmarshal(file.Bytes(), &of); err != nil {
		t.Fatal(err)
	}
	for _, measured := range []string{"training", "validation", "stability"} {
		delete(of.Model, measured)
	}
	if of.Model["variables"] == nil || of.Model["intercept"] == nil {
		t.Fatalf("the parts of a model are %v", slices.Collect(maps.Keys(of.Model)))
	}
	text, err := json.Marshal(of.Model)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// What is measured besides a model does not change it: half samples, confidence intervals, rivals, the reference and the
// losses of rows leave its terms and coefficients as they are, byte for byte, also if these have interactions or the huber
// loss. What an option cannot measure for such a model is left out.
func TestMeasuringChangesNothing(t *testing.T) {
	rng := rand.New(rand.NewPCG(need.Seed(t), 43))
	table := func(target func(row []float64, i int) float64) *data.Dataset {
		i := -1
		return rowsOf(t, 120, func(*rand.Rand) []float64 {
			row := []float64{rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()}
			i++
			return append(row, target(row, i))
		})
	}
	line := func(row []float64, _ int) float64 { return row[0] - row[1] + 0.5*rng.NormFloat64() }
	for name, c := range map[string]struct {
		d                *data.Dataset
		o                fsa.Options
		pairs            bool
		loss             string
		alone, uncertain bool // rivals and references, or confidence intervals, do not suit the task
	}{
		"numbers":       {d: table(line), loss: "squared"},
		"numbers, k":    {d: table(line), o: fsa.Options{K: 2}, loss: "squared"},
		"curves":        {d: table(line), o: fsa.Options{K: 2, Bins: 3}, loss: "squared"},
		"groups":        {d: table(line), o: fsa.Options{Selection: fsa.Selection{Groups: [][]string{{"0", "3"}}}}, loss: "squared"},
		"extreme":       {d: withTens(table(line)), loss: "huber"},
		"pairs":         {d: pairTable(t, 11, 200, 6, 1, 0.5, 0.5), pairs: true, loss: "squared"},
		"classes":       {d: table(func(row []float64, i int) float64 { return math.Round(1 / (1 + math.Exp(-line(row, i)))) }), loss: "logistic"},
		"many classes":  {d: table(func(row []float64, i int) float64 { return min(max(math.Round(line(row, i)), -1), 1) }), o: fsa.Options{K: 2, Loss: "multinomial"}, loss: "multinomial", uncertain: true},
		"counts":        {d: table(func(row []float64, i int) float64 { return math.Round(math.Exp(line(row, i) / 2)) }), o: fsa.Options{Loss: "poisson"}, loss: "poisson"},
		"survival":      {d: survivalTable(t, open.Roles{Target: "time", Event: "died", Drop: []string{"center"}}), loss: "cox", alone: true, uncertain: true},
		"pairs of rows": {d: table(line), o: fsa.Options{K: 2, Loss: "rank"}, loss: "rank", alone: true, uncertain: true},
	} {
		plain := fit(t, c.d, c.o)
		if plain.Loss() != c.loss || c.pairs != (len(plain.Interactions()) > 0) {
			t.Fatalf("%s: the %s loss, interactions %v", name, plain.Loss(), pairsOf(plain))
		}
		want := learnedPart(t, plain)
		for option, v := range map[string]fsa.Validation{
			"stability": {Stability: 2}, "rivals": {Rivals: true}, "confidence": {Stability: 2, Confidence: 0.9}, "reference": {Reference: "ridge"}, "losses": {Losses: true},
		} {
			if c.alone && (option == "reference" || option == "losses") || c.uncertain && option == "confidence" {
				continue
			}
			o := c.o
			o.Validation = v
			m := fit(t, c.d, o)
			if !bytes.Equal(learnedPart(t, m), want) {
				t.Errorf("%s: %s makes another model", name, option)
			}
			s, won := m.Stability(), m.Validation()
			switch sure := len(m.Selected()) > 0; {
			case v.Stability > 0 && sure && (s == nil || (s.Confidence > 0) != (v.Confidence > 0 && !c.pairs && c.loss != "huber")):
				t.Errorf("%s: %s: %+v", name, option, s)
			case v.Rivals && sure && (won.Near == nil) != c.pairs:
				t.Errorf("%s: %s: %+v", name, option, won.Near)
			case v.Reference != "" && won.Reference == nil:
				t.Errorf("%s: there is no reference", name)
			}
		}
	}
}

// withTens returns a table in which every fortieth target is far away.
func withTens(d *data.Dataset) *data.Dataset {
	for i := 0; i < d.Rows(); i += 40 {
		d.Target.Y[i] = 100
	}
	return d
}
