package serve

import (
	"bytes"
	"context"
	"fmt"
	"runtime/debug"
	"strings"
	"time"

	"fsa"
	"fsa/data"
	"fsa/internal/cuda"
	"fsa/internal/stages"
	"fsa/model"
)

// largeCells is the size of a table from which memory is returned to the system at once.
const largeCells = 16 << 20

// fit trains a model.
func (s *server) fit(ctx context.Context, r *request) (_ *done, err error) {
	f, err := openFiles(ctx, r.Files)
	if err != nil {
		return nil, err
	}
	defer f.close() // no result refers to the files
	defer func() { f.faulted(recover(), &err) }()
	ctx = cuda.Lend(ctx, f.lent)
	s.send(opened{ID: r.ID, Event: "open"})
	o := r.Options.plain()
	checked := o
	checked.Validation.Stability = r.Stability
	if err := checked.Validate(); err != nil {
		return nil, err
	}
	run, err := newRecording(r.Run)
	if err != nil {
		return nil, err
	}
	defer run.close()
	if r.Options.OffsetModel != "" {
		if r.Table.Sums != nil {
			return nil, fmt.Errorf("%w: an offset model needs the rows, and a fit of sums has none: leave it out", fsa.ErrOptions)
		}
		if o.Objective.OffsetModel, err = model.Read(strings.NewReader(r.Options.OffsetModel)); err != nil {
			return nil, err
		}
	}
	if o.Selection.Interactions.Find && r.Table.Sums != nil {
		return nil, fmt.Errorf("%w: interactions need the rows, and a fit of sums has none: leave the interactions out", fsa.ErrOptions)
	}
	if o.Validation.Confidence > 0 {
		if r.Table.Sums != nil {
			return nil, fmt.Errorf("%w: confidence intervals need the rows, and a fit of sums has none: leave confidence out", fsa.ErrOptions)
		}
		o.Validation.Stability = r.Stability // the same half samples, if their number is given
	}
	asked := time.Now()
	d, own, err := r.Table.dataset(ctx, f, o.K)
	if err != nil {
		return nil, err
	}
	if err := r.Table.Sums.setRanges(f, d); err != nil {
		return nil, err
	}
	if d.Rows()*len(d.Columns) > largeCells {
		defer debug.FreeOSMemory()
	}
	r.Options.setLoss(&o, d.Target)
	if r.Table.Fold != nil {
		if o.Validation.FoldOf, err = floats(f, &r.Table.Fold.array); err != nil {
			return nil, err
		}
	}
	if r.Table.Path != nil && !o.Selection.Interactions.Find { // the client did not know the width of a file, so it warns afterwards
		o.K = min(o.K, d.Width())
	}
	kept, err := newKeeper(r.Options.Resume)
	if err != nil {
		return nil, err
	}
	begun := time.Now()
	keep := run.read(d, &r.Table, o.Seed, kept, begun.Sub(asked))
	o.Run.Discard = own && r.Stability == 0 && !r.Options.Nested && !keep
	told := s.follow(r, &o)
	m, job, line, err := s.learn(ctx, r, d, o, &observers{told, kept, run})
	if err != nil {
		return nil, err
	}
	to := &done{ID: r.ID, Event: "done", Rows: d.Rows(), Columns: features(d), Reading: begun.Sub(asked).Seconds(), Seconds: time.Since(begun).Seconds(), Decisions: job.Plan().Decisions, OutOfFold: newOutOfFold(job.Evidence())}
	if r.Table.Sums != nil {
		m = m.WithRows(r.Table.Sums.Rows)
	}
	if to.Model, err = text(m); err != nil {
		return nil, err
	}
	for _, c := range d.LeftOut() {
		to.Left = append(to.Left, left{c.Name, c.Why})
	}
	if line != nil {
		to.Trace = line.trace(m, r.Lines)
	}
	if r.Table.Path != nil {
		to.Names, to.Index = variables(d)
	}
	if r.Stability > 0 {
		if to.Stability, err = agreement(ctx, d, o, m, r.Stability, told); err != nil {
			return nil, err
		}
	}
	if err := r.unchanged(f); err != nil {
		return nil, err
	}
	if err := run.commit(ctx, m, job.Evidence(), d); err != nil {
		return nil, err
	}
	told.end()
	return to, kept.done(m)
}

