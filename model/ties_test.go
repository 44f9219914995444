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
		{make([]Tie, 5), "selected by fewer than half of the folds:  (0%),  (0%),  (0%), and 2 more"},
	} {
		if got := (&Validation{Ties: c.ties}).TieNote(); got != c.want {
			t.Errorf("%+v: %q, want %q", c.ties, got, c.want)
		}
	}
}
