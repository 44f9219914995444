package main

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"time"

	"fsa"
	"fsa/data"
	"fsa/internal/atomicfile"
	"fsa/internal/record"
	"fsa/model"
	"fsa/report"
)

const (
	// keptCells is how many cells a table may have to stay in memory as it was, so that the
	// chosen variables can be looked at once more where nothing else keeps it.
	keptCells = 1 << 24
	// hashedBytes is how large a file may be for its checksum to be worth the time.
	hashedBytes = 1 << 30
)

// recorder gathers what the report shows of a run beside its model.
type recorder struct {
	run      report.RunRecord
	descent  record.Descent
	path     *report.Path
	findings *record.Findings
	rows     bool // single rows may be kept
	intact   bool // the table can be looked at after the fit
	written  []string
}

// recorder begins to record a run.
func (f *runFolder) recorder(ctx context.Context, t *fitTask, table *data.Dataset) *recorder {
	if f == nil {
		return nil
	}
	r := &f.record
	words, _ := ctx.Value(typed{}).([]string)
	r.rows = !t.noRows
	r.run = report.RunRecord{
		Command: words, Version: version(), System: runtime.GOOS + "/" + runtime.GOARCH,
		Started: time.Now().UTC().Format(time.RFC3339), Seed: t.options.Seed,
		Data: report.Source{File: t.path, Rows: table.Rows(), Columns: table.Width()},
	}
	for i := range table.Columns {
		r.run.Data.Missing += int64(table.Columns[i].Missing)
	}
	return r
}

// small says whether a table may stay in memory as it was.
func small(t *data.Dataset) bool {
	return float64(t.Rows())*float64(len(t.Columns)) <= keptCells
}

// plan records what was decided before the fit.
func (r *recorder) plan(j *fsa.Job) {
	r.intact = j.Intact()
	for _, d := range j.Plan().Decisions {
		r.run.Plan = append(r.run.Plan, report.Decision(d))
	}
}

// look looks at the chosen variables once more.
func (r *recorder) look(ctx context.Context, m *model.Model, table *data.Dataset, p *progress) error {
	var chosen []int
	for _, v := range m.Selected() {
		if at := slices.IndexFunc(table.Columns, func(c data.Column) bool { return c.Index == v.Index }); at >= 0 {
			chosen = append(chosen, at)
		}
	}
	r.path = r.descent.Path(chosen, table.ColumnName, func(v int) int { return table.Columns[v].Index })
	r.run.Notes = p.notes
	r.run.Data.Bytes, r.run.Data.SHA256 = checksum(ctx, r.run.Data.File)
	if !r.intact {
		return ctx.Err()
	}
	late := slices.DeleteFunc(r.descent.Late(), func(v int) bool { return slices.Contains(chosen, v) })
	var err error
	r.findings, err = record.Look(ctx, m, table, late, r.rows)
	return err
}

// checksum returns the size of a file and, unless it is very large, its checksum.
func checksum(ctx context.Context, path string) (int64, string) {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() {
		return 0, ""
	}
	f, err := os.Open(path)
	if err != nil || info.Size() > hashedBytes {
		return info.Size(), ""
	}
	defer f.Close()
	sum := sha256.New()
	for piece := int64(1 << 24); ctx.Err() == nil; {
		if _, err := io.CopyN(sum, f, piece); errors.Is(err, io.EOF) {
			return info.Size(), hashName(sum)
		} else if err != nil {
			break
		}
	}
	return info.Size(), ""
}

// files returns the files that belong to a model, not yet under their names.
func (r *recorder) files(folder, model string, t timing) (files []*atomicfile.File, err error) {
	if r.run.Version == "" { // nothing was recorded
		return nil, nil
	}
	defer func() {
		if err != nil {
			for _, f := range files {
				f.Abort()
			}
			files = nil
		}
	}()
	head := report.Header{Model: model}
	r.run.Header, r.run.Seconds = head, report.Seconds{Read: t.SecondsRead, Fit: t.SecondsFit}
	all := map[string]any{report.RunName: &r.run}
	if r.path != nil {
		r.path.Header = head
		all[report.PathName] = r.path
	}
	if f := r.findings; f != nil {
		f.Densities.Header = head
		all[report.DensitiesName] = f.Densities
		if f.Correlation != nil {
			f.Correlation.Header = head
			all[report.CorrelationName] = f.Correlation
		}
		if f.Examples != nil {
			f.Examples.Header = head
			all[report.ExamplesName] = f.Examples
		}
	}
	for _, name := range report.Recorded {
		v, ok := all[name]
		if !ok {
			continue
		}
		f, err := atomicfile.Create(filepath.Join(folder, name))
		if err != nil {
			return files, err
		}
		files = append(files, f)
		if err := json.NewEncoder(f).Encode(v); err != nil {
			return files, err
		}
		r.written = append(r.written, name)
	}
	return files, nil
}

// sweep removes what an earlier run has recorded and this one has not.
func (r *recorder) sweep(folder string) error {
	for _, name := range report.Recorded {
		if slices.Contains(r.written, name) {
			continue
		}
		if err := os.Remove(filepath.Join(folder, name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}
