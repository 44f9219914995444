package report

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"fsa/eval"
	"fsa/internal/plots"
)

const (
	// curvePoints is the maximal number of points of a ROC or precision–recall curve, and the
	// number of thresholds.
	curvePoints = 200
	// leastPoints is the least maximal number of points of each class in the table of ROC curves, which is cut if there are
	// many classes, so that the page stays small.
	leastPoints = 20
	// scatterPoints is the number of rows that are drawn as dots, spread over all rows.
	scatterPoints = 1500
	// calibrationBins is the number of groups of probabilities that are compared with observed
	// frequencies.
	calibrationBins = 10
)

// qualityFigures shows the quality of out-of-fold predictions.
func qualityFigures(r *Run) []*Figure {
	if r.Rows == nil {
		return nil
	}
	switch {
	case r.Model.Task == Multilabel:
		return labelFigures(r)
	case r.Model.Task == Regression && r.Rows.several:
		return targetFigures(r)
	case r.Model.Task == Regression:
		return regressionFigures(r)
	case r.Model.Task == Ranking:
		return rankingFigures(r)
	case r.Model.Task == Survival:
		return survivalFigures(r)
	case len(r.Model.Classes) == 2 && r.Model.Outputs == 1:
		return twoClassFigures(r)
	case len(r.Rows.Classes) > 0:
		return classFigures(r)
	}
	return nil
}

// some returns at most n points of a list, including the first and the last.
func some[T any](list []T, n int) []T {
	if len(list) <= n {
		return list
	}
	out := make([]T, n)
	for i := range out {
		out[i] = list[i*(len(list)-1)/(n-1)]
	}
	return out
}

var unit = [2]float64{0, 1}

// rocCurve returns the points of a ROC curve.
func rocCurve(score, y []float64) (c plots.Curve, area float64) {
	for _, p := range some(eval.ROC(score, y, nil), curvePoints) {
		c.X, c.Y = append(c.X, p.FPR), append(c.Y, p.TPR)
	}
	return c, eval.AUC(score, y, nil)
}

func prCurve(score, y []float64) (c plots.Curve, area float64) {
	for _, p := range some(eval.PrecisionRecall(score, y, nil), curvePoints) {
		c.X, c.Y = append(c.X, p.Recall), append(c.Y, p.Precision)
	}
	return c, eval.AveragePrecision(score, y, nil)
}

// twoClassFigures shows ROC, precision–recall and calibration.
func twoClassFigures(r *Run) []*Figure {
	score, isProbability := r.Rows.score()
	y := r.Rows.positive(r.Model.Classes[1])
	roc, auc := rocCurve(score, y)
	if len(roc.X) == 0 {
		return nil
	}
	roc.Tint = plots.Plain
	pr, ap := prCurve(score, y)
	pr.Tint = plots.Plain
	share := positiveShare(y)
	figures := []*Figure{
		{ID: "roc", Title: "ROC curve", Half: true, Table: pairs("false_positive_rate", "true_positive_rate", roc.X, roc.Y),
			chart:   &plots.Chart{X: "false positive rate", Y: "true positive rate", XRange: unit, YRange: unit, Curves: []plots.Curve{roc}, Rules: []plots.Rule{{Diagonal: true}}},
			Caption: fmt.Sprintf("AUC %s; the diagonal is chance.", precise(auc)), Alt: fmt.Sprintf("ROC curve with AUC %s.", precise(auc))},
		{ID: "pr", Title: "Precision and recall", Half: true, Table: pairs("recall", "precision", pr.X, pr.Y),
			chart:   &plots.Chart{X: "recall", Y: "precision", XRange: unit, YRange: unit, Curves: []plots.Curve{pr}, Rules: []plots.Rule{{At: share, Label: "chance", Before: true}}},
			Caption: fmt.Sprintf("Average precision %s; %s of the rows are %s.", brief(ap), percent(share), r.Model.Classes[1]), Alt: fmt.Sprintf("Precision–recall curve with average precision %s.", brief(ap))},
	}
	if isProbability {
		figures = slices.Insert(figures, 0, calibrationFigure(score, y, r.Model.Classes[1]))
	}
	return figures
}

func positiveShare(y []float64) float64 {
	n := 0.0
	for _, v := range y {
		if v > 0 {
			n++
		}
	}
	return n / float64(len(y))
}

