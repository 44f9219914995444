package main

import (
	"fmt"
	"sync/atomic"
	"time"

	"fsa"
	"fsa/internal/stages"
)

// The stages of a fit, by their names in progress reports.
const (
	stageNested   = "nested cross-validation"
	stageFolds    = "folds"
	stageTraining = "training"
	stageHalves   = "half samples"
	stageSaving   = "saving"
)

// The costs of stages, relative to a fit of all rows. They are estimates for the bar: a fold trains
// on fewer rows, a half sample on half of them, and folds are also used to improve the best recipe.
const (
	costFold   = 0.8
	costHalf   = 0.6
	costSaving = 0.2
	counted    = 0.75 // share of the cost of folds before the best recipe is improved
)

// stageTitles are the names of the stages for users.
var stageTitles = map[string]string{
	stageNested: "nested cross-validation", stageFolds: "cross-validation", stageTraining: "training on all rows",
	stageHalves: "half samples", stageSaving: "measuring and saving",
}

// following tracks the progress of a fit through its stages.
type following struct {
	*stages.Tracker
	since    time.Time
	improves atomic.Bool // the folds are counted, and the best recipe is being improved
}

// follow plans the stages of a fit.
func follow(o *fsa.Options, p *fsa.Plan, nested bool, variants int) *following {
	folds := costFold * float64(p.Folds*max(p.Selections, 1))
	plan := []stages.Stage{
		{Name: stageNested, Rounds: max(p.Folds, 1) * variants},
		{Name: stageFolds, Cost: folds * float64(variants), Rounds: variants},
		{Name: stageTraining, Cost: 1},
		{Name: stageHalves, Cost: costHalf * float64(2*o.Validation.Stability)},
		{Name: stageSaving, Cost: costSaving},
	}
	if nested {
		plan[0].Cost = float64(plan[0].Rounds) * costFold * (folds + 1)
	}
	return &following{Tracker: stages.New(plan...), since: time.Now()}
}

// epoch records an epoch of training.
func (f *following) epoch(p fsa.Progress) stages.State { return f.Report(stageTraining, p.Done) }

// count records that done of total steps of a stage are complete.
func (f *following) count(stage string, done, total int) stages.State {
	share := float64(done) / float64(max(total, 1))
	if stage == stageFolds {
		f.improves.Store(done >= total)
		share *= counted
	}
	return f.Report(stage, share)
}

// compared records a point of the curve of error against size.
func (f *following) compared() stages.State {
	if !f.improves.Load() {
		return f.State()
	}
	return f.Advance(stageFolds)
}

// left estimates the seconds until the end, or returns −1 if that is not yet known.
func (f *following) left(now stages.State) float64 {
	const known = 0.02
	if now.Done < known {
		return -1
	}
	return time.Since(f.since).Seconds() * (1 - now.Done) / now.Done
}

// says returns the stage, its number, the share of all work that is done and the time left.
func (f *following) says(now stages.State) string {
	text := fmt.Sprintf("%.0f%%  step %d of %d: %s", 100*now.Done, now.Step, now.Steps, stageTitles[now.Stage])
	if left := f.left(now); left >= 0 {
		text += "  " + time.Duration(left*float64(time.Second)).Round(time.Second).String() + " left"
	}
	return text
}

// stage shows the progress of a fit on the terminal.
func (p *progress) stage(f *following, now stages.State, detail string) {
	p.line(func() string { return f.says(now) + "  " + detail })
}
