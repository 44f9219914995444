package paper

import (
	"testing"

	"fsa/internal/plots"
)

// A picture has its numbers beside it.
func TestSideBySide(t *testing.T) {
	c := plots.Chart{X: "N", Y: "AUC", LogX: true, Curves: []plots.Curve{
		{Name: "A", X: []float64{1, 10}, Y: []float64{0.5, 0.5}, Dots: true}, {Name: "B", X: []float64{1}, Y: []float64{0.5}},
	}}
	p := sideBySide("demo", c, c)
	if len(p.points) != 1+2*3 {
		t.Errorf("points %v", p.points)
	}
}
