package runs

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

// Recorder collects what the report shows about a run besides its model.
type Recorder struct {
	Run     report.RunRecord
	Descent record.Descent
	Rows    bool // single rows may be written
	Intact  bool // the table can be examined after the fit

	path     *report.Path
	findings *record.Findings
}

// NewRecorder starts to record a run on a table.
func NewRecorder(run report.RunRecord, table *data.Dataset) *Recorder {
	r := &Recorder{Run: run, Rows: true}
	r.Run.Data.Rows, r.Run.Data.Columns = table.Rows(), table.Width()
	for i := range table.Columns {
		r.Run.Data.Missing += int64(table.Columns[i].Missing)
	}
	return r
}

// NewRecord records what is known before anything has been read: the words of the command, the path
// of the table and the seed.
func NewRecord(command []string, path string, seed uint64) report.RunRecord {
	return report.RunRecord{
		Command: command, Version: version.String(), System: runtime.GOOS + "/" + runtime.GOARCH,
		Started: time.Now().UTC().Format(time.RFC3339), Seed: seed, Data: report.Source{File: path},
	}
}

// Small reports whether a table may stay in memory unchanged.
func Small(t *data.Dataset) bool {
	return float64(t.Rows())*float64(len(t.Columns)) <= keptCells
}

// Plan records the decisions before the fit.
func (r *Recorder) Plan(j *fsa.Job) {
	r.Intact, r.Run.Plan = j.Intact(), nil
	for _, d := range j.Plan().Decisions {
		r.Run.Plan = append(r.Run.Plan, report.Decision(d))
	}
}

// Look examines the selected variables after the fit, and records what was noted during it.
func (r *Recorder) Look(ctx context.Context, m *model.Model, table *data.Dataset, notes []string) error {
	chosen := record.Chosen(m, table)
	r.path = r.Descent.Path(chosen, table.ColumnName, func(v int) int { return table.Columns[v].Index })
	r.Run.Notes = notes
	r.Run.Data.Bytes, r.Run.Data.SHA256 = Checksum(ctx, r.Run.Data.File)
	if !r.Intact {
		return ctx.Err()
	}
	late := slices.DeleteFunc(r.Descent.Late(), func(v int) bool { return slices.Contains(chosen, v) })
	var err error
	r.findings, err = record.Inspect(ctx, m, table, late, r.Rows)
	return err
}

// Attach adds what was recorded to the files of a run folder.
func (r *Recorder) Attach(f *Folder, t Timing) {
	r.Run.Seconds = report.Seconds{Read: t.SecondsRead, Fit: t.SecondsFit}
	add := func(name string, head *report.Header, v any) {
		f.Attach(name, func(w io.Writer, model string) error {
			head.Model = model
			return json.NewEncoder(w).Encode(v)
		})
	}
	add(report.RunName, &r.Run.Header, &r.Run)
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
