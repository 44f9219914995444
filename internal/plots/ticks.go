package plots

import (
	"cmp"
	"math"
	"strconv"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"

	"fsa/internal/decimal"
)

const (
	usualMarks = 10
	longLabels = 1e5 // above this, labels are so long that only half as many marks fit,
	mostZeros  = 8   // labels of multiples of a larger power of ten have exponents
	exponents  = 1e8 // labels of marks at powers of ten have exponents from here on
)

// Ticks puts marks at round numbers, all of them labelled. The plot library puts fewer.
type Ticks struct {
	Whole bool // at whole numbers only
	Most  int  // about how many fit; 0 means usualMarks
	Apart bool // labels never overlap, whatever their length
	// Room is the length of the axis, if labels are beside each other along it; 0 means that there is enough.
	Room vg.Length
}

var _ plot.Ticker = Ticks{}

// Ticks returns the marks between low and high.
func (t Ticks) Ticks(low, high float64) []plot.Tick {
	if a := max(math.Abs(low), math.Abs(high)); !t.Apart && t.Room == 0 && a >= longLabels && -digitsOf(t.step(high-low)) <= mostZeros {
		t.Most = (cmp.Or(t.Most, usualMarks) + 1) / 2
	}
	if t.Room > 0 {
		for t.Most = cmp.Or(t.Most, usualMarks); t.Most > 2 && !t.fits(low, high); t.Most-- {
		}
		return marksAt(low, high, t.step(high-low))
	}
	step := t.step(high - low)
	marks := marksAt(low, high, step)
	if len(marks) < 2 && low < high { // one mark alone shows no scale
		t.Most = 2 * cmp.Or(t.Most, usualMarks)
		return marksAt(low, high, t.step(high-low))
	}
	return marks
}

// fits reports whether there is room for the labels of the marks.
func (t Ticks) fits(low, high float64) bool {
	marks := marksAt(low, high, t.step(high-low))
	return len(apart(marks, func(v float64) vg.Length { return t.Room * vg.Length((v-low)/(high-low)) })) == len(marks)
}

// apart returns the marks whose labels do not overlap that of a mark before them.
func apart(marks []plot.Tick, at func(v float64) vg.Length) (list []plot.Tick) {
	const gap vg.Length = 6
	style, free := Lettering(markSize, text.XCenter, text.YTop), vg.Length(math.Inf(-1))
	for _, m := range marks {
		half := style.Width(m.Label) / 2
		if at(m.Value)-half >= free {
			list, free = append(list, m), at(m.Value)+half+gap
		}
	}
	return list
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

// digitsOf returns the number of digits after the point of the multiples of a step; a negative number is one of zeros before it.
func digitsOf(step float64) int { return -int(math.Floor(math.Log10(step) + 1e-9)) }

// label writes a mark with the digits that distinguish it from the next one.
func label(value, step float64) string {
	digits := digitsOf(step)
	var s string
	switch {
	case value == 0:
		s = "0"
	case digits > 4 || digits < -mostZeros:
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
