package main

import (
	"encoding/csv"
	"io"
	"slices"
	"strconv"

	"fsa"
	"fsa/data"
	"fsa/model"
	"fsa/report"
)

// attachValidation adds the results of cross-validation to the run folder. rows has the numbers of
// the rows in the whole table, or is nil for all. The predictions of single rows are written only
// if that is allowed.
func (f *runFolder) attachValidation(r fitResult, target *data.Target, rows []int, tell bool) {
	v, e := r.validation, r.evidence
	if v == nil || e == nil {
		return
	}
	f.attach(curveName, func(w io.Writer, sum string) error { return printJSON(w, newCurveFile(v, e, sum)) })
	if len(v.Points) > 1 {
		f.attach(pictureName, func(w io.Writer, _ string) error { return report.Sizes(w, sizePlot(v)) })
	}
	if e.Folds != nil && r.model != nil {
		f.attach(foldsName, e.Folds.Write)
	}
	if tell {
		f.attach(rowsName, func(w io.Writer, _ string) error { return writeRows(w, e, target, rows) })
	}
}

// curveFile is curve.json.
type curveFile struct {
	Model string `json:"model,omitempty"` // checksum of the model.json beside it
	*model.Validation
	Larger bool             `json:"larger_is_better"`
	Errors []curveFileError `json:"errors"`
}

// curveFileError is the error at one size, in each fold.
type curveFileError struct {
	Size  int       `json:"size"`
	Folds []float64 `json:"folds"`
}

func newCurveFile(v *model.Validation, e *fsa.Evidence, sum string) curveFile {
	c := curveFile{Model: sum, Validation: v, Larger: model.LargerIsBetter(v.Measure)}
	for _, p := range e.Curve.Points {
		folds := append([]float64{}, p.Errors...)
		if c.Larger {
			for i := range folds {
				folds[i] = -folds[i]
			}
		}
		c.Errors = append(c.Errors, curveFileError{p.Size, folds})
	}
	return c
}

func sizePlot(v *model.Validation) report.SizePlot {
	p := report.SizePlot{Measure: measureName(v.Measure), Null: v.Null, Chosen: v.Chosen}
	p.Budgets = v.Budgets
	for _, at := range v.Points {
		p.Size, p.Mean, p.SE = append(p.Size, at.Size), append(p.Mean, at.Mean), append(p.SE, at.SE)
	}
	return p
}

// writeRows writes the out-of-fold prediction for each row.
func writeRows(w io.Writer, e *fsa.Evidence, t *data.Target, rows []int) error {
	table, cells := csv.NewWriter(w), newPredictionCells(e.Prediction)
	head := []string{"row", "fold"}
	for _, v := range t.Each {
		head = append(head, "target_"+v.Name)
	}
	if t.Each == nil {
		head = append(head, "target")
	}
	if t.Query != nil {
		head = append(head, "query")
	}
	beside := besides(t)
	for _, b := range beside {
		head = append(head, b.name)
	}
	table.Write(slices.Concat(head, cells.head))
	query := 0 // query of the row
	for i, has := range e.Has {
		if !has {
			continue
		}
		line := targetCellsOf(t, i)
		row := i
		if rows != nil && len(e.Has) == len(rows) { // otherwise the other rows are included, with weight 0
			row = rows[i]
		}
		line = slices.Concat([]string{strconv.Itoa(row + 1), strconv.Itoa(e.Fold[i] + 1)}, line)
		if t.Query != nil {
			for query+1 < len(t.Query) && t.Query[query+1] <= i {
				query++
			}
			line = append(line, strconv.Itoa(query+1))
		}
		for _, b := range beside {
			line = append(line, exactly(b.list[i]))
		}
		table.Write(slices.Concat(line, cells.row(i)))
	}
	table.Flush()
	return table.Error()
}

// beside is what a survival time has beside it in rows.csv.
type beside struct {
	name string
	list []float64
}

// besides returns the events of survival times, and their entries and strata if there are any.
func besides(t *data.Target) (list []beside) {
	for _, b := range []beside{{"event", t.Event}, {"entry", t.Entry}, {"stratum", t.Stratum}} {
		if b.list != nil {
			list = append(list, b)
		}
	}
	return list
}

// targetCellsOf returns the target of a row, or each of several.
func targetCellsOf(t *data.Target, row int) (cells []string) {
	for i := range t.Each {
		cells = append(cells, t.Each[i].Cell(row))
	}
	switch {
	case t.Each != nil:
		return cells
	case t.Categories != nil:
		return []string{t.Categories[int(t.Y[row])]}
	}
	return []string{exactly(t.Y[row])}
}

// attachStability adds the stability of the selection to the run folder.
func (f *runFolder) attachStability(m *model.Model) {
	s := m.Stability()
	if s == nil {
		return
	}
	f.attach(stabilityName, func(w io.Writer, sum string) error {
		return printJSON(w, struct {
			Model string `json:"model"` // checksum of the model.json beside it
			*model.Stability
		}{sum, s})
	})
}
