package serve

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"strings"
	"time"

	"fsa"
	"fsa/data"
	"fsa/internal/checkpoint"
	"fsa/internal/manifest"
	"fsa/internal/runs"
	"fsa/model"
	"fsa/report"
)

// inMemory is the name in a run folder of a table that is not a file.
const inMemory = tableName + " in memory"

// running asks for a run folder, as the command writes with --out.
type running struct {
	Folder string `json:"folder"`
	Call   string `json:"call"` // what the user wrote, in the words of the client
}

// reporting asks for the report of a model.
type reporting struct {
	Name   string `json:"name"`
	Folder string `json:"folder"` // run folder of the fit; empty for none
}

// reported is a report.
type reported struct {
	ID    int64  `json:"id"`
	Event string `json:"event"`
	Page  string `json:"page"`
}

// recording writes the run folder of a fit. Without a folder it does nothing.
type recording struct {
	*running
	folder *runs.Folder
	record *runs.Recorder
	begun  time.Time
	took   runs.Timing
}

// newRecording creates the folder, or fails before any work is done.
func newRecording(r *running) (*recording, error) {
	w := &recording{running: r}
	if r == nil {
		return w, nil
	}
	var err error
	if w.folder, err = runs.New(r.Folder); errors.As(err, new(*runs.BusyError)) {
		err = fmt.Errorf("%w: run_folder: %w: wait until it has ended, or name another folder", fsa.ErrOptions, err)
	}
	return w, ofPath("run_folder", err)
}

// close removes what is unfinished.
func (w *recording) close() {
	if w.folder != nil {
		w.folder.Abort()
	}
}

// read starts to record a fit of a table, which took some time to read, and says whether the fit must
// not overwrite it.
func (w *recording) read(d *data.Dataset, t *table, seed uint64, k *keeper, took time.Duration) (keep bool) {
	if w.folder == nil {
		return false
	}
	run := runs.NewRecord(nil, inMemory, seed)
	run.Call = w.Call
	if t.Path != nil {
		run.Data.File, run.Data.SQL = t.Path.Path, t.Path.SQL
	}
	for _, c := range d.LeftOut() {
		run.Notes = append(run.Notes, fmt.Sprintf("column %s is left out as an identifier (%s)", c.Name, c.Why))
	}
	w.record, w.begun, w.took.SecondsRead = runs.NewRecorder(run, d), time.Now(), took.Seconds()
	if k.record != nil {
		of := (*checkpoint.Record)(k.record)
		w.folder.Earlier = of.Seen().Events
		w.record.Descent.Resume(of.Seen().Descent, len(d.Columns))
		of.Watch(func() checkpoint.Seen {
			return checkpoint.Seen{Events: w.folder.Written(), Descent: w.record.Descent.State()}
		})
	}
	return runs.Small(d)
}

// plan records the decisions before the fit.
func (w *recording) plan(job *fsa.Job) {
	if w.folder != nil {
		w.record.Plan(job)
	}
}

// epoch records an epoch.
func (w *recording) epoch(p fsa.Progress) {
	if w.folder != nil {
		w.folder.Epoch(p, time.Since(w.begun))
		w.record.Descent.Add(p)
	}
}

// commit writes the folder of a complete fit.
func (w *recording) commit(ctx context.Context, m *model.Model, e *fsa.Evidence, d *data.Dataset) error {
	if w.folder == nil {
		return nil
	}
	w.took.SecondsFit, w.took.BytesRead = time.Since(w.begun).Seconds(), d.BytesRead()
	w.folder.AttachValidation(m.Validation(), e, d.Target, nil, runs.Told{Rows: true, Folds: true})
	w.folder.AttachStability(m)
	if err := w.record.Look(ctx, m, d, w.record.Run.Notes); err != nil {
		return err
	}
	w.record.Attach(w.folder, w.took)
	return w.folder.Commit(m, w.took)
}

// report returns the report of a model: what the model itself has and, if its run folder is named,
// what is there.
func (s *server) report(r *request) (*reported, error) {
	m, err := model.Read(strings.NewReader(r.Model))
	if err != nil {
		return nil, err
	}
	sum := sha256.New()
	sum.Write([]byte(r.Model))
	run, err := runs.Read(m, manifest.Sum(sum), r.Report.Folder)
	if err != nil {
		return nil, err
	}
	if r.Report.Name != "" {
		run.Name = r.Report.Name
	}
	var page bytes.Buffer
	err = report.Write(&page, run)
	return &reported{ID: r.ID, Event: "done", Page: page.String()}, err
}
