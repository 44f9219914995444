package paper

import (
	"bytes"
	"strings"
	"testing"

	"gonum.org/v1/plot"
)

func labelsOf(marks []plot.Tick) string {
	var names []string
	for _, m := range marks {
		names = append(names, m.Label)
	}
	return strings.Join(names, " ")
}

func TestTicks(t *testing.T) {
	for _, c := range []struct {
		ticks     func(low, high float64) []plot.Tick
		low, high float64
		want      string
	}{
		{roundTicks, 0, 1000, "0 200 400 600 800 1000"},
		{roundTicks, -30, 3, "−30 −20 −10 0"},
		{roundTicks, -4, 2, "−4 −3 −2 −1 0 1 2"},
		{roundTicks, 0.9992, 1, "0.9992 0.9994 0.9996 0.9998 1"},
		{powerTicks, 0.1, 1000, "0.1 1 10 100 1000"},
		{powerTicks, 10, 1000, "10 30 100 300 1000"},
		{powerTicks, 1000, 1e6, "1000 10000 100000 1e+06"},
		{powerTicks, 2, 9, "3"},
	} {
		if got := labelsOf(c.ticks(c.low, c.high)); got != c.want {
			t.Errorf("from %v to %v: %s, want %s", c.low, c.high, got, c.want)
		}
	}
}

// A picture depends on its numbers only, and says them beside it.
func TestSideBySide(t *testing.T) {
	c := chart{x: "N", y: "AUC", logX: true, curves: []curve{
		{name: "A", x: []float64{1, 10}, y: []float64{0.5, 0.5}, dots: true}, {name: "B", x: []float64{1}, y: []float64{0.5}},
	}}
	p := sideBySide("demo", c, c)
	var first, second bytes.Buffer
	if err := p.draw(&first); err != nil {
		t.Fatal(err)
	}
	if err := p.draw(&second); err != nil || !bytes.Equal(first.Bytes(), second.Bytes()) {
		t.Errorf("two pictures of the same numbers differ, %v", err)
	}
	if strings.Contains(first.String(), "NaN") {
		t.Error("a place that is not a number")
	}
	if len(p.points) != 1+2*3 {
		t.Errorf("points %v", p.points)
	}
}