// pairs returns a table of two columns.
func pairs(a, b string, x, y []float64) [][]string {
	table := [][]string{{a, b}}
	for i := range x {
		table = append(table, []string{exact(x[i]), exact(y[i])})
	}
	return table
}

// calibrationFigure compares probabilities with observed frequencies.
func calibrationFigure(p, y []float64, class string) *Figure {
	c := plots.Curve{Tint: plots.Plain, Dots: true}
	table := [][]string{{"from", "to", "rows", "predicted", "observed"}}
	for _, b := range eval.CalibrationTable(p, y, nil, calibrationBins) {
		se := math.Sqrt(b.Observed * (1 - b.Observed) / b.Weight)
		c.X, c.Y = append(c.X, b.Predicted), append(c.Y, b.Observed)
		c.Low, c.High = append(c.Low, max(b.Observed-se, 0)), append(c.High, min(b.Observed+se, 1))
		c.Tips = append(c.Tips, fmt.Sprintf("predicted %s, observed %s of %.0f rows", percent(b.Predicted), percent(b.Observed), b.Weight))
		table = append(table, []string{exact(b.Low), exact(b.High), exact(b.Weight), exact(b.Predicted), exact(b.Observed)})
	}
	return &Figure{ID: "calibration", Title: "Calibration", Half: true, Table: table,
		chart:   &plots.Chart{X: "predicted probability of " + class, Y: "observed share", XRange: unit, YRange: unit, Curves: []plots.Curve{c}, Rules: []plots.Rule{{Diagonal: true}}},
		Caption: "On the diagonal, predicted probabilities equal observed frequencies. The band is one standard error.",
		Alt:     fmt.Sprintf("Calibration of probabilities in %d groups of rows.", len(c.X))}
}

// classFigures shows the ROC curve of each of several classes against the others.
func classFigures(r *Run) []*Figure {
	chart := &plots.Chart{X: "false positive rate", Y: "true positive rate", XRange: unit, YRange: unit, Rules: []plots.Rule{{Diagonal: true}}}
	table := [][]string{{"class", "false_positive_rate", "true_positive_rate"}}
	var top, hit []float64
	most := max(leastPoints, curvePoints*shownClasses/max(len(r.Rows.Classes), 1))
	for c, class := range r.Rows.Classes {
		line, auc := rocCurve(r.Rows.of(c), r.Rows.positive(class))
		for _, p := range some(points(line), most) {
			table = append(table, []string{class, exact(p[0]), exact(p[1])})
		}
		if c < shownClasses && len(line.X) > 0 {
			line.Tint = classTint(c)
			chart.Keys = append(chart.Keys, plots.Key{Class: fmt.Sprintf("k%d", line.Tint), Text: fmt.Sprintf("%s: AUC %s", class, precise(auc))})
			line.Name = fmt.Sprintf("%s: AUC %s", class, precise(auc))
			chart.Curves = append(chart.Curves, line)
		}
	}
	for i, t := range r.Rows.Target {
		p := r.Rows.Probability[i*len(r.Rows.Classes) : (i+1)*len(r.Rows.Classes)]
		best := slices.Index(p, slices.Max(p))
		top = append(top, p[best])
		hit = append(hit, -1)
		if r.Rows.Classes[best] == t {
			hit[i] = 1
		}
	}
	cal := calibrationFigure(top, hit, "the predicted class")
	return []*Figure{{ID: "roc", Title: "ROC curve of each class against the others", Half: true, chart: chart, Table: table, Alt: fmt.Sprintf("ROC curves of %d classes.", len(chart.Curves))}, cal}
}

// points returns the points of a curve.
func points(c plots.Curve) (list [][2]float64) {
	for i := range c.X {
		list = append(list, [2]float64{c.X[i], c.Y[i]})
	}
	return list
}

// regressionFigures shows predictions against true values, and residuals against predictions.
func regressionFigures(r *Run) []*Figure {
	y := r.Rows.numbers()
	switch {
	case y == nil:
		return nil
	case len(r.Model.Quantiles) > 0 && len(r.Rows.Quantiles) == len(r.Model.Quantiles):
		return []*Figure{coverageFigure(r.Model.Quantiles, r.Rows.Quantiles, y)}
	case len(r.Rows.Number) != len(y):
		return nil
	case len(r.Model.Quantiles) == 1:
		return append(predictedFigures(r.Rows.Row, r.Rows.Number, y, r.Model.Target)[:1], coverageFigure(r.Model.Quantiles, [][]float64{r.Rows.Number}, y))
	}
	if figures := logLinkFigures(r, y); figures != nil {
		return figures
	}
	return predictedFigures(r.Rows.Row, r.Rows.Number, y, r.Model.Target)
}