// observers are told of a fit.
type observers struct {
	told *follower
	kept *keeper
	run  *recording
}

// learn fits a model and reports it.
func (s *server) learn(ctx context.Context, r *request, d *data.Dataset, o fsa.Options, to *observers) (*model.Model, *fsa.Job, *tracer, error) {
	var line *tracer
	if r.Lines > 0 {
		line = &tracer{data: d}
	}
	if r.Events || line != nil || to.run.folder != nil {
		o.Run.Observe = func(p fsa.Progress) {
			if line != nil {
				line.add(&p)
			}
			to.run.epoch(p)
			if r.Events {
				to.told.tell(func(c *stages.Fit) stages.State { return c.Epoch(p.Done) })
				s.send(epoch{ID: r.ID, Event: "epoch", Epoch: p.Epoch.Epoch, Of: p.Epochs, Variables: p.Groups, Loss: finite(p.Loss), Eta: finite(p.Eta), Passes: p.Passes, Done: p.Done})
			}
		}
	}
	o.Run.Record = to.kept.record
	job, err := fsa.Prepare(ctx, d, o)
	if err != nil {
		return nil, nil, nil, err
	}
	to.run.plan(job)
	if err := to.kept.bind(ctx, job, &r.Options); err != nil {
		return nil, nil, nil, err
	}
	to.told.plan(r, job.Plan())
	defer to.kept.follow(ctx)()
	test, err := nested(ctx, d, o, r.Options.Nested)
	to.told.release()
	if err != nil {
		return nil, nil, nil, to.kept.leave(err)
	}
	m, err := job.Run(ctx)
	if err != nil {
		return nil, nil, nil, to.kept.leave(err)
	}
	if test != nil {
		m = m.WithTest(*test)
	}
	return m, job, line, nil
}

// newOutOfFold returns the out-of-fold losses, or nil if they were not asked for.
func newOutOfFold(e *fsa.Evidence) *outOfFold {
	if e == nil || e.Losses == nil {
		return nil
	}
	o := &outOfFold{Fold: e.Fold}
	for row, v := range e.Losses {
		if v == v {
			o.Row, o.Losses = append(o.Row, row), append(o.Losses, finite(v))
		}
	}
	return o
}

// nested cross-validates the whole procedure, if requested.
func nested(ctx context.Context, d *data.Dataset, o fsa.Options, asked bool) (*model.Test, error) {
	if !asked {
		return nil, nil
	}
	o.Run.Observe = nil
	job, err := fsa.Prepare(ctx, d, o)
	if err != nil {
		return nil, err
	}
	folds, err := job.Folds(ctx)
	if err != nil {
		return nil, err
	}
	return fsa.Nested(ctx, d, o, folds)
}

// unchanged returns an error if a program wrote to a table while it was in use.
func (r *request) unchanged(f *files) error {
	path, err := f.changed()
	if err != nil || path == "" {
		return err
	}
	return &data.Error{File: path, Msg: "X changed during the fit: fit a copy, or do not write to it meanwhile"}
}

// text returns the bytes of a model file.
func text(m *model.Model) (string, error) {
	var b bytes.Buffer
	_, err := m.WriteTo(&b)
	return b.String(), err
}

// variables returns the names of the features of a file, nil if it has none, and their positions,
// nil if they are the first columns.
func variables(d *data.Dataset) (names []string, index []int) {
	if d.Sparse() {
		return nil, nil // all columns are features
	}
	for j := range d.Columns {
		if d.Part(j) != "" { // parts of a column follow all whole columns
			continue
		}
		names = append(names, d.ColumnName(j))
		index = append(index, d.Columns[j].Index)
	}
	if d.NamelessWidth() > 0 {
		names = nil
	}
	if index[len(index)-1] == len(index)-1 {
		index = nil
	}
	return names, index
}
