package data_test

import (
	"testing"

	"fsa/data"
)

func TestNearest(t *testing.T) {
	among := []string{"price", "Zip Code", "a", "b"}
	for name, want := range map[string]string{"Price": "price", "prise": "price", "pirce": "price", "zip code": "Zip Code", "B": "b", "z": "", "cost": "", "": ""} {
		if got := data.Nearest(name, among); got != want {
			t.Errorf("%q may be %q, not %q", name, got, want)
		}
	}
	for name, want := range map[string]string{"foo": "", "cix": "cox"} {
		if got := data.Nearest(name, []string{"cox"}); got != want {
			t.Errorf("%q may be %q, not %q", name, got, want)
		}
	}
}
