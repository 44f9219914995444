package main

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"sync/atomic"
	"time"

	"fsa"
	"fsa/data"
	"fsa/internal/live"
	"fsa/internal/stages"
	"fsa/model"
)

// watch has the state of a running fit, for the page of --live and for fsa view, which reads it
// from the run folder. It is nil if there is neither.
type watch struct {
	*live.Board
	server  *live.Server // nil without --live
	kept    func()       // stops writing the file in the run folder
	start   time.Time
	stopped atomic.Bool
	table   *data.Dataset
	read    int64     // bytes read from the table, at the last update
	last    time.Time // time of that update
}

// strongest is the number of coefficients that the page shows.
const strongest = 12

// newWatch watches a fit that writes its results to a folder, and serves a page if requested.
func newWatch(ctx context.Context, t *fitTask, p *progress) (*watch, error) {
	w := &watch{start: time.Now()}
	if t.live {
		var err error
		if w.server, err = live.Listen(ctx, runTitle(t.path, t.out), func() { w.stopped.Store(true) }); err != nil {
			return nil, err
		}
		w.Board = w.server.Board
	} else {
		w.Board = live.NewBoard(keptEvery)
	}
	w.kept = keepBoard(w.Board, filepath.Join(t.out, progressName))
	w.Show(live.Now{Stage: "Reading the table …", Left: -1})
	if t.live {
		p.say("watch it at %s", w.server.Address())
	}
	p.heard = w.Say // from here on: the page does not need its own address
	if t.open {
		if err := openBrowser(w.server.Address()); err != nil {
			p.say("no browser could be opened: %v", err)
		}
	}
	return w, nil
}

// close ends the page and the file.
func (w *watch) close() {
	if w.server != nil {
		w.server.Close()
	}
	w.kept()
}

// begin records that the table has been read.
func (w *watch) begin(table *data.Dataset) {
	w.table, w.start, w.last = table, time.Now(), time.Now()
	w.read = table.BytesRead()
	w.Show(w.now(fmt.Sprintf("Preparing %d rows of %d variables …", table.Rows(), table.Width()), 0))
}

// stage shows the progress of a stage without epochs.
func (w *watch) stage(f *following, at stages.State, detail string) {
	now := w.now(fmt.Sprintf("Step %d of %d: %s, %s", at.Step, at.Steps, at.Title(), detail), at.Done)
	now.Step, now.Steps = at.Step, at.Steps
	now.Left, now.LeftMost = f.left(at)
	w.Show(now)
}

// curve shows a point of the curve of error against size.
func (w *watch) curve(p fsa.CurvePoint) {
	if p.First {
		w.BeginCurve(p.Measure, model.LargerIsBetter(p.Measure))
	}
	w.Fill(live.CurvePoint{Size: p.Size, Folds: p.Folds, Of: p.Of, Mean: p.Mean, SE: p.SE})
}

// epoch shows an epoch, if an update is due.
func (w *watch) epoch(p fsa.Progress, f *following, at stages.State) {
	if !w.Due() && p.Epoch.Epoch < p.Epochs {
		w.Remember(live.Point{Epoch: p.Epoch.Epoch, Variables: p.Groups, Loss: finiteOr0(p.Loss)})
		return
	}
	now := w.now(fmt.Sprintf("Step %d of %d: %s, dropping the weakest variables", at.Step, at.Steps, at.Title()), at.Done)
	now.Epoch, now.Epochs, now.Variables, now.Loss, now.Strongest = p.Epoch.Epoch, p.Epochs, p.Groups, finiteOr0(p.Loss), w.strongest(p)
	now.Step, now.Steps = at.Step, at.Steps
	now.Left, now.LeftMost = f.left(at)
	w.Show(now)
}

// now updates the values that are shown in every stage: time, memory and bytes read from disk.
func (w *watch) now(stage string, done float64) live.Now {
	now := live.Now{Stage: stage, Done: done, Seconds: time.Since(w.start).Seconds(), Left: -1, Memory: memoryInUse()}
	if read := w.table.BytesRead(); read > 0 {
		now.ReadRate = float64(read-w.read) / max(time.Since(w.last).Seconds(), 1e-3)
		w.read, w.last = read, time.Now()
	}
	return now
}

// strongest returns some of the remaining variables with the largest coefficients. If there are
// very many variables, only the first are considered, to keep the cost low.
func (w *watch) strongest(p fsa.Progress) []live.Strength {
	const looked = 10_000
	if len(p.Alive) > looked {
		return nil
	}
	type living struct {
		at   int
		size float64
	}
	var all []living
	for i := range p.Alive {
		sum := 0.0
		for _, b := range p.Layout.Of(p.Beta, i) {
			sum += b * b
		}
		all = append(all, living{i, sum})
	}
	slices.SortFunc(all, func(a, b living) int { return cmp.Compare(b.size, a.size) })
	var list []live.Strength
	for _, l := range all[:min(len(all), strongest)] {
		beta := p.Layout.Of(p.Beta, l.at)
		v := beta[0]
		if len(beta) > 1 {
			v = math.Sqrt(l.size)
		}
		list = append(list, live.Strength{Name: w.table.ColumnName(p.Variable(p.Alive[l.at])), Value: finiteOr0(v)})
	}
	return list
}

func finiteOr0(v float64) float64 {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return 0
	}
	return v
}

// finish turns the page into the report of the run folder, and waits until a browser has had time
// to fetch it.
func (w *watch) finish(ctx context.Context, folder string, p *progress) {
	if w.server == nil {
		return
	}
	page, err := reportPage(ctx, folder)
	if err != nil {
		p.note("there is no report: %s", message(err))
	}
	w.server.Finish(page)
	w.server.Linger(ctx)
}

// runTitle names a run for the page.
func runTitle(path, out string) string {
	return filepath.Base(path) + " → " + filepath.Base(out)
}
