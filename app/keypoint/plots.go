package keypoint

import (
	"fmt"
	"io"

	"fsa/internal/plots"
)

// panels are small charts, four in a row.
func panels(charts []plots.Chart) plots.Sheet {
	return plots.Sheet{Width: 240, Height: 220, Columns: perRow, Charts: charts}
}

const perRow = 4

// PlotCurves draws the precision-recall curves of a comparison as SVG, a panel
// for each keypoint.
func (c *Comparison) PlotCurves(w io.Writer) error {
	var charts []plots.Chart
	for _, point := range c.Points {
		chart := plots.Chart{Title: point, X: "recall", Y: "precision", XRange: [2]float64{0, 1}, YRange: [2]float64{0, 1}}
		for _, method := range c.Methods {
			line := plots.Curve{Name: fmt.Sprintf("%s, mean AP %.3f", method, c.MeanAP(method))}
			if r := c.Result(point, method); r != nil {
				line.X, line.Y = r.Curve.Recall, r.Curve.Precision
			}
			chart.Curves = append(chart.Curves, line)
		}
		charts = append(charts, chart)
	}
	return panels(charts).WriteSVG(w)
}

// mostResponses is the number of responses that are drawn, which leaves room for the legend in two
// rows of panels.
const mostResponses = 2*perRow - 1

// PlotResponses draws response functions as SVG, β against bin, of the most important features that
// two detectors have in common: one trained without the second-order prior, one with it.
func PlotResponses(w io.Writer, without, with *Detector) error {
	beta := map[string][]float64{}
	for _, v := range without.model.Selected() {
		beta[v.Name] = v.Coefficients
	}
	var charts []plots.Chart
	for _, v := range with.model.Selected() {
		rough, ok := beta[v.Name]
		if !ok || len(charts) == mostResponses {
			continue
		}
		charts = append(charts, plots.Chart{Title: v.Name, X: "bin", Y: "β", Curves: []plots.Curve{
			response("without the prior", rough), response("with the prior", v.Coefficients),
		}})
	}
	if len(charts) == 0 {
		return fmt.Errorf("keypoint: the two detectors have no feature in common")
	}
	return panels(charts).WriteSVG(w)
}

// response returns the curve of coefficients, one per bin.
func response(name string, beta []float64) plots.Curve {
	line := plots.Curve{Name: name, Y: beta}
	for bin := range beta {
		line.X = append(line.X, float64(bin))
	}
	return line
}
