package main

import (
	"fmt"
	"math"
	"strconv"

	"fsa"
	"fsa/internal/decimal"
	"fsa/internal/stages"
)

// following tracks the progress of a fit through its stages.
type following struct{ *stages.Fit }

// follow plans the stages of a fit.
func follow(p *fsa.Plan, nested bool, variants int) *following {
	work := stages.Work{Folds: p.Folds, Selections: p.Selections, Variants: variants, Open: p.Open, HalfSamples: p.HalfSamples, Nested: nested, Saving: true}
	return &following{stages.OfFit(work)}
}

// left returns about the least and the most seconds until the end, or −1 if that is not yet known.
func (f *following) left(now stages.State) (least, most float64) {
	return f.Left(now)
}

// says returns the stage, its number, the share of all work that is done and the time left.
func (f *following) says(now stages.State) string {
	text := fmt.Sprintf("%.0f%%  step %d of %d: %s", 100*now.Done, now.Step, now.Steps, now.Title())
	if least, most := f.left(now); least >= 0 {
		text += "  " + between(least, most) + " left"
	}
	return text
}

// between writes a range of times: 20–80 s, 2–7 min.
func between(least, most float64) string {
	unit, size := "s", 1.0
	switch {
	case most >= 2*3600:
		unit, size = "h", 3600
	case most >= 90:
		unit, size = "min", 60
	}
	round := func(v float64) string {
		if v /= size; v >= 10 {
			v = 5 * math.Round(v/5)
		}
		if unit == "h" && v < 10 {
			return decimal.Digits(v, 2)
		}
		return strconv.Itoa(int(math.Round(v)))
	}
	low, high := round(least), round(most)
	if low == high {
		return "about " + high + " " + unit
	}
	return low + "–" + high + " " + unit
}

// stage shows the progress of a fit on the terminal.
func (p *progress) stage(f *following, now stages.State, detail string) {
	p.line(func() string { return f.says(now) + "  " + detail })
}
