package paper

import (
	"context"
	"fmt"

	"fsa/internal/plots"
	"fsa/loss"
)

// losses draws the three losses of a row of class 1 against its margin, far and
// near.
func losses(context.Context, *Setup) (*Result, error) {
	list := []struct {
		name string
		loss loss.Loss
	}{{"logistic", loss.Logistic{}}, {"SVM", loss.SVM{}}, {"Lorenz", loss.Lorenz{}}}
	r := &Result{byMethod: true}
	var charts []plots.Chart
	for _, span := range [][2]float64{{-30, 3}, {-4, 2}} {
		c := plots.Chart{X: "margin", Y: "loss"}
		for _, l := range list {
			line := plots.Curve{Name: l.name}
			const points = 300
			for i := range points + 1 {
				x := span[0] + (span[1]-span[0])*float64(i)/points
				line.X = append(line.X, x)
				line.Y = append(line.Y, lossAt(l.loss, x))
			}
			c.Curves = append(c.Curves, line)
		}
		charts = append(charts, c)
	}
	for _, l := range list {
		for _, x := range []float64{-30, -4, -1, 0, 1, 2} {
			r.Rows = append(r.Rows, Row{Method: l.name, Metric: fmt.Sprintf("loss(%g)", x), Ours: new(lossAt(l.loss, x)), Runs: 1})
		}
	}
	r.pictures = []picture{sideBySide("losses", charts...)}
	return r, nil
}

// lossAt returns the loss of a row of class 1.
func lossAt(l loss.Loss, margin float64) float64 {
	sum, _ := l.Eval(make([]float64, 1), []float64{margin}, loss.Target{Y: []float64{1}})
	return sum
}
