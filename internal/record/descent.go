// Package record keeps what a report wants to know of a fit: the descent while it runs, and
// afterwards how the chosen variables are distributed and what they add to single rows.
package record

import (
	"cmp"
	"math"
	"slices"

	"fsa"
	"fsa/report"
)

const (
	// watched is how many variables may be left for their coefficients to be kept: more
	// lines than that are a grey surface, whatever the size of the table.
	watched = 300
	// kept is how many epochs are kept, the first of them always, since most variables go
	// there; beyond that every other one of the rest is forgotten.
	kept  = 160
	first = 40
	// nearly is how many of the variables that left last are kept.
	nearly = 40
)

// Descent watches the epochs of a fit. It takes the same room however large the table is and
// however long the fit goes on.
type Descent struct {
	before  int // epochs of earlier searches
	stride  int
	epochs  []epoch
	last    *epoch // if it is not among them
	left    map[int]int
	alive   map[int]float64 // after the last epoch; nil while there are too many
	several bool
}

// epoch is one that was kept.
type epoch struct {
	number, alive int
	loss          float64
	values        map[int]float64 // by variable; nil while there are too many
}

// Add takes an epoch.
func (d *Descent) Add(p fsa.Progress) {
	if d.last != nil && p.Groups > d.last.alive { // a new search begins
		*d = Descent{before: d.last.number}
	}
	if d.left == nil {
		d.stride, d.left = 1, map[int]int{}
	}
	now := epoch{number: p.Epoch.Epoch, alive: p.Groups, loss: p.Loss}
	if len(p.Alive) <= watched {
		now.values = make(map[int]float64, len(p.Alive))
		for i, g := range p.Alive {
			beta := p.Layout.Of(p.Beta, i)
			d.several = d.several || len(beta) > 1
			now.values[p.Variable(g)] = length(beta)
		}
		for v := range d.alive {
			if _, stays := now.values[v]; !stays {
				d.left[v] = now.number
			}
		}
		d.alive = now.values
	}
	d.last = &now
	if !d.keeps(now) {
		return
	}
	d.epochs = append(d.epochs, now)
	if len(d.epochs) <= kept {
		return
	}
	d.stride *= 2
	d.epochs = slices.DeleteFunc(d.epochs, func(e epoch) bool { return !d.keeps(e) })
}

func (d *Descent) keeps(e epoch) bool {
	n := e.number - d.before
	return n <= first || n%d.stride == 0
}

// length is a coefficient, or the length of several.
func length(beta []float64) float64 {
	if len(beta) == 1 {
		return beta[0]
	}
	sum := 0.0
	for _, b := range beta {
		sum += b * b
	}
	return math.Sqrt(sum)
}

// Late returns the variables that were dropped last, the last one first.
func (d *Descent) Late() []int {
	var list []int
	for v := range d.left {
		list = append(list, v)
	}
	slices.SortFunc(list, func(a, b int) int {
		return cmp.Or(cmp.Compare(d.left[b], d.left[a]), cmp.Compare(math.Abs(d.lastOf(b)), math.Abs(d.lastOf(a))), cmp.Compare(a, b))
	})
	return list[:min(len(list), nearly)]
}

// lastOf returns the last value of a variable that was kept.
func (d *Descent) lastOf(v int) float64 {
	for _, e := range slices.Backward(d.epochs) {
		if x, ok := e.values[v]; ok {
			return x
		}
	}
	return 0
}

// Path returns what was kept. Chosen are variables of the table, and name and column say
// what they are called there and where they stand. It is nil where there were no epochs.
func (d *Descent) Path(chosen []int, name func(v int) string, column func(v int) int) *report.Path {
	if d.last == nil {
		return nil
	}
	epochs := d.epochs
	if n := len(epochs); n == 0 || epochs[n-1].number != d.last.number {
		epochs = append(slices.Clone(epochs), *d.last)
	}
	p := &report.Path{Measure: "coefficient of the scaled variable"}
	if d.several {
		p.Measure = "length of the coefficients"
	}
	for _, e := range epochs {
		p.Epochs, p.Alive, p.Loss = append(p.Epochs, e.number), append(p.Alive, e.alive), append(p.Loss, finite(e.loss))
	}
	add := func(v int, chosen bool) {
		l := report.PathLine{Name: name(v), Index: column(v), Chosen: chosen, Left: d.left[v], Values: []float64{}}
		for i, e := range epochs {
			if x, ok := e.values[v]; ok {
				if len(l.Values) == 0 {
					l.From = i
				}
				l.Values = append(l.Values, round(x))
			}
		}
		p.Lines = append(p.Lines, l)
	}
	for _, v := range chosen {
		add(v, true)
	}
	for _, v := range d.Late() {
		if !slices.Contains(chosen, v) {
			add(v, false)
		}
	}
	return p
}

// round keeps the digits that a picture can show.
func round(x float64) float64 {
	if x == 0 || !(math.Abs(x) < 1e300) {
		return finite(x)
	}
	unit := math.Pow(10, 4-math.Floor(math.Log10(math.Abs(x))))
	if math.IsInf(unit, 0) || unit == 0 {
		return x
	}
	return math.Round(x*unit) / unit
}

// finite returns a number that JSON can hold.
func finite(x float64) float64 {
	if math.IsNaN(x) {
		return 0
	}
	return max(min(x, math.MaxFloat64), -math.MaxFloat64)
}
