package motion

import (
	"io"
	"math"
	"slices"

	"fsa/internal/plots"
)

// Curve is the share of sequences whose error is at most a given number.
type Curve struct {
	Name string
	// Errors are the errors of the curve, in percent.
	Errors []float64
}

// at returns the share of errors that are at most e, in percent.
func (c Curve) at(e float64) float64 {
	n := 0
	for _, v := range c.Errors {
		if v <= e {
			n++
		}
	}
	return 100 * float64(n) / float64(len(c.Errors))
}

// Curves returns the cumulative distribution of the test error of every method
// over the sequences with the given number of motions; 0 for all.
func (e *Evaluation) Curves(sequences []*Sequence, motions int) []Curve {
	var out []Curve
	for _, r := range e.Methods {
		c := Curve{Name: r.Method}
		for i, v := range r.Errors {
			if s := sequences[i%len(sequences)]; motions == 0 || s.Motions == motions {
				c.Errors = append(c.Errors, v)
			}
		}
		if len(c.Errors) > 0 {
			out = append(out, c)
		}
	}
	return out
}

// mostError is the end of the axis of errors, in percent.
const mostError = 10

// WriteCurves draws cumulative distributions of the error, up to 10%, as SVG: the paper's figure.
// The vertical axis begins at the lowest curve.
func WriteCurves(w io.Writer, title string, curves []Curve) error {
	low := 90.0
	chart := plots.Chart{Title: title, X: "misclassified points, percent (at most)", Y: "sequences, percent"}
	for _, c := range curves {
		low = min(low, 10*math.Floor(c.at(0)/10))
		chart.Curves = append(chart.Curves, c.steps())
	}
	chart.XRange, chart.YRange = [2]float64{0, mostError}, [2]float64{low, 100}
	return plots.Sheet{Width: 480, Height: 350, Charts: []plots.Chart{chart}}.WriteSVG(w)
}

// steps returns the curve from zero error to the end of the axis.
func (c Curve) steps() plots.Curve {
	at := []float64{0}
	for _, e := range c.Errors {
		if e > 0 && e < mostError {
			at = append(at, e)
		}
	}
	slices.Sort(at)
	line := plots.Curve{Name: c.Name, Steps: true}
	for _, e := range slices.Compact(at) {
		line.X, line.Y = append(line.X, e), append(line.Y, c.at(e))
	}
	// The curve is constant up to the end of the axis.
	line.X, line.Y = append(line.X, mostError), append(line.Y, line.Y[len(line.Y)-1])
	return line
}
