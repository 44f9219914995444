// Package record collects the data of a report: the descent while it runs, and afterwards the
// distributions of the selected variables and their effects in single rows.
package record

import (
	"cmp"
	"encoding/json"
	"math"
	"slices"
	"sync"

	"fsa"
	"fsa/report"
)

const (
	// watched is the number of remaining variables from which on their coefficients are recorded:
	// more lines would be a grey surface, whatever the size of the table.
	watched = 300
	// kept is the number of recorded epochs, always with the first ones, because most variables are
	// dropped there; above it, every second one of the rest is dropped.
	kept  = 160
	first = 40
	// nearly is the number of recorded variables that were dropped last.
	nearly = 40
)

// Descent records the epochs of a fit. Its size does not grow with the table or the time of the
// fit.
type Descent struct {
	mu sync.Mutex
	descent
}

// descent is the state of a Descent. A checkpoint stores it as JSON.
type descent struct {
	Before  int            `json:"before"` // epochs of earlier searches
	Stride  int            `json:"stride"`
	Epochs  []epoch        `json:"epochs"`
	Last    *epoch         `json:"last"`            // if it is not among them
	Left    map[int]int    `json:"left"`            // the epoch in which a variable was dropped
	Alive   map[int]number `json:"alive,omitempty"` // after the last epoch; nil while there are too many
	Several bool           `json:"several,omitempty"`
}

// epoch is a recorded epoch.
type epoch struct {
	Number int            `json:"number"`
	Alive  int            `json:"alive"`
	Loss   number         `json:"loss"`
	Values map[int]number `json:"values,omitempty"` // by variable; nil while there are too many
}

// number is written to JSON as a finite number: NaN as zero, and an infinity as the largest one.
type number float64

func (n number) MarshalJSON() ([]byte, error) { return json.Marshal(finite(float64(n))) }

// Add records an epoch.
func (d *Descent) Add(p fsa.Progress) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.Last != nil && p.Epoch.Epoch <= d.Last.Number { // it was recorded before the fit was stopped
		return
	}
	if d.Last != nil && p.Groups > d.Last.Alive { // a new search begins
		d.descent = descent{Before: d.Last.Number}
	}
	if d.Left == nil {
		d.Stride, d.Left = 1, map[int]int{}
	}
	now := epoch{Number: p.Epoch.Epoch, Alive: p.Groups, Loss: number(p.Loss)}
	if len(p.Alive) <= watched {
		now.Values = make(map[int]number, len(p.Alive))
		for i, g := range p.Alive {
			beta := p.Layout.Of(p.Beta, i)
			d.Several = d.Several || len(beta) > 1
			now.Values[p.Variable(g)] = number(length(beta))
		}
		for v := range d.Alive {
			if _, stays := now.Values[v]; !stays {
				d.Left[v] = now.Number
			}
		}
		d.Alive = now.Values
	}
	d.Last = &now
	if !d.keeps(now) {
		return
	}
	d.Epochs = append(d.Epochs, now)
	if len(d.Epochs) <= kept {
		return
	}
	d.Stride *= 2
	d.Epochs = slices.DeleteFunc(d.Epochs, func(e epoch) bool { return !d.keeps(e) })
}

// State returns the recorded state as JSON, to continue from it; nil if nothing was recorded.
func (d *Descent) State() []byte {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.Last == nil {
		return nil
	}
	text, _ := json.Marshal(&d.descent) // of numbers alone
	return text
}

// Resume continues from a state, for a table with the given number of columns. An invalid state is
// ignored: the report then shows only later epochs.
func (d *Descent) Resume(state []byte, columns int) {
	var from descent
	if json.Unmarshal(state, &from) != nil || !from.valid(columns) {
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.descent = from
}

// valid reports whether a state can have been recorded.
func (d *descent) valid(columns int) bool {
	if d.Last == nil || d.Stride < 1 || d.Left == nil || len(d.Epochs) > kept {
		return false
	}
	lists := []map[int]number{d.Alive, d.Last.Values}
	for _, e := range d.Epochs {
		lists = append(lists, e.Values)
	}
	for _, list := range lists {
		for v := range list {
			if v < 0 || v >= columns || len(list) > watched {
				return false
			}
		}
	}
	for v := range d.Left {
		if v < 0 || v >= columns {
			return false
		}
	}
	return true
}

func (d *Descent) keeps(e epoch) bool {
	n := e.Number - d.Before
	return n <= first || n%d.Stride == 0
}

// length is the absolute value of a coefficient, or the norm of several.
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
	for v := range d.Left {
		list = append(list, v)
	}
	slices.SortFunc(list, func(a, b int) int {
		return cmp.Or(cmp.Compare(d.Left[b], d.Left[a]), cmp.Compare(math.Abs(d.lastOf(b)), math.Abs(d.lastOf(a))), cmp.Compare(a, b))
	})
	return list[:min(len(list), nearly)]
}

// lastOf returns the last value of a recorded variable.
func (d *Descent) lastOf(v int) float64 {
	for _, e := range slices.Backward(d.Epochs) {
		if x, ok := e.Values[v]; ok {
			return float64(x)
		}
	}
	return 0
}

// Path returns the recorded path. Chosen are variables of the table, and name and column return
// their names and positions there. It is nil if there were no epochs.
func (d *Descent) Path(chosen []int, name func(v int) string, column func(v int) int) *report.Path {
	if d.Last == nil {
		return nil
	}
	epochs := d.Epochs
	if n := len(epochs); n == 0 || epochs[n-1].Number != d.Last.Number {
		epochs = append(slices.Clone(epochs), *d.Last)
	}
	p := &report.Path{Measure: "coefficient of the scaled variable"}
	if d.Several {
		p.Measure = "length of the coefficients"
	}
	for _, e := range epochs {
		p.Epochs, p.Alive, p.Loss = append(p.Epochs, e.Number), append(p.Alive, e.Alive), append(p.Loss, finite(float64(e.Loss)))
	}
	add := func(v int, chosen bool) {
		l := report.PathLine{Name: name(v), Index: column(v), Chosen: chosen, Left: d.Left[v], Values: []float64{}}
		for i, e := range epochs {
			if x, ok := e.Values[v]; ok {
				if len(l.Values) == 0 {
					l.From = i
				}
				l.Values = append(l.Values, round(float64(x)))
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

// finite returns a number that JSON can represent.
func finite(x float64) float64 {
	if math.IsNaN(x) {
		return 0
	}
	return max(min(x, math.MaxFloat64), -math.MaxFloat64)
}
