package main

import (
	"fmt"
	"sync/atomic"
	"time"

	"fsa"
	"fsa/internal/course"
)

// The stages of a fit, by the names that the fit itself counts them by.
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

// stageTitles are the stages in words.
var stageTitles = map[string]string{
	stageNested: "nested cross-validation", stageFolds: "cross-validation", stageTraining: "training on all rows",
	stageHalves: "half samples", stageSaving: "measuring and saving",
}

// following is the course of a fit: the plan of its stages, and how far it is.
type following struct {
	*course.Course
	since    time.Time
	improves atomic.Bool // the folds are counted, and the best recipe is being improved
}

// follow plans the stages of a fit.
func follow(o *fsa.Options, p *fsa.Plan, nested bool, variants int) *following {
	folds := costFold * float64(p.Folds*max(p.Selections, 1))
	stages := []course.Stage{
		{Name: stageNested, Rounds: max(p.Folds, 1) * variants},
		{Name: stageFolds, Cost: folds * float64(variants), Rounds: variants},
		{Name: stageTraining, Cost: 1},
		{Name: stageHalves, Cost: costHalf * float64(2*o.Validation.Stability)},
		{Name: stageSaving, Cost: costSaving},
	}
	if nested {
		stages[0].Cost = float64(stages[0].Rounds) * costFold * (folds + 1)
	}
	return &following{Course: course.New(stages...), since: time.Now()}
}

// epoch records an epoch of the training.
func (f *following) epoch(p fsa.Progress) course.Now { return f.Tell(stageTraining, p.Done) }

// count records what is counted of a stage.
func (f *following) count(stage string, done, total int) course.Now {
	share := float64(done) / float64(max(total, 1))
	if stage == stageFolds {
		f.improves.Store(done >= total)
		share *= counted
	}
	return f.Tell(stage, share)
}

// compared records a point of the curve of error against size.
func (f *following) compared() course.Now {
	if !f.improves.Load() {
		return f.Now()
	}
	return f.Creep(stageFolds)
}

// left estimates the seconds until the end; −1 while that is not known.
func (f *following) left(now course.Now) float64 {
	const known = 0.02
	if now.Done < known {
		return -1
	}
	return time.Since(f.since).Seconds() * (1 - now.Done) / now.Done
}

// says names the stage, its number, the share of all work that is done and the time left.
func (f *following) says(now course.Now) string {
	text := fmt.Sprintf("%.0f%%  step %d of %d: %s", 100*now.Done, now.Step, now.Steps, stageTitles[now.Stage])
	if left := f.left(now); left >= 0 {
		text += "  " + time.Duration(left*float64(time.Second)).Round(time.Second).String() + " left"
	}
	return text
}

// stage shows on the terminal how far a fit is.
func (p *progress) stage(f *following, now course.Now, detail string) {
	p.line(func() string { return f.says(now) + "  " + detail })
}
