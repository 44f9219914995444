package report

import (
	"math"
	"strconv"
	"strings"

	"gonum.org/v1/plot"
)

// ticks puts marks at round numbers, all of them labelled: at least four and at
// most about ten. Those of the plot library are fewer than a reader wants.
type ticks struct {
	whole bool // at whole numbers only
}

var _ plot.Ticker = ticks{}

// Ticks returns the marks between low and high.
func (t ticks) Ticks(low, high float64) []plot.Tick {
	step := t.step(high - low)
	var marks []plot.Tick
	for i := math.Ceil(low/step - 1e-9); i*step <= high+1e-9*step; i++ {
		marks = append(marks, plot.Tick{Value: i * step, Label: label(i*step, step)})
	}
	return marks
}

// step returns the distance of marks: 1, 2 or 5 times a power of ten.
func (t ticks) step(span float64) float64 {
	raw := span / 10
	power := math.Pow(10, math.Floor(math.Log10(raw)))
	step := 10 * power
	for _, m := range []float64{5, 2, 1} {
		if m*power >= raw {
			step = m * power
		}
	}
	if t.whole {
		step = max(step, 1)
	}
	return step
}

// label writes a mark with the digits that tell it from the next one.
func label(value, step float64) string {
	digits := -int(math.Floor(math.Log10(step) + 1e-9))
	var s string
	switch {
	case value == 0:
		s = "0"
	case digits > 4 || digits < -6:
		s = strconv.FormatFloat(value, 'g', 3, 64)
	default:
		s = strconv.FormatFloat(value, 'f', max(digits, 0), 64)
	}
	return strings.ReplaceAll(s, "-", "−")
}
