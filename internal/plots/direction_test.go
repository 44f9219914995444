package plots

import (
	"strings"
	"testing"
)

// Names of a script that is written from right to left are drawn in that direction, and do not change the order of the words
// beside them.
func TestDirection(t *testing.T) {
	for text, want := range map[string]string{
		"height (cm)":            "height (cm)",
		"אבג":                    "גבא",
		"אב גד":                  "דג בא",
		"adds to אבג":            "adds to גבא",
		Isolate("אבג") + " = 12": "גבא = 12",
		"אב 12 גד":               "דג 12 בא",
		"אב (גד) הו":             "וה (דג) בא",
		"א x ב":                  "א x ב",
		Isolate("אב") + " (21%)": "בא (21%)",
		Isolate("אב") + " × " + Isolate("גד"): "בא × דג",
	} {
		if got := visual(text); got != want {
			t.Errorf("%q is drawn as %q, not as %q", text, got, want)
		}
	}
	if got := Isolate("plain"); got != "plain" {
		t.Errorf("%q", got)
	}
	if got := Bare(Isolate("العمر")); got != "العمر" {
		t.Errorf("%q", got)
	}
}

// Long labels neither leave a chart without room nor overlap, and what follows a name is never cut.
func TestLongLabels(t *testing.T) {
	long := "a name that is so long that it does not fit beside any axis of any chart, whatever its size is"
	c := Chart{X: long, Y: long, Curves: []Curve{{X: []float64{-2e-9, 2e-9}, Y: []float64{-4e7, 4e7}}}}
	p := c.plot(nil, 270, 200)
	if p.X.Label.Text == long || p.Y.Label.Text == long {
		t.Errorf("labels are %q and %q", p.X.Label.Text, p.Y.Label.Text)
	}
	c = Chart{YNames: []string{long, "أ"}, YTails: []string{" = −1,234,567", " (21%)"}, YRange: [2]float64{-1.5, 0.5}, Bars: []Bar{{X1: 1, Y0: -0.3, Y1: 0.3, Tint: 1}}}
	for _, m := range c.plot(nil, 270, 200).Y.Tick.Marker.Ticks(-1.5, 0.5) {
		if got := Bare(m.Label); !strings.HasSuffix(got, c.YTails[int(-m.Value)]) {
			t.Errorf("a picture has %q", got)
		}
	}
	var words []string
	for _, w := range c.Inline(340, 200).Words {
		words = append(words, w.Text)
	}
	if !strings.HasSuffix(words[0], c.YTails[0]) || words[1] != Isolate("أ")+" (21%)" {
		t.Errorf("a page has %q", words)
	}
}
