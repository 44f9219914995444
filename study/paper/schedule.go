package paper

import (
	"context"
	"fmt"

	"fsa/anneal"
	"fsa/internal/plots"
)

// The six schedules that the paper compares, and the size for which it shows them.
var scheduleMus = []float64{0, 1, 10, 100, 300, 1000}

var scheduleSize = size{m: 1000, k: 10}

const scheduleEpochs = 500

func muName(mu float64) string { return fmt.Sprintf("μ = %g", mu) }

// schedule draws the number of variables that each schedule keeps.
func schedule(context.Context, *Setup) (*Result, error) {
	r := &Result{byMethod: true}
	plot := plots.Chart{X: "iteration e", Y: "variables kept"}
	for _, mu := range scheduleMus {
		line := plots.Curve{Name: muName(mu)}
		keep := anneal.Inverse(mu)
		for e := range scheduleEpochs + 1 {
			line.X = append(line.X, float64(e))
			line.Y = append(line.Y, float64(keep(e, scheduleEpochs, scheduleSize.m, scheduleSize.k)))
		}
		plot.Curves = append(plot.Curves, line)
		for _, e := range []int{1, 10, 50, 100, 200, 249, 250, 500} {
			r.Rows = append(r.Rows, Row{
				M: new(scheduleSize.m), K: new(scheduleSize.k), Method: line.Name, Metric: fmt.Sprintf("M_%d", e), Ours: new(line.Y[e]), Runs: 1,
			})
		}
	}
	r.pictures = []picture{sideBySide("schedule", plot)}
	return r, nil
}
