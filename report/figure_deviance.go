package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"fsa/internal/plots"
)

// signedRoot returns a deviance residual: the root of twice half a deviance, with the sign of a difference.
func signedRoot(difference, half float64) float64 {
	return math.Copysign(math.Sqrt(2*max(half, 0)), difference)
}

// halfDeviance returns half the deviance of y and the positive prediction μ for a loss with a log link; ok is false for
// other losses.
func (m *Model) halfDeviance(y, μ float64) (half float64, ok bool) {
	yLog := func(of float64) float64 { // y ln of, which is 0 if y is
		if y == 0 {
			return 0
		}
		return y * math.Log(of)
	}
	switch m.Loss {
	case "poisson":
		return yLog(y/μ) - (y - μ), true
	case "negbinomial":
		return yLog(y/μ) - (y+m.Size)*math.Log((y+m.Size)/(μ+m.Size)), m.Size > 0
	case "gamma":
		return y/μ - math.Log(y/μ) - 1, y > 0
	case "tweedie":
		p := m.Power
		return math.Pow(y, 2-p)/((1-p)*(2-p)) - y*math.Pow(μ, 1-p)/(1-p) + math.Pow(μ, 2-p)/(2-p), p > 1 && p < 2
	}
	return 0, false
}

// logLinkFigures shows predictions with a log link against true values, their calibration, and deviance residuals; nil for
// other models.
func logLinkFigures(r *Run, y []float64) []*Figure {
	residual := make([]float64, len(y))
	for i, μ := range r.Rows.Number {
		half, ok := r.Model.halfDeviance(y[i], μ)
		if !ok || !(μ > 0) {
			return nil
		}
		residual[i] = signedRoot(y[i]-μ, half)
	}
	deviance := devianceFigure(r.Rows.Row, r.Rows.Number, residual, "predicted "+r.Model.Target, "A bend suggests a nonlinear effect. The spread should be about the same everywhere.")
	deviance.chart.LogX = true
	return []*Figure{predictedFigures(r.Rows.Row, r.Rows.Number, y, r.Model.Target)[0], meansFigure(r.Rows.Number, y, r.Model.Target), deviance}
}

// devianceFigure shows deviance residuals.
func devianceFigure(rows []int, at, residual []float64, x, caption string) *Figure {
	index := make([]int, len(at))
	for i := range index {
		index[i] = i
	}
	c := plots.Curve{NoLine: true, Tint: plots.Plain}
	for _, i := range some(index, scatterPoints) {
		c.X, c.Y = append(c.X, at[i]), append(c.Y, residual[i])
		c.Tips = append(c.Tips, fmt.Sprintf("row %d: %s %s, residual %s", rows[i], x, brief(at[i]), brief(residual[i])))
	}
	return &Figure{ID: "residuals", Title: "Deviance residuals", Half: true, Table: pairs("predicted", "residual", at, residual),
		chart:   &plots.Chart{X: x, Y: "deviance residual", Curves: []plots.Curve{c}, Rules: []plots.Rule{{At: 0}}},
		Caption: caption, Alt: fmt.Sprintf("Dots of %d rows: deviance residuals.", len(c.X))}
}

// groups divides rows into about equally many by increasing values; rows of equal values stay together.
func groups(values []float64, most int) (list [][]int) {
	order := make([]int, len(values))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(values[a], values[b]) })
	for g, lo := 1, 0; g <= most && lo < len(order); g++ {
		hi := g * len(order) / most
		for hi > lo && hi < len(order) && values[order[hi]] == values[order[hi-1]] {
			hi++
		}
		if hi > lo {
			list, lo = append(list, order[lo:hi]), hi
		}
	}
	return list
}

// meansFigure compares the means of predictions and of true values in groups of rows.
func meansFigure(predicted, y []float64, target string) *Figure {
	c := plots.Curve{Tint: plots.Plain, Dots: true}
	table := [][]string{{"rows", "predicted", "observed", "standard_error"}}
	for _, rows := range groups(predicted, calibrationBins) {
		n := float64(len(rows))
		var told, seen, squares float64
		for _, i := range rows {
			told, seen = told+predicted[i]/n, seen+y[i]/n
		}
		for _, i := range rows {
			squares += (y[i] - seen) * (y[i] - seen)
		}
		se := math.Sqrt(squares / (n * max(n-1, 1)))
		c.X, c.Y = append(c.X, told), append(c.Y, seen)
		c.Low, c.High = append(c.Low, seen-se), append(c.High, seen+se)
		c.Tips = append(c.Tips, fmt.Sprintf("predicted %s, observed %s in %s", brief(told), brief(seen), plural(len(rows), "row", "rows")))
		table = append(table, []string{fmt.Sprint(len(rows)), exact(told), exact(seen), exact(se)})
	}
	both := slices.Concat(c.X, c.Low, c.High)
	span := [2]float64{slices.Min(both), slices.Max(both)}
	return &Figure{ID: "calibration", Title: "Calibration", Half: true, Table: table,
		chart:   &plots.Chart{X: "mean predicted " + target, Y: "mean true " + target, XRange: span, YRange: span, Curves: []plots.Curve{c}, Rules: []plots.Rule{{Diagonal: true}}},
		Caption: "On the diagonal, the predictions of a group of rows are right on average. The band is one standard error.",
		Alt:     fmt.Sprintf("Means of predictions and of true values in %d groups of rows.", len(c.X))}
}

// coverageFigure shows, for each quantile, the share of rows at or below their prediction in groups of rows.
func coverageFigure(quantiles []float64, predicted [][]float64, y []float64) *Figure {
	chart := &plots.Chart{X: "groups of rows by their prediction", Y: "share at or below the prediction", YRange: unit, WholeX: true}
	table := [][]string{{"quantile", "group", "rows", "share", "standard_error"}}
	var says []string
	for q, p := range predicted {
		c := plots.Curve{Name: fmt.Sprintf("quantile %s", brief(quantiles[q])), Label: brief(quantiles[q]), Dots: true, Tint: classTint(q)}
		all := 0
		for g, rows := range groups(p, calibrationBins) {
			n, below := float64(len(rows)), 0
			for _, i := range rows {
				if y[i] <= p[i] {
					below++
				}
			}
			all += below
			share := float64(below) / n
			se := math.Sqrt(quantiles[q] * (1 - quantiles[q]) / n)
			c.X, c.Y = append(c.X, float64(g+1)), append(c.Y, share)
			c.Low, c.High = append(c.Low, max(share-se, 0)), append(c.High, min(share+se, 1))
			c.Tips = append(c.Tips, fmt.Sprintf("%s of %s", percent(share), plural(len(rows), "row", "rows")))
			table = append(table, []string{exact(quantiles[q]), fmt.Sprint(g + 1), fmt.Sprint(len(rows)), exact(share), exact(se)})
		}
		chart.Curves = append(chart.Curves, c)
		chart.Rules = append(chart.Rules, plots.Rule{At: quantiles[q]})
		says = append(says, fmt.Sprintf("%s at %s", percent(float64(all)/float64(len(y))), brief(quantiles[q])))
	}
	return &Figure{ID: "coverage", Title: "Coverage of quantiles", Half: true, chart: chart, Table: table,
		Caption: fmt.Sprintf("Share of rows at or below their out-of-fold prediction: %s. It should be near the line of its quantile in every group. The band is one standard error.", strings.Join(says, ", ")),
		Alt:     fmt.Sprintf("Coverage of %d quantiles in groups of rows.", len(predicted))}
}
