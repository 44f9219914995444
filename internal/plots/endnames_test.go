package plots

import (
	"slices"
	"strconv"
	"testing"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/recorder"
)

// Names of curves that end at nearly the same position are apart, inside the chart and in the order
// of their ends; of too many, the last are kept.
func TestEndNames(t *testing.T) {
	for _, many := range []int{1, 5, 400} {
		var c Chart
		for i := range many {
			c.Curves = append(c.Curves, Curve{X: []float64{0, 1}, Y: []float64{0, 1 + 0.0001*float64(i)}, Label: "end" + strconv.Itoa(i), Tint: Tint(1 + i%3)})
		}
		var canvas recorder.Canvas
		c.plot(nil, 300, 200).Draw(draw.NewCanvas(&canvas, 300, 200))
		var written []int
		low, last := vg.Length(-1), vg.Length(0)
		for _, a := range canvas.Actions {
			s, ok := a.(*recorder.FillString)
			if !ok || len(s.String) < 4 || s.String[:3] != "end" {
				continue
			}
			number, err := strconv.Atoi(s.String[3:])
			if err != nil {
				t.Fatal(err)
			}
			if written = append(written, number); low >= 0 && s.Point.Y < last+9.9 {
				t.Errorf("%d curves: %s stands at %v, the one before at %v", many, s.String, s.Point.Y, last)
			}
			if low = s.Point.Y; low < 0 || low > 200 {
				t.Errorf("%d curves: %s stands at %v", many, s.String, low)
			}
			last = s.Point.Y
		}
		if !slices.IsSorted(written) || len(written) != min(many, len(written)) || written[len(written)-1] != many-1 || many == 5 && len(written) != 5 {
			t.Errorf("of %d curves these are named: %v", many, written)
		}
	}
}
