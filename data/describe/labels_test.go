package describe

import (
	"slices"
	"testing"
)

// Names that differ only in case, spaces and punctuation are alike; numbers and different words are
// not.
func TestAlike(t *testing.T) {
	for _, c := range []struct {
		classes []string
		want    [][]string
	}{
		{[]string{"Yes", "no", "yes", "Y es"}, [][]string{{"Y es", "Yes", "yes"}}},
		{[]string{"a-b", "A B", "c", "C."}, [][]string{{"A B", "a-b"}, {"C.", "c"}}},
		{[]string{"-1", "1", "+1", "1.0", "10"}, nil},
		{[]string{"yes", "no"}, nil},
		{[]string{"да", "ДА"}, [][]string{{"ДА", "да"}}},
		{[]string{"?", "!", ""}, nil},
		{nil, nil},
	} {
		if got := alike(c.classes); !slices.EqualFunc(got, c.want, slices.Equal[[]string]) {
			t.Errorf("%q: %q, want %q", c.classes, got, c.want)
		}
	}
}

// Very many texts are hardly classes.
func TestManyTexts(t *testing.T) {
	counts := map[float64]int{}
	for i := range 150 {
		counts[float64(i)] = 1 + i%2
	}
	p, found := manyClasses("name", counts, len(counts))
	if want := "the target has 150 different texts, 75 of them in a single row"; !found || p.What != want || p.Column != "name" {
		t.Errorf("%+v, want %q", p, want)
	}
	if _, found := manyClasses("name", counts, 100); found {
		t.Error("100 classes are questioned")
	}
}
