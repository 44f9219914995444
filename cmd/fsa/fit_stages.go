package main

import (
	"fmt"
	"time"

	"fsa"
	"fsa/internal/stages"
)

// following tracks the progress of a fit through its stages.
type following struct {
	*stages.Fit
	since time.Time
}

// follow plans the stages of a fit.
func follow(p *fsa.Plan, nested bool, variants int) *following {
	work := stages.Work{Folds: p.Folds, Selections: p.Selections, Variants: variants, HalfSamples: p.HalfSamples, Nested: nested, Saving: true}
	return &following{stages.OfFit(work), time.Now()}
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
	text := fmt.Sprintf("%.0f%%  step %d of %d: %s", 100*now.Done, now.Step, now.Steps, now.Title())
	if left := f.left(now); left >= 0 {
		text += "  " + time.Duration(left*float64(time.Second)).Round(time.Second).String() + " left"
	}
	return text
}

// stage shows the progress of a fit on the terminal.
func (p *progress) stage(f *following, now stages.State, detail string) {
	p.line(func() string { return f.says(now) + "  " + detail })
}
