package report

import (
	"fmt"
	"strconv"

	"fsa/internal/plots"
)

// labelFigures shows the ROC curve of each of several labels, and the calibration of all their probabilities.
func labelFigures(r *Run) []*Figure {
	chart := &plots.Chart{X: "false positive rate", Y: "true positive rate", XRange: unit, YRange: unit, Rules: []plots.Rule{{Diagonal: true}}}
	table := [][]string{{"label", "false_positive_rate", "true_positive_rate"}}
	var probability, hit []float64
	for c, t := range r.Rows.each {
		if c == len(r.Model.Positive) {
			break
		}
		target, p := t.known()
		y := (&Rows{Target: target}).positive(r.Model.Positive[c])
		probability, hit = append(probability, p...), append(hit, y...)
		line, auc := rocCurve(p, y)
		for i := range line.X {
			table = append(table, []string{t.Name, exact(line.X[i]), exact(line.Y[i])})
		}
		if len(chart.Curves) < shownClasses && len(line.X) > 0 {
			line.Tint = classTint(c)
			line.Name = fmt.Sprintf("%s: AUC %s", t.Name, precise(auc))
			chart.Keys = append(chart.Keys, plots.Key{Class: fmt.Sprintf("k%d", line.Tint), Text: line.Name})
			chart.Curves = append(chart.Curves, line)
		}
	}
	if len(chart.Curves) == 0 {
		return nil
	}
	note := ""
	if more := len(r.Rows.each) - len(chart.Curves); more > 0 {
		note = fmt.Sprintf("The table has %d more labels.", more)
	}
	return []*Figure{
		{ID: "roc", Title: "ROC curve of each label", Half: true, chart: chart, Table: table, Caption: note, Alt: fmt.Sprintf("ROC curves of %d labels.", len(chart.Curves))},
		calibrationFigure(probability, hit, "the positive class of all labels"),
	}
}

// drawnTargets is how many of several targets have a picture of their own.
const drawnTargets = 4

// targetFigures shows the predictions of the first of several targets against their true values.
func targetFigures(r *Run) (figures []*Figure) {
	for c, t := range r.Rows.each {
		if c == drawnTargets {
			break
		}
		cells, p := t.known()
		y := (&Rows{Target: cells}).numbers()
		if y == nil {
			continue
		}
		var rows []int
		for i, cell := range t.Target {
			if cell != "" {
				rows = append(rows, r.Rows.Row[i])
			}
		}
		one := predictedFigures(rows, p, y, t.Name)[0]
		one.ID, one.Title = "predicted-"+strconv.Itoa(c+1), "Predicted and true "+shorten(t.Name, 20)
		figures = append(figures, one)
	}
	return figures
}
