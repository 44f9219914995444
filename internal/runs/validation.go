package runs

import (
	"encoding/csv"
	"encoding/json"
	"io"
	"slices"
	"strconv"

	"fsa"
	"fsa/data"
	"fsa/model"
	"fsa/report"
)

// Told says which results of cross-validation are written besides the curve.
type Told struct {
	Rows  bool // predictions of single rows
	Folds bool // models of the folds
}

// AttachValidation adds the results of cross-validation, if there are any. rows has the numbers of
// the rows in the whole table, or is nil for all.
func (f *Folder) AttachValidation(v *model.Validation, e *fsa.Evidence, target *data.Target, rows []int, told Told) {
	if v == nil || e == nil {
		return
	}
	f.Attach(report.CurveName, func(w io.Writer, sum string) error { return writeJSON(w, newCurveFile(v, e, sum)) })
	if len(v.Points) > 1 {
		f.Attach(PictureName, func(w io.Writer, _ string) error { return report.Sizes(w, sizePlot(v)) })
	}
	if e.Folds != nil && told.Folds {
		f.Attach(FoldsName, e.Folds.Write)
	}
	if told.Rows {
		f.Attach(report.RowsName, func(w io.Writer, _ string) error { return WriteRows(w, e, target, rows) })
	}
}

// writeJSON writes a value as a line of JSON.
func writeJSON(w io.Writer, v any) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	return enc.Encode(v)
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
	p := report.SizePlot{Measure: report.MeasureName(v.Measure), Null: v.Null, Chosen: v.Chosen}
	p.Budgets = v.Budgets
	for _, at := range v.Points {
		p.Size, p.Mean, p.SE = append(p.Size, at.Size), append(p.Mean, at.Mean), append(p.SE, at.SE)
	}
	return p
}

// WriteRows writes the out-of-fold prediction for each row.
func WriteRows(w io.Writer, e *fsa.Evidence, t *data.Target, rows []int) error {
	table, cells := csv.NewWriter(w), NewPredictionCells(e.Prediction)
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
	table.Write(slices.Concat(head, cells.Head))
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
		table.Write(slices.Concat(line, cells.Row(i)))
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

// AttachStability adds the stability of the selection to the run folder.
func (f *Folder) AttachStability(m *model.Model) {
	s := m.Stability()
	if s == nil {
		return
	}
	f.Attach(report.StabilityName, func(w io.Writer, sum string) error {
		return writeJSON(w, struct {
			Model string `json:"model"` // checksum of the model.json beside it
			*model.Stability
		}{sum, s})
	})
}
