package baseline

import (
	"math"
	"math/bits"
)

// levels is the number of states of a variable, and of a response of numbers.
const levels = 3

// state returns the state of a number: more than half a standard deviation below
// the mean, as much above it, or between.
func state(x, mean, sd float64) uint8 {
	switch {
	case x < mean-sd/2:
		return 0
	case x > mean+sd/2:
		return 2
	}
	return 1
}

// joint is the weight of rows by the state of a variable, then by that of what
// it is compared with.
type joint [levels][levels]float64

// census counts rows by states.
type census interface {
	// states sets dst to the state of variable v in each row.
	states(dst []uint8, v int)
	// meet says what variables are compared with from now on.
	meet(states []uint8)
	// count compares variable v with it.
	count(v int) joint
}

// newCensus counts the states of the usable variables of a task.
func (t *task) newCensus() census {
	of := func(v int, x float64) uint8 {
		c := &t.Data.Columns[t.design.Variables[v]]
		unit, center := t.design.Units(v)
		return state(x, (c.Mean-center)/unit, c.SD/unit)
	}
	if t.Weight == nil && dense(t.columns) {
		p := &planes{rows: len(t.Y), of: make([]plane, t.columns.Count)}
		for _, v := range t.design.Usable {
			_, value := t.columns.Cells(v)
			p.of[v] = newPlane(len(value), func(i int) uint8 { return of(v, value[i]) })
		}
		return p
	}
	return &lists{codes: newCodes(t.columns, t.design.Usable, of), weight: t.Weight, other: make([]uint8, len(t.Y))}
}

// planes are the states of dense variables, one bit per row, so that 64 are counted at a time.
type planes struct {
	rows  int
	of    []plane
	other plane
}

var _ census = (*planes)(nil)

// plane is a variable, as the set of rows in which it is low and that of those
// in which it is high.
type plane struct {
	set  [2][]uint64
	size [2]int
}

func newPlane(rows int, state func(i int) uint8) plane {
	var p plane
	for side := range p.set {
		p.set[side] = make([]uint64, (rows+63)/64)
	}
	for i := range rows {
		if s := state(i); s != 1 {
			p.set[s/2][i/64] |= 1 << (i % 64)
			p.size[s/2]++
		}
	}
	return p
}

func (p *planes) states(dst []uint8, v int) {
	set := &p.of[v].set
	for i := range dst {
		low, high := set[0][i/64]>>(i%64)&1, set[1][i/64]>>(i%64)&1
		dst[i] = uint8(1 + high - low)
	}
}

func (p *planes) meet(states []uint8) {
	p.other = newPlane(p.rows, func(i int) uint8 { return states[i] })
}

func (p *planes) count(v int) joint {
	x := &p.of[v]
	low, high := x.set[0], x.set[1][:len(x.set[0])]
	below, above := p.other.set[0][:len(low)], p.other.set[1][:len(low)]
	var lowBelow, lowAbove, highBelow, highAbove int
	for i, l := range low {
		h, b, a := high[i], below[i], above[i]
		lowBelow += bits.OnesCount64(l & b)
		lowAbove += bits.OnesCount64(l & a)
		highBelow += bits.OnesCount64(h & b)
		highAbove += bits.OnesCount64(h & a)
	}
	below0, above0 := p.other.size[0]-lowBelow-highBelow, p.other.size[1]-lowAbove-highAbove
	between := p.rows - p.other.size[0] - p.other.size[1]
	low0, high0 := x.size[0]-lowBelow-lowAbove, x.size[1]-highBelow-highAbove
	return joint{
		{float64(lowBelow), float64(low0), float64(lowAbove)},
		{float64(below0), float64(between - low0 - high0), float64(above0)},
		{float64(highBelow), float64(high0), float64(highAbove)},
	}
}

// lists are the states of variables whose rows differ in weight, or of which
// most cells are zero.
type lists struct {
	*codes
	weight []float64 // nil if all weigh 1
	other  []uint8
	sum    [levels]float64 // weight of the rows of each of its states
}

var _ census = (*lists)(nil)

func (l *lists) states(dst []uint8, v int) {
	index, code := l.index[v], l.code[v]
	if index == nil {
		copy(dst, code)
		return
	}
	for i := range dst {
		dst[i] = l.zero[v]
	}
	for p, i := range index {
		dst[i] = code[p]
	}
}

func (l *lists) meet(states []uint8) {
	copy(l.other, states)
	l.sum = [levels]float64{}
	for i, s := range states {
		l.sum[s] += l.of(i)
	}
}

// of returns the weight of row i.
func (l *lists) of(i int) float64 {
	if l.weight == nil {
		return 1
	}
	return l.weight[i]
}

func (l *lists) count(v int) joint {
	var n joint
	index, code := l.index[v], l.code[v]
	if index == nil {
		for i, c := range code {
			n[c][l.other[i]] += l.of(i)
		}
		return n
	}
	rest := l.sum
	for p, i := range index {
		w := l.of(int(i))
		n[code[p]][l.other[i]] += w
		rest[l.other[i]] -= w
	}
	for s, w := range rest {
		n[l.zero[v]][s] += w
	}
	return n
}

// entropies holds x·log x of whole numbers.
type entropies []float64

func newEntropies(most int) entropies {
	e := make(entropies, most+1)
	for i := 2; i <= most; i++ {
		e[i] = float64(i) * math.Log(float64(i))
	}
	return e
}

// of returns x·log x, and zero for what rounding leaves of zero.
func (e entropies) of(x float64) float64 {
	if i := int(x); float64(i) == x && i >= 0 && i < len(e) {
		return e[i]
	}
	if x <= 0 {
		return 0
	}
	return x * math.Log(x)
}

// information returns the mutual information of what was counted, in nats.
func (e entropies) information(n *joint) float64 {
	var sum, total float64
	var across [levels]float64
	for _, row := range n {
		var along float64
		for s, x := range row {
			sum += e.of(x)
			along += x
			across[s] += x
		}
		sum -= e.of(along)
		total += along
	}
	for _, x := range across {
		sum -= e.of(x)
	}
	return (sum + e.of(total)) / total
}
