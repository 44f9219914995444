package serve

import (
	"cmp"
	"encoding/binary"
	"math"
	"slices"

	"fsa"
	"fsa/data"
	"fsa/model"
)

// trace is the record of a fit: numbers for each epoch and variable, as bytes of little-endian
// numbers, which JSON encodes in base64.
type trace struct {
	Variables []byte `json:"variables"` // int32: left after each epoch
	Loss      []byte `json:"loss"`      // float64
	Eta       []byte `json:"eta"`       // float64
	Passes    []byte `json:"passes"`    // float64
	// Last is the last epoch in which each column of the table was active, int32; 0 for a column
	// that never was.
	Last []byte `json:"last"`
	// Lines are the columns whose coefficients were recorded. Coefficients has one float32 per
	// epoch for each of them: the coefficient of the scaled column, the norm if it has several, or
	// NaN if it was not active.
	Lines        []int  `json:"lines"`
	Coefficients []byte `json:"coefficients"`
}

// tracer records a fit.
type tracer struct {
	data                         *data.Dataset
	variables, loss, eta, passes []byte
	alive                        [][]int32   // variables of the dataset that took part in each epoch
	beta                         [][]float32 // their coefficients
	last                         []int32     // epoch of each variable
}

// add records an epoch.
func (t *tracer) add(p *fsa.Progress) {
	if t.last == nil {
		t.last = make([]int32, len(t.data.Columns))
	}
	t.variables = binary.LittleEndian.AppendUint32(t.variables, uint32(p.Groups))
	for _, v := range []struct {
		to *[]byte
		of float64
	}{{&t.loss, p.Loss}, {&t.eta, p.Eta}, {&t.passes, p.Passes}} {
		*v.to = binary.LittleEndian.AppendUint64(*v.to, math.Float64bits(v.of))
	}
	alive, beta := make([]int32, len(p.Alive)), make([]float32, len(p.Alive))
	for i, g := range p.Alive {
		v := p.Variable(g)
		alive[i], beta[i] = int32(v), float32(length(p.Layout.Of(p.Beta, i)))
		t.last[v] = int32(len(t.alive)) + 1
	}
	t.alive, t.beta = append(t.alive, alive), append(t.beta, beta)
}

// length returns a coefficient, or the length of several.
func length(beta []float64) float64 {
	if len(beta) == 1 {
		return beta[0]
	}
	var sum float64
	for _, b := range beta {
		sum += b * b
	}
	return math.Sqrt(sum)
}

// trace returns the record, with the coefficients of at most the given number of variables: those
// of the model, and those that were dropped last.
func (t *tracer) trace(m *model.Model, lines int) *trace {
	to := &trace{Variables: t.variables, Loss: t.loss, Eta: t.eta, Passes: t.passes}
	last := make([]int32, features(t.data))
	for v, epoch := range t.last {
		at := place(t.data, v)
		last[at] = max(last[at], epoch)
	}
	for _, epoch := range last {
		to.Last = binary.LittleEndian.AppendUint32(to.Last, uint32(epoch))
	}
	chosen := t.lines(m, lines)
	at := make(map[int32]int, len(chosen))
	for i, v := range chosen {
		to.Lines = append(to.Lines, place(t.data, v))
		at[int32(v)] = i
	}
	epochs := len(t.alive)
	beta := slices.Repeat([]float32{float32(math.NaN())}, len(chosen)*epochs)
	for e, alive := range t.alive {
		for i, v := range alive {
			if line, ok := at[v]; ok {
				beta[line*epochs+e] = t.beta[e][i]
			}
		}
	}
	for _, b := range beta {
		to.Coefficients = binary.LittleEndian.AppendUint32(to.Coefficients, math.Float32bits(b))
	}
	return to
}

// place returns the index of a variable among the features: the dataset of a sparse table has only
// columns with values, and that of dates has parts after all columns.
func place(d *data.Dataset, v int) int {
	if d.Sparse() {
		return d.Columns[v].Index
	}
	if d.Part(v) == "" {
		return v
	}
	return slices.IndexFunc(d.Columns, func(c data.Column) bool { return c.Index == d.Columns[v].Index })
}

// lines returns the variables whose coefficients are returned.
func (t *tracer) lines(m *model.Model, most int) []int {
	chosen := map[int]bool{}
	for _, s := range m.Selected() {
		chosen[s.Index] = true
	}
	var list []int
	for v, epoch := range t.last {
		if epoch > 0 {
			list = append(list, v)
		}
	}
	rank := func(v int) int {
		if chosen[t.data.Columns[v].Index] {
			return 0
		}
		return 1
	}
	slices.SortFunc(list, func(a, b int) int {
		return cmp.Or(rank(a)-rank(b), cmp.Compare(t.last[b], t.last[a]), a-b)
	})
	return list[:min(len(list), most)]
}

// finite returns a number that JSON can hold.
func finite(v float64) float64 {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return math.MaxFloat64
	}
	return v
}
