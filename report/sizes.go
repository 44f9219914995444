package report

import (
	"io"

	"fsa/internal/plots"
)

// SizePlot is the input of [Sizes]: a cross-validated measure over the number of variables.
type SizePlot struct {
	Measure  string // name of the measure
	Size     []int
	Budgets  []float64 // what the variables may cost at each size, if they have prices
	Mean, SE []float64 // at each size
	Null     float64   // of the null model
	Chosen   int       // the chosen size
}

// Sizes draws the curve from which a size is chosen, as SVG: the mean over folds, one standard
// error to both sides, the null model, and the chosen size.
func Sizes(w io.Writer, p SizePlot) error {
	x := make([]float64, len(p.Size))
	high, low, null := make([]float64, len(x)), make([]float64, len(x)), make([]float64, len(x))
	chosen := plots.Curve{Name: "chosen", Dots: true}
	for i, size := range p.Size {
		if x[i] = float64(size); p.Budgets != nil {
			x[i] = p.Budgets[i]
		}
		high[i], low[i], null[i] = p.Mean[i]+p.SE[i], p.Mean[i]-p.SE[i], p.Null
		if size == p.Chosen {
			chosen.X, chosen.Y = []float64{x[i]}, []float64{p.Mean[i]}
		}
	}
	axis := "variables"
	if p.Budgets != nil {
		axis = "budget"
	}
	return plots.Sheet{Width: 460, Height: 320, Charts: []plots.Chart{{
		Title: "cross-validated " + p.Measure, X: axis, Y: p.Measure,
		Curves: []plots.Curve{
			{Name: "mean of the folds", X: x, Y: p.Mean, Dots: true},
			{Name: "± 1 standard error", X: x, Y: high},
			{Name: "± 1 standard error", X: x, Y: low},
			{Name: "null model", X: x, Y: null},
			chosen,
		},
	}}}.WriteSVG(w)
}
