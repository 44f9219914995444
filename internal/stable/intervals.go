package stable

import (
	"math"

	"gonum.org/v1/gonum/stat/distuv"

	"fsa/model"
)

// Effect is the effect of a variable in the units of a design: coefficients of a line, or values at the knots.
type Effect struct {
	Fitted         []float64 // of the model
	Plain, PlainSE []float64 // without a ridge, and its standard error, as if the variable had not been selected
	Estimate, SE   []float64 // corrected for the selection; nil if no half sample selected the variable
}

// SetIntervals replaces the intervals of a record by confidence intervals that account for the selection. Each is the
// smallest interval that holds two: that of the corrected effect, and that of the plain one. The correction is that of a
// selection on half of the rows, so it is too large for a variable that all rows select easily. Lines and curves have
// intervals, and texts none.
func SetIntervals(record *model.Stability, m *model.Model, effects map[string]Effect, coverage float64, rows int) {
	record.Confidence = coverage
	for i := range record.Variables {
		v, own := &record.Variables[i], &m.Additive().Terms[i]
		v.Estimate, v.Low, v.High = nil, nil, nil
		e := effects[v.Name]
		if e.Estimate == nil || own.Categories != nil || len(own.Coefficients) != 1 || len(own.Coefficients[0]) != len(e.Fitted) {
			continue
		}
		unit := 0.0 // of the input, as a share of that of the design
		largest := 0.0
		for k, fitted := range e.Fitted {
			if math.Abs(fitted) > largest {
				largest, unit = math.Abs(fitted), own.Coefficients[0][k]/fitted
			}
		}
		quantile := distuv.StudentsT{Sigma: 1, Nu: float64(max(rows-len(e.Fitted)-1, 1))}.Quantile((1 + coverage) / 2)
		for k, at := range e.Estimate {
			low := min(at-quantile*e.SE[k], e.Plain[k]-quantile*e.PlainSE[k])
			high := max(at+quantile*e.SE[k], e.Plain[k]+quantile*e.PlainSE[k])
			v.Estimate = append(v.Estimate, unit*at)
			v.Low, v.High = append(v.Low, min(unit*low, unit*high)), append(v.High, max(unit*low, unit*high))
		}
	}
}
