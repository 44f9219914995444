package fsa_test

import (
	"bytes"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"fsa"
	"fsa/data"
	"fsa/data/open"
	"fsa/model"
)

// startTable returns a table of numbers and a text, in which every loss has a target.
func startTable(t *testing.T, roles open.Roles) *data.Dataset {
	t.Helper()
	roles.Drop = append(roles.Drop, "weight")
	for _, name := range []string{"counts", "over", "amounts", "claims", "number", "exposure"} {
		if name != roles.Target && name != roles.Offset {
			roles.Drop = append(roles.Drop, name)
		}
	}
	d, err := open.Table(background, "testdata/responses/table.csv", open.Options{}, roles)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// onlyColumns returns the table of a target with some of its columns.
func onlyColumns(t *testing.T, target string, drop ...string) *data.Dataset {
	t.Helper()
	return startTable(t, open.Roles{Target: target, Drop: drop})
}

// TestOffsetModel checks that a fit which starts from a model is the fit with its decision values as offsets, in the folds
// too, and that its file alone predicts the sum of both.
func TestOffsetModel(t *testing.T) {
	for name, c := range map[string]struct {
		target string
		first  fsa.Options
		o      fsa.Options
	}{
		"squared": {"number", fsa.Options{K: 1, Bins: fsa.None}, fsa.Options{}},
		"huber":   {"number", fsa.Options{K: 1, Loss: "huber"}, fsa.Options{K: 2, Loss: "huber", Validation: fsa.Validation{Folds: 3}}},
		"poisson": {"counts", fsa.Options{K: 1, Loss: "poisson", Bins: 4}, fsa.Options{K: 1, Loss: "poisson", Validation: fsa.Validation{Folds: 3}}},
		"gamma":   {"amounts", fsa.Options{K: 1, Loss: "gamma"}, fsa.Options{Loss: "gamma", Bins: fsa.None}},
	} {
		whole := startTable(t, open.Roles{Target: c.target})
		first := fit(t, onlyColumns(t, c.target, "x1", "x2"), c.first)
		o := c.o
		o.Objective.OffsetModel = first
		m := fit(t, whole, o)
		given, err := first.PredictDataset(background, whole)
		if err != nil {
			t.Fatal(err)
		}
		by, target := *whole, *whole.Target
		target.Offset, target.OffsetName = given.Decision, "start"
		by.Target = &target
		want := fit(t, &by, c.o)
		if !slices.EqualFunc(m.Selected(), want.Selected(), func(a, b model.Selected) bool {
			return a.Name == b.Name && slices.Equal(a.Coefficients, b.Coefficients)
		}) {
			t.Errorf("%s: selected %v, with offsets %v", name, m.Selected(), want.Selected())
		}
		if a, b := m.Validation(), want.Validation(); a == nil || !sameMetrics(a.Metrics, b.Metrics) || len(a.Points) != len(b.Points) {
			t.Errorf("%s: validation %+v, with offsets %+v", name, a, b)
		}
		if tr := m.Training(); tr.Offset != "" || !sameMetrics(tr.Metrics, want.Training().Metrics) {
			t.Errorf("%s: training %+v", name, tr)
		}
		expected, err := want.PredictDataset(background, &by)
		if err != nil {
			t.Fatal(err)
		}
		var file bytes.Buffer
		if _, err := m.WriteTo(&file); err != nil {
			t.Fatal(err)
		}
		read, err := model.Read(&file)
		if err != nil {
			t.Fatal(err)
		}
		got, err := read.PredictDataset(background, whole)
		if err != nil {
			t.Fatal(err)
		}
		for i, z := range got.Decision {
			if math.Abs(z-expected.Decision[i]) > 1e-12*(1+math.Abs(z)) {
				t.Fatalf("%s: row %d: decision value %v, want %v", name, i, z, expected.Decision[i])
			}
		}
	}
}

// sameMetrics compares metrics up to the rounding of sums.
func sameMetrics(a, b map[string]float64) bool {
	for name, v := range a {
		if math.Abs(v-b[name]) > 1e-12*(1+math.Abs(v)) {
			return false
		}
	}
	return len(a) == len(b)
}

// TestOffsetModelTwice starts from a model with an exposure, which counts once, and from a model that has started itself.
func TestOffsetModelTwice(t *testing.T) {
	roles := open.Roles{Target: "counts", Offset: "exposure", Exposure: true}
	d := startTable(t, roles)
	narrow := roles
	narrow.Drop = []string{"x1", "x2"}
	first := fit(t, startTable(t, narrow), fsa.Options{K: 1, Loss: "poisson"})
	o := fsa.Options{K: 1, Loss: "poisson"}
	o.Objective.OffsetModel = first
	second := fit(t, d, o)
	o.Objective.OffsetModel = second
	third := fit(t, d, o)
	if of := third.OffsetModel().OffsetModel(); of == nil || of.OffsetModel() != nil || of.Training().Exposure {
		t.Fatal("the third model does not contain the first one")
	}
	sum := 0.0 // decision values of all parts
	row := []float64{0.3, -1, 2, 5}
	names := []string{"x0", "x1", "x2", "exposure"}
	for _, m := range []*model.Model{first, second, third} {
		a := m.Additive()
		z := a.Intercept[0]
		for i, term := range a.Terms {
			z += m.Response(i, 0, []float64{row[slices.Index(names, term.Name)]})[0]
		}
		sum += z
	}
	p, err := third.PredictRows(names, row)
	if err != nil {
		t.Fatal(err)
	}
	if want := sum + math.Log(5); math.Abs(p.Decision[0]-want) > 1e-9 {
		t.Errorf("decision value %v, want %v", p.Decision[0], want)
	}
}

// TestOffsetModelRefused checks what a fit cannot start from.
func TestOffsetModelRefused(t *testing.T) {
	numbers, counts := startTable(t, open.Roles{Target: "number"}), startTable(t, open.Roles{Target: "counts"})
	exposed := startTable(t, open.Roles{Target: "counts", Offset: "exposure", Exposure: true})
	of := func(d *data.Dataset, o fsa.Options) *model.Model { return fit(t, d, o) }
	halves := *numbers.Target
	halves.Y = make([]float64, numbers.Rows())
	for i := range halves.Y {
		halves.Y[i] = float64(i % 2)
	}
	classes := *numbers
	classes.Target = &halves
	for says, c := range map[string]struct {
		first *model.Model
		d     *data.Dataset
		o     fsa.Options
	}{
		"on another scale":              {of(numbers, fsa.Options{K: 1}), counts, fsa.Options{K: 1, Loss: "poisson"}},
		"has several decision values":   {of(numbers, fsa.Options{K: 1, Loss: "quantile", Objective: fsa.Objective{Quantiles: []float64{0.2, 0.8}}}), numbers, fsa.Options{K: 1}},
		"the fit has several":           {of(numbers, fsa.Options{K: 1}), numbers, fsa.Options{K: 1, Loss: "quantile", Objective: fsa.Objective{Quantiles: []float64{0.2, 0.8}}}},
		`column "exposure": give it as`: {of(exposed, fsa.Options{K: 1, Loss: "poisson"}), counts, fsa.Options{K: 1, Loss: "poisson"}},
		"lacks what the model needs":    {of(numbers, fsa.Options{K: 3}), onlyColumns(t, "number", "x1"), fsa.Options{K: 1}},
		"of the same task":              {of(numbers, fsa.Options{K: 1}), &classes, fsa.Options{K: 1}},
	} {
		c.o.Objective.OffsetModel = c.first
		_, err := fsa.Fit(background, c.d, c.o)
		var bad *data.Error
		if err == nil || !strings.Contains(err.Error(), says) || !errors.Is(err, fsa.ErrOptions) && !errors.As(err, &bad) {
			t.Errorf("%q: %v", says, err)
		}
	}
}
