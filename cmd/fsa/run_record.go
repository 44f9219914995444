package main

import (
	"context"
	"encoding/json"
	"io"
	"runtime"
	"slices"
	"time"

	"fsa"
	"fsa/data"
	"fsa/internal/record"
	"fsa/internal/version"
	"fsa/model"
	"fsa/report"
)

// keptCells is the number of cells up to which a table stays in memory unchanged, so that the
// selected variables can be examined after the fit.
const keptCells = 1 << 24

// recorder collects what the report shows about a run besides its model.
type recorder struct {
	run      report.RunRecord
	descent  record.Descent
	path     *report.Path
	findings *record.Findings
	rows     bool // single rows may be written
	intact   bool // the table can be examined after the fit
}

// newRecorder starts to record a run on a table from the given path.
func newRecorder(ctx context.Context, path string, seed uint64, table *data.Dataset) *recorder {
	r := &recorder{run: newRunRecord(ctx, path, seed), rows: true}
	r.run.Data.Rows, r.run.Data.Columns = table.Rows(), table.Width()
	for i := range table.Columns {
		r.run.Data.Missing += int64(table.Columns[i].Missing)
	}
	return r
}

// newRunRecord records what is known before anything has been read.
func newRunRecord(ctx context.Context, path string, seed uint64) report.RunRecord {
	words, _ := ctx.Value(typed{}).([]string)
	return report.RunRecord{
		Command: words, Version: version.String(), System: runtime.GOOS + "/" + runtime.GOARCH,
		Started: time.Now().UTC().Format(time.RFC3339), Seed: seed, Data: report.Source{File: path},
	}
}

// small reports whether a table may stay in memory unchanged.
func small(t *data.Dataset) bool {
	return float64(t.Rows())*float64(len(t.Columns)) <= keptCells
}

// plan records the decisions before the fit.
func (r *recorder) plan(j *fsa.Job) {
	r.intact, r.run.Plan = j.Intact(), nil
	for _, d := range j.Plan().Decisions {
		r.run.Plan = append(r.run.Plan, report.Decision(d))
	}
}

// look examines the selected variables after the fit.
func (r *recorder) look(ctx context.Context, m *model.Model, table *data.Dataset, p *progress) error {
	chosen := record.Chosen(m, table)
	r.path = r.descent.Path(chosen, table.ColumnName, func(v int) int { return table.Columns[v].Index })
	r.run.Notes = p.notes
	r.run.Data.Bytes, r.run.Data.SHA256 = checksum(ctx, r.run.Data.File)
	if !r.intact {
		return ctx.Err()
	}
	late := slices.DeleteFunc(r.descent.Late(), func(v int) bool { return slices.Contains(chosen, v) })
	var err error
	r.findings, err = record.Inspect(ctx, m, table, late, r.rows)
	return err
}

// attach adds what was recorded to the files of a run folder.
func (r *recorder) attach(f *runFolder, t timing) {
	r.run.Seconds = report.Seconds{Read: t.SecondsRead, Fit: t.SecondsFit}
	add := func(name string, head *report.Header, v any) {
		f.attach(name, func(w io.Writer, model string) error {
			head.Model = model
			return json.NewEncoder(w).Encode(v)
		})
	}
	add(report.RunName, &r.run.Header, &r.run)
	if p := r.path; p != nil {
		add(report.PathName, &p.Header, p)
	}
	if r.findings == nil {
		return
	}
	add(report.DensitiesName, &r.findings.Densities.Header, r.findings.Densities)
	if c := r.findings.Correlation; c != nil {
		add(report.CorrelationName, &c.Header, c)
	}
	if e := r.findings.Examples; e != nil {
		add(report.ExamplesName, &e.Header, e)
	}
}

// typed is the key of the arguments of the program in the context of a command.
type typed struct{}
