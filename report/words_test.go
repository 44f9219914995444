package report

import (
	"strings"
	"testing"

	"fsa/internal/plots"
)

// Numbers are written for people, and names are left as they are: the hyphen of a class is no minus sign.
func TestReadable(t *testing.T) {
	for text, want := range map[string]string{
		"-0.145, -1532.9":    "−0.145, −1532.9",
		"26398900":           "26,398,900",
		"red-backed shrike":  "red-backed shrike",
		"one, two-three, -4": "one, two-three, -4",
		"עיר":                plots.Isolate("עיר"),
	} {
		if got := readableList(text); got != want {
			t.Errorf("%q is written as %q, not as %q", text, got, want)
		}
	}
	for _, c := range []struct{ mean, sd, want float64 }{{-0.21983, 2.27, -0.22}, {1680.3, 726, 1680}, {0.0000049256, 0.000102, 0.000005}, {5, 0, 5}} {
		if got := asExact(c.mean, c.sd); abs(got-c.want) > 1e-12 {
			t.Errorf("mean %v with standard deviation %v is written as %v, not as %v", c.mean, c.sd, got, c.want)
		}
	}
	if got := brief(3.66e13); got != "3.66×10¹³" {
		t.Errorf("a squared error is written as %s", got)
	}
}

// A prediction names its class without a change, a label has all of its value, and sentences isolate names that are written from right
// to left.
func TestNamesAsTheyAre(t *testing.T) {
	name := "the number of visits to the library in the past twelve months"
	r := &Run{Model: Model{Task: Classification, Classes: []string{"red-backed shrike", "b", "c"}, Names: []string{"red-backed shrike", "b", "c"}, Outputs: 3, Columns: 2,
		Variables: []Variable{{Name: "עיר", Kind: KindLinear, Coefficients: [][]float64{{1}, {2}, {3}}}}},
		Examples: &Examples{Names: []string{name}, Intercept: []float64{0, 0, 0}, Rows: []Example{{Row: 1, Says: "red-backed shrike (probability 0.856)", Target: "red-backed shrike", Class: "red-backed shrike", Values: []string{"-2796580000"}, Adds: []float64{1}}}}}
	f := exampleFigures(r)[0]
	if !strings.HasPrefix(f.Caption, "Predicted red-backed shrike (probability 0.856); true value red-backed shrike") {
		t.Error(f.Caption)
	}
	found := false
	for _, w := range newFigure(f).Wide.Words {
		found = found || strings.HasSuffix(w.Text, " = −2,796,580,000") && strings.HasPrefix(w.Text, "the")
	}
	if !found {
		t.Error("the value of a long name is cut")
	}
	if text := r.strongest(); !strings.Contains(text, ": "+plots.Isolate("עיר")) {
		t.Errorf("%q", text)
	}
}
