package model

import "testing"

func TestTieNote(t *testing.T) {
	rival := []StableRival{{Name: "local", Share: 1}}
	like := []StableRival{{Name: "charge", Share: 0.75, Correlation: 0.999}}
	for _, c := range []struct {
		ties []Tie
		want string
	}{
		{nil, ""},
		{[]Tie{{Name: "month", Rivals: rival}}, "selected by fewer than half of the folds: month (0%; local could stand in for it)"},
		{[]Tie{{Name: "minutes", Share: 0.2, Rivals: like}, {Name: "x", Share: 0.4}}, "selected by fewer than half of the folds: minutes (20%; charge could stand in for it, correlation 1.00), x (40%)"},
		{[]Tie{{Name: "y", Share: 0.4, Others: []string{"z", "w"}}, {Name: "x", Others: []string{}}}, "selected by fewer than half of the folds: y (40%; other folds have z instead), x (0%; other folds have nothing instead)"},
		{make([]Tie, 5), "selected by fewer than half of the folds:  (0%),  (0%),  (0%), and 2 more"},
	} {
		if got := (&Validation{Ties: c.ties}).TieNote(); got != c.want {
			t.Errorf("%+v: %q, want %q", c.ties, got, c.want)
		}
	}
}

func TestAbsentNote(t *testing.T) {
	m := &Model{spec: spec{Variables: []variable{{Name: "a", Kind: linear}}}}
	if got := m.AbsentNote(); got != "" {
		t.Errorf("without folds: %q", got)
	}
	m.spec.Validation = &Validation{Shares: map[string]float64{"a": 1, "b": 0.5}}
	if got := m.AbsentNote(); got != "" {
		t.Errorf("all of most folds are in the model: %q", got)
	}
	m.spec.Interactions = []interaction{{Sides: [2]side{{Name: "c"}, {Name: "d"}}}}
	m.spec.Validation.Shares = map[string]float64{"a": 1, "c": 1, "local": 1, "x": 0.6, "e": 0.8, "f": 0.7}
	if got, want := m.AbsentNote(), "selected by most of the folds, but not by the fit of all rows: local (100%), e (80%), f (70%), and 1 more"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
