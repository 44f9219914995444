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
