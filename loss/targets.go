package loss

import (
	"math"
	"sync"
)

// Targets is the sum of one loss over several targets of the same rows: margin c of a row belongs to target c. A variable
// is selected or dropped for all of them.
//
// The loss stores the targets: Target.Y holds the numbers of rows, from 0. A target that is missing in a row adds nothing
// there; its other rows then count more, so that the sum for each target is in proportion to its mean.
type Targets struct {
	of   Loss        // has one output
	y    [][]float64 // the responses of each target, 0 where it is missing
	seen [][]float64 // factor of the weight of each row, 0 where the target is missing; nil if it is never missing
	room sync.Pool   // of *targetRoom
}

var _ Loss = (*Targets)(nil)

// targetRoom holds the responses and the weights of a block for one target.
type targetRoom struct{ y, weight []float64 }

// NewTargets returns the sum of a loss with one output over several targets of all rows, NaN where one is missing.
func NewTargets(of Loss, targets [][]float64) *Targets {
	l := &Targets{of: of}
	for _, values := range targets {
		y, seen, count := make([]float64, len(values)), make([]float64, len(values)), 0
		for i, v := range values {
			if !math.IsNaN(v) {
				y[i], seen[i] = v, 1
				count++
			}
		}
		if count == len(values) {
			seen = nil
		}
		for i := range seen {
			seen[i] *= float64(len(values)) / float64(count)
		}
		l.y, l.seen = append(l.y, y), append(l.seen, seen)
	}
	return l
}

// Outputs implements [Loss].
func (l *Targets) Outputs() int { return len(l.y) }

// Eval implements [Loss]. The mean is over rows.
func (l *Targets) Eval(r, z []float64, t Target) (sum, weight float64) {
	n, room := len(t.Y), l.take()
	defer l.room.Put(room)
	for c := range l.y {
		own, _ := l.of.Eval(r[c*n:(c+1)*n], z[c*n:(c+1)*n], l.target(room, c, t))
		sum += own
	}
	return sum, t.total()
}

// Curvature implements [Loss]. It is the largest bound of each row.
func (l *Targets) Curvature(d []float64, t Target) (weight float64) {
	room, own := l.take(), make([]float64, len(d))
	defer l.room.Put(room)
	clear(d)
	for c := range l.y {
		l.of.Curvature(own, l.target(room, c, t))
		for i, v := range own {
			d[i] = max(d[i], v)
		}
	}
	return t.total()
}

// Sum returns the sum of the targets of each row, whose number is given.
func (l *Targets) Sum(rows []float64) []float64 {
	sum := make([]float64, len(rows))
	for _, y := range l.y {
		for i, row := range rows {
			sum[i] += y[int(row)]
		}
	}
	return sum
}

func (l *Targets) take() *targetRoom {
	room, _ := l.room.Get().(*targetRoom)
	if room == nil {
		room = new(targetRoom)
	}
	return room
}

// target returns target c of a block.
func (l *Targets) target(room *targetRoom, c int, t Target) Target {
	room.y = room.y[:0]
	for _, row := range t.Y {
		room.y = append(room.y, l.y[c][int(row)])
	}
	own := Target{Y: room.y, Weight: t.Weight}
	if l.seen[c] != nil {
		room.weight = room.weight[:0]
		for i, row := range t.Y {
			room.weight = append(room.weight, t.WeightOf(i)*l.seen[c][int(row)])
		}
		own.Weight = room.weight
	}
	return own
}

// total returns the weight of all rows.
func (t *Target) total() (weight float64) {
	for i := range t.Y {
		weight += t.WeightOf(i)
	}
	return weight
}
