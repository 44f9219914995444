package plots

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"
)

func svg(t *testing.T, s Sheet) string {
	t.Helper()
	var b bytes.Buffer
	if err := s.WriteSVG(&b); err != nil {
		t.Fatal(err)
	}
	for d := xml.NewDecoder(strings.NewReader(b.String())); ; {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			return b.String()
		} else if err != nil {
			t.Fatalf("not XML: %v", err)
		}
	}
}

// A picture depends on its numbers only, needs no fonts, and has a place for everything, whatever
// the numbers are.
func TestSheet(t *testing.T) {
	level := Curve{Name: "level", X: []float64{1, 10}, Y: []float64{0.5, 0.5}, Dots: true}
	steps := Curve{Name: "<steps>", X: []float64{0, 4, 10}, Y: []float64{90, 95, 100}, Steps: true}
	for name, charts := range map[string][]Chart{
		"log":        {{X: "N", Y: "AUC", LogX: true, Curves: []Curve{level, {Name: "one", X: []float64{1}, Y: []float64{0.5}}}}},
		"log point":  {{X: "N", Y: "s", LogX: true, LogY: true, Curves: []Curve{{Name: "one", X: []float64{0.01}, Y: []float64{0.02}}}}},
		"point":      {{X: "N", Y: "s", Curves: []Curve{{Name: "one", X: []float64{0}, Y: []float64{0}}}}},
		"two":        {{Title: "a", Curves: []Curve{level}}, {Title: "b", Curves: []Curve{steps}, YRange: [2]float64{80, 100}}},
		"three in 2": {{Curves: []Curve{level}}, {Curves: []Curve{steps}}, {Curves: []Curve{steps, {Name: "none"}}}},
	} {
		s := Sheet{Width: 240, Height: 200, Columns: 2, Charts: charts}
		doc := svg(t, s)
		if doc != svg(t, s) {
			t.Errorf("%s: two pictures of the same numbers differ", name)
		}
		for _, bad := range []string{"NaN", "Inf", "<text", "font-family", "href="} {
			if strings.Contains(doc, bad) {
				t.Errorf("%s: there is a %q", name, bad)
			}
		}
	}
}

// A name has one colour in all charts and a line in the legend, even without points.
func TestSheetColors(t *testing.T) {
	line := func(name string, points int) Curve {
		return Curve{Name: name, X: []float64{0, 1}[:points], Y: []float64{0, 1}[:points]}
	}
	doc := svg(t, Sheet{Width: 240, Height: 200, Charts: []Chart{
		{Curves: []Curve{line("a", 2), line("b", 0), line("c", 2)}},
		{Curves: []Curve{line("c", 2), line("b", 2)}},
	}})
	for color, want := range map[string]int{"#0072B2": 2, "#D55E00": 2, "#009E73": 3, "#CC79A7": 0} {
		if got := strings.Count(doc, "stroke:"+color); got != want {
			t.Errorf("%s is used %d times, want %d", color, got, want)
		}
	}
}

// An error of the writer is passed on.
func TestWriteReportsTheWriter(t *testing.T) {
	want := errors.New("disk full")
	s := Sheet{Width: 240, Height: 200, Charts: []Chart{{Curves: []Curve{{Name: "a", X: []float64{0, 1}, Y: []float64{0, 1}}}}}}
	if err := s.WriteSVG(failing{want}); !errors.Is(err, want) {
		t.Errorf("error %v, want %v", err, want)
	}
}

type failing struct{ err error }

func (f failing) Write([]byte) (int, error) { return 0, f.err }

// Letters that the font does not have are left to the reader's fonts, or are boxes: they do not
// vanish.
func TestForeignLetters(t *testing.T) {
	for _, format := range Formats() {
		draw := func(name string) string {
			var b bytes.Buffer
			s := Sheet{Width: 200, Height: 150, Charts: []Chart{{YNames: []string{name}, YRange: [2]float64{-0.5, 0.5}, Bars: []Bar{{X1: 1, Y0: -0.3, Y1: 0.3, Tint: 1}}}}}
			if err := s.WriteAs(&b, format); err != nil {
				t.Fatal(err)
			}
			return b.String()
		}
		if blank, foreign := draw("\u00a0\u00a0"), draw("身長"); blank == foreign || len(foreign) <= len(blank) {
			t.Errorf("%s: a name in Chinese is blank", format)
		}
	}
}
