package fit

import (
	"reflect"
	"strings"
	"testing"
	"time"

	"fsa/data"
	"fsa/internal/plan"
	"fsa/internal/search"
	"fsa/internal/tuning"
	"fsa/model"
)

// Every field of the validation but the half samples asks for cross-validation.
func TestAsked(t *testing.T) {
	if new(Validation).Asked() {
		t.Error("the zero value asks")
	}
	kind := reflect.TypeFor[Validation]()
	for i := range kind.NumField() {
		var v Validation
		switch f := reflect.ValueOf(&v).Elem().Field(i); f.Kind() {
		case reflect.Bool:
			f.SetBool(true)
		case reflect.Int:
			f.SetInt(2)
		case reflect.Float64:
			f.SetFloat(0.9)
		case reflect.String:
			f.SetString("x")
		default:
			f.Set(reflect.MakeSlice(f.Type(), 0, 0))
		}
		if name := kind.Field(i).Name; v.Asked() != (name != "Stability" && name != "Confidence") {
			t.Errorf("%s: %v", name, v.Asked())
		}
	}
}

// tableOf returns a table of zeros.
func tableOf(t *testing.T, rows, cols int) *data.Dataset {
	t.Helper()
	d, err := data.FromRows(nil, cols, make([]float64, rows*cols), make([]float64, rows))
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// A table is released only by a fit that does not read it again.
func TestDiscard(t *testing.T) {
	large, small := tableOf(t, tuning.MinibatchRows, 1), tableOf(t, 10, 1)
	quick := func(change func(s *Settings)) Settings {
		s := Settings{Request: plan.Request{K: 1, Quick: true}, Run: Run{Discard: true}}
		change(&s)
		return s
	}
	for name, c := range map[string]struct {
		s    Settings
		d    *data.Dataset
		want bool
	}{
		"quick":           {quick(func(*Settings) {}), small, true},
		"not to discard":  {quick(func(s *Settings) { s.Run.Discard = false }), small, false},
		"open":            {quick(func(s *Settings) { s.Request.K = 0 }), small, false},
		"interactions":    {quick(func(s *Settings) { s.Request.Interactions = search.Interactions{Most: 1} }), small, false},
		"constraints":     {quick(func(s *Settings) { s.Training.Constraints = make([]model.Constraint, 1) }), small, false},
		"stability":       {quick(func(s *Settings) { s.Validation.Stability = 1 }), small, false},
		"validation":      {quick(func(s *Settings) { s.Validation.Calibrate = true }), small, false},
		"deadline":        {quick(func(s *Settings) { s.Run.Deadline = time.Now() }), small, false},
		"contest of few":  {quick(func(s *Settings) { s.Request.Quick = false }), small, false},
		"contest of many": {quick(func(s *Settings) { s.Request.Quick = false }), large, false},
	} {
		s := c.s.forData(c.d)
		if s.Run.Discard != c.want || s.Response.Overwrite != c.want || s.Training.Design.Discard != c.want {
			t.Errorf("%s: discard %v, overwrite %v, %v, want %v", name, s.Run.Discard, s.Response.Overwrite, s.Training.Design.Discard, c.want)
		}
	}
}

// What several readers need is passed on to them.
func TestForData(t *testing.T) {
	d := tableOf(t, 10, 1)
	s := Settings{}.forData(d)
	if s.Training.Record != nil || s.Training.Unpooled || s.Request.Measure || s.Request.Folds != 0 || s.Request.CurvePriors || s.Request.Constrained != (plan.Constrained{}) {
		t.Errorf("%+v", s)
	}
	s = Settings{Validation: Validation{Folds: 4}, Request: plan.Request{Ridge: plan.None}, Run: Run{Deadline: time.Now()}}
	s.Training.CurvePriors = map[string]float64{"smooth": 1}
	s = s.forData(d)
	if s.Training.Record == nil || !s.Training.Unpooled || !s.Request.Measure || s.Request.Folds != 4 || !s.Request.CurvePriors {
		t.Errorf("%+v", s)
	}
}

// The plan names a few constraints, and knows whether some are for lines.
func TestConstrained(t *testing.T) {
	list := []model.Constraint{{Column: "a", Kind: model.Increasing}, {Column: "b", Kind: model.Concave}}
	if c := constrained(list); c.What != "a increasing, b concave" || c.Lines {
		t.Errorf("%+v", c)
	}
	for range 7 {
		list = append(list, model.Constraint{Column: "c", Kind: model.Nonnegative})
	}
	if c := constrained(list); !c.Lines || strings.Count(c.What, "c nonnegative") != 3 || strings.Count(c.What, "and others") != 1 {
		t.Errorf("%+v", c)
	}
}
