package plots

import (
	"math"
	"strconv"
	"strings"
	"testing"
)

// A chart on a page stays within its picture, whatever its numbers are, and has only numbers that a
// browser can parse.
func TestInline(t *testing.T) {
	for name, c := range map[string]Chart{
		"empty":  {X: "x", Y: "y"},
		"level":  {Curves: []Curve{{X: []float64{1, 2}, Y: []float64{5, 5}}}},
		"point":  {Curves: []Curve{{X: []float64{1}, Y: []float64{5}, Dots: true, Tips: []string{"tip"}}}},
		"log":    {LogX: true, LogY: true, Curves: []Curve{{X: []float64{0, 1, 1e6}, Y: []float64{0, 1e-3, 1}}}},
		"huge":   {Curves: []Curve{{X: []float64{-1e300, 1e300}, Y: []float64{math.MaxFloat64, 0}}}},
		"nan":    {Curves: []Curve{{X: []float64{0, 1}, Y: []float64{math.NaN(), math.Inf(1)}}}},
		"band":   {Curves: []Curve{{X: []float64{0, 1}, Y: []float64{1, 2}, Low: []float64{0, 1}, High: []float64{2, 3}}}},
		"bars":   {YNames: []string{"a", strings.Repeat("long ", 50)}, YRange: [2]float64{-1.5, 0.5}, Bars: []Bar{{X1: 1, Y0: -0.3, Y1: 0.3, Tint: 1}, {X0: -1, Y0: -1.3, Y1: -0.7, Tint: Dull}}},
		"ruled":  {XRange: [2]float64{0, 1}, YRange: [2]float64{0, 1}, Rules: []Rule{{Diagonal: true}, {At: 0.99, Vertical: true, Label: "label"}, {At: 0.5, Label: "other"}}},
		"stairs": {Curves: []Curve{{X: []float64{0, 1, 2}, Y: []float64{3, 2, 1}, Steps: true, Dashed: true, Tint: Dull}}},
	} {
		p := c.Inline(340, 270)
		if p.Left >= p.Right || p.Top >= p.Bottom {
			t.Errorf("%s: there is no room: %+v", name, p)
		}
		for _, s := range p.Shapes {
			if strings.Contains(s.D, "NaN") || strings.Contains(s.D, "Inf") || strings.Contains(s.D, "e") {
				t.Errorf("%s: %s", name, s.D)
			}
		}
		for _, w := range p.Words {
			if y, err := strconv.ParseFloat(w.Y, 64); err != nil || !w.Turned && (y < 0 || y > 270) {
				t.Errorf("%s: %q is at %s", name, w.Text, w.Y)
			}
		}
	}
}

// Names at the ends of curves do not overlap.
func TestInlineLabels(t *testing.T) {
	var c Chart
	for i := range 8 {
		c.Curves = append(c.Curves, Curve{X: []float64{0, 1}, Y: []float64{0, 1 + 0.001*float64(i)}, Label: "curve " + strconv.Itoa(i), Tint: Tint(i)})
	}
	var before float64
	n := 0
	for _, w := range c.Inline(600, 300).Words {
		if !strings.HasPrefix(w.Text, "curve ") {
			continue
		}
		y, err := strconv.ParseFloat(w.Y, 64)
		if err != nil || n > 0 && y-before < 12 {
			t.Errorf("%s at %v, after %v", w.Text, y, before)
		}
		before = y
		n++
	}
	if n != 8 {
		t.Errorf("%d of 8 names", n)
	}
}

// Every format begins with its file signature, and unknown formats are refused.
func TestFormats(t *testing.T) {
	s := Sheet{Width: 240, Height: 200, Charts: []Chart{{YNames: []string{"a"}, Bars: []Bar{{X1: 1, Y0: -0.3, Y1: 0.3, Tint: 1, Shade: 0.5}}, Rules: []Rule{{At: 0.5, Vertical: true, Label: "half"}}}}}
	for format, start := range map[string]string{"svg": "<?xml", "png": "\x89PNG", "pdf": "%PDF"} {
		var b strings.Builder
		if err := s.WriteAs(&b, format); err != nil || !strings.HasPrefix(b.String(), start) {
			t.Errorf("%s: %v", format, err)
		}
	}
	if err := s.WriteAs(&strings.Builder{}, "gif"); err == nil {
		t.Error("gif is written")
	}
}
