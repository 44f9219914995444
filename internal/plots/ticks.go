package plots

import (
	"cmp"
	"math"
	"strconv"

	"gonum.org/v1/plot"

	"fsa/internal/decimal"
)

const (
	usualMarks = 10
	longLabels = 1e5 // above this, labels are so long that only half as many marks fit,
	exponents  = 1e8 // and above this, they have exponents
)

// Ticks puts marks at round numbers, all of them labelled. The plot library puts fewer.
type Ticks struct {
	Whole bool // at whole numbers only
	Most  int  // about how many fit; 0 means usualMarks
	Apart bool // labels never overlap, whatever their length
}

var _ plot.Ticker = Ticks{}

// Ticks returns the marks between low and high.
func (t Ticks) Ticks(low, high float64) []plot.Tick {
	if a := max(math.Abs(low), math.Abs(high)); !t.Apart && a >= longLabels && a < exponents {
		t.Most = (cmp.Or(t.Most, usualMarks) + 1) / 2
	}
	step := t.step(high - low)
	marks := marksAt(low, high, step)
	if len(marks) < 2 && low < high { // one mark alone shows no scale
		t.Most = 2 * cmp.Or(t.Most, usualMarks)
		return marksAt(low, high, t.step(high-low))
	}
	return marks
}

// marksAt returns the marks at the multiples of a step: one if floating-point numbers cannot tell the next multiple apart.
func marksAt(low, high, step float64) (marks []plot.Tick) {
	for i := math.Ceil(low/step - 1e-9); i*step <= high+1e-9*step; i++ {
		marks = append(marks, plot.Tick{Value: i * step, Label: label(i*step, step)})
		if i+1 == i {
			break
		}
	}
	return marks
}

// step returns the distance of marks: 1, 2 or 5 times a power of ten.
func (t Ticks) step(span float64) float64 {
	raw := span / float64(cmp.Or(t.Most, usualMarks))
	power := math.Pow(10, math.Floor(math.Log10(raw)))
	step := 10 * power
	for _, m := range []float64{5, 2, 1} {
		if m*power >= raw {
			step = m * power
		}
	}
	if t.Whole {
		step = max(step, 1)
	}
	return step
}

// label writes a mark with the digits that distinguish it from the next one.
func label(value, step float64) string {
	digits := -int(math.Floor(math.Log10(step) + 1e-9))
	var s string
	switch {
	case value == 0:
		s = "0"
	case digits > 4 || digits < -6:
		s = strconv.FormatFloat(value, 'g', 3, 64)
	case digits <= 0:
		s = decimal.Count(int(math.Round(value)))
	default:
		s = strconv.FormatFloat(value, 'f', digits, 64)
	}
	return decimal.Typeset(s)
}

// PowerTicks puts marks at powers of ten, and if there are few also between them.
type PowerTicks struct{}

var _ plot.Ticker = PowerTicks{}

// Ticks returns the marks between low and high, which are positive.
func (PowerTicks) Ticks(low, high float64) []plot.Tick {
	if high < 10*low {
		return Ticks{Most: 4}.Ticks(low, high)
	}
	between := []float64{1}
	if math.Log10(high/low) < 3 {
		between = []float64{1, 3}
	}
	var marks []plot.Tick
	for e := math.Floor(math.Log10(low)); e <= math.Ceil(math.Log10(high)); e++ {
		for _, m := range between {
			if v := m * math.Pow(10, e); v >= low*(1-1e-9) && v <= high*(1+1e-9) {
				label := decimal.Digits(v, 1)
				if v >= exponents {
					label = decimal.Typeset(strconv.FormatFloat(v, 'g', -1, 64))
				}
				marks = append(marks, plot.Tick{Value: v, Label: label})
			}
		}
	}
	return marks
}