// predictedFigures shows the predictions of a target against its true values, and the residuals.
func predictedFigures(rows []int, predicted, y []float64, target string) []*Figure {
	index := make([]int, len(y))
	for i := range index {
		index[i] = i
	}
	fit := plots.Curve{NoLine: true, Tint: plots.Plain}
	res := plots.Curve{NoLine: true, Tint: plots.Plain}
	for _, i := range some(index, scatterPoints) {
		z := predicted[i]
		fit.X, fit.Y = append(fit.X, z), append(fit.Y, y[i])
		res.X, res.Y = append(res.X, z), append(res.Y, y[i]-z)
		tip := fmt.Sprintf("row %d: predicted %s, true %s", rows[i], brief(z), brief(y[i]))
		fit.Tips, res.Tips = append(fit.Tips, tip), append(res.Tips, tip)
	}
	note := ""
	if len(y) > scatterPoints {
		note = fmt.Sprintf(" %d of %d rows are drawn.", scatterPoints, len(y))
	}
	return []*Figure{
		{ID: "predicted", Title: "Predicted and true", Half: true, Table: pairs("predicted", "true", predicted, y),
			chart:   &plots.Chart{X: "predicted " + target, Y: "true " + target, Curves: []plots.Curve{fit}, Rules: []plots.Rule{{Diagonal: true}}},
			Caption: fmt.Sprintf("R² %s, RMSE %s.%s", precise(eval.R2(predicted, y, nil)), brief(eval.RMSE(predicted, y, nil)), note), Alt: fmt.Sprintf("Dots of %d rows: true values against predicted ones.", len(fit.X))},
		{ID: "residuals", Title: "Residuals", Half: true, Table: residuals(predicted, y),
			chart:   &plots.Chart{X: "predicted " + target, Y: "true − predicted", Curves: []plots.Curve{res}, Rules: []plots.Rule{{At: 0}}},
			Caption: "A bend suggests a nonlinear effect; a funnel suggests that the error variance is not constant.", Alt: fmt.Sprintf("Dots of %d rows: residuals against predictions.", len(res.X))},
	}
}

func residuals(z, y []float64) [][]string {
	table := [][]string{{"predicted", "residual"}}
	for i := range z {
		table = append(table, []string{exact(z[i]), exact(y[i] - z[i])})
	}
	return table
}

// rankingFigures shows the NDCG of each query.
func rankingFigures(r *Run) []*Figure {
	y := r.Rows.numbers()
	if y == nil || r.Rows.Query == nil {
		return nil
	}
	by := map[string][]int{}
	var names []string
	for i, q := range r.Rows.Query {
		if by[q] == nil {
			names = append(names, q)
		}
		by[q] = append(by[q], i)
	}
	table := [][]string{{"query", "rows", "ndcg10"}}
	var values []float64
	for _, q := range names {
		var s, t []float64
		for _, i := range by[q] {
			s, t = append(s, r.Rows.Number[i]), append(t, y[i])
		}
		v := eval.NDCG(s, t, []int{0, len(s)}, 10)
		if math.IsNaN(v) {
			continue
		}
		values = append(values, v)
		table = append(table, []string{q, strconv.Itoa(len(s)), exact(v)})
	}
	if len(values) == 0 {
		return nil
	}
	const bars = 20
	count := make([]int, bars)
	for _, v := range values {
		count[min(int(v*bars), bars-1)]++
	}
	chart := &plots.Chart{X: "NDCG@10", Y: "queries", XRange: unit, WholeY: true}
	for i, n := range count {
		chart.Bars = append(chart.Bars, plots.Bar{X0: (float64(i) + 0.05) / bars, X1: (float64(i) + 0.95) / bars, Y1: float64(n), Tint: plots.Dull, Tip: plural(n, "query", "queries")})
	}
	return []*Figure{{ID: "ndcg", Title: "NDCG of each query", Half: true, chart: chart, Table: table,
		Caption: fmt.Sprintf("%s with a relevant document.", plural(len(values), "query", "queries")), Alt: fmt.Sprintf("Histogram of the NDCG of %d queries.", len(values))}}
}
