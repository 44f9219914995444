package grid

import (
	"context"
	"math"
	"math/bits"
	"runtime"
	"slices"
	"time"

	"fsa/internal/collective"
	"fsa/internal/kernel"
	"fsa/loss"
)

// Cluster describes the machines of a prediction, with one process each.
type Cluster struct {
	Machines int
	Network  float64 // bytes that a machine can send per second, while it receives as many
	Latency  float64 // seconds that a message takes
	Speed
}

// Speed is how fast a machine works on its part; see [Rate].
type Speed struct {
	Fused float64 // cells that it multiplies per second, both ways, if the grid has one column and cells are read once,
	Apart float64 // and if z is summed in between and they are read twice
	Row   float64 // seconds that a row of a slice takes besides, in which it is rounded and summed
}

// Share returns the speed of each of the given number of processes that share a machine.
func (s Speed) Share(processes int) Speed {
	n := float64(processes)
	return Speed{s.Fused / n, s.Apart / n, s.Row * n}
}

// Work is a descent.
type Work struct {
	Rows, Columns int
	Outputs       int   // coefficients of a column
	Steps         int   // of an epoch
	Alive         []int // number of columns in each epoch; if the first entry is not all of them, the descent has already begun
}

// The approximate number of power iterations that measuring the longest possible step takes, and
// the minibatches that they use.
const (
	firstIterations = 10
	laterIterations = 12 // after each halving of the columns
	stepBatches     = 3
)

// stretch is a part of a descent, in passes over the columns of its start.
type stretch struct {
	epochs int
	steps  float64 // in which the gradient is sent
	read   float64 // with columns that are still to be dropped, and with measuring the longest possible step
	moved  float64 // when columns are dropped: what is read then and what is written
}

// stretches returns the parts of a descent before and after the slices are merged.
func (w *Work) stretches() (before, after stretch) {
	stored, measured := w.Columns, w.Columns
	shards := len(Cut{}.rows(w.Rows)) - 1
	final, part := 0, func(columns int) float64 { return float64(columns) / float64(w.Columns) }
	if n := len(w.Alive); n > 0 {
		final = w.Alive[n-1]
	}
	to := &before
	measure := func(columns, iterations int) {
		sample := 1 / float64(curvedEvery(w.Rows, columns, shards))
		if w.Steps > 1 {
			sample = min(stepBatches/float64(w.Steps), 1)
		}
		to.read += sample * float64(iterations) * part(columns)
	}
	for e, alive := range w.Alive {
		if e == 0 && alive == w.Columns {
			measure(alive, firstIterations)
			to.read += 1 // for the loss at the start
		}
		if to == &before && alive <= fewGroups(w.Columns, final, false) {
			to = &after
		}
		if compacts(alive, stored) {
			to.moved += part(stored) + part(alive)
			stored = alive
		}
		if 2*alive <= measured {
			measure(stored, laterIterations)
			measured = alive
		}
		to.epochs++
		to.steps += part(alive)
		to.read += part(stored)
	}
	return before, after
}

// Prediction is how long a descent takes on a cluster, and what a machine has to hold and send.
type Prediction struct {
	Rows, Columns int     // of the grid; 0 if no grid has as many machines
	Part          float64 // bytes of the numbers that a machine holds
	Sent          float64 // bytes that a machine sends in a first epoch
	Multiplying   float64 // seconds of a first epoch
	Talking       float64 // seconds of it that messages take
	Descent       float64 // seconds of all epochs
}

// Predict returns the cost of a descent on the grid that should be fastest.
func Predict(c Cluster, w Work) Prediction {
	r, columns := Shape(c.Machines, NewCut(w.Rows, w.Columns), 4*float64(w.Rows)*float64(w.Columns))
	if r == 0 {
		return Prediction{}
	}
	return PredictOn(c, w, r, columns)
}

// PredictOn returns the cost of a descent on a grid, assuming that only multiplying, dropping
// columns and messages take time: summing a vector over n processes sends 2(n−1)/n times the vector
// in 2·log₂(n) messages one after another. A step makes two sums, and before each gathers a few
// numbers along a row and along a column of the grid.
func PredictOn(c Cluster, w Work, r, columnsOfGrid int) Prediction {
	whole, merged := c.costs(&w, r, columnsOfGrid, len(Cut{}.columns(w.Columns))-1), c.costs(&w, r*columnsOfGrid, 1, 1)
	before, after := w.stretches()
	return Prediction{
		Rows: r, Columns: columnsOfGrid, Part: whole.part, Sent: whole.margins + whole.gradients,
		Multiplying: whole.multiplying + whole.rowwise, Talking: (whole.margins+whole.gradients)/c.Network + whole.waits,
		Descent: whole.of(&c, before) + merged.of(&c, after),
	}
}

// costs are the costs of an epoch on all columns.
type costs struct {
	part                        float64 // bytes of a process
	multiplying, rowwise, waits float64 // seconds
	moving                      float64 // seconds that reading the part of a process takes
	margins, gradients          float64 // bytes that are sent
}

func (c *Cluster) costs(w *Work, r, columnsOfGrid, slices int) costs {
	rows, columns := math.Ceil(float64(w.Rows)/float64(r)), math.Ceil(float64(w.Columns)/float64(columnsOfGrid))
	rate := c.Apart
	if columnsOfGrid == 1 {
		rate = c.Fused
	}
	outputs := float64(w.Outputs)
	messages := func(n int) float64 { return 2 * 2 * float64(bits.Len(uint(n-1))) } // of a sum and of a gather
	return costs{
		part:        4 * rows * columns,
		multiplying: outputs * rows * columns / rate,
		rowwise:     outputs * rows * math.Ceil(float64(slices)/float64(columnsOfGrid)) * c.Row,
		waits:       c.Latency * float64(w.Steps) * (messages(r) + messages(columnsOfGrid)),
		moving:      rows * columns / c.Fused,
		margins:     8 * sent(columnsOfGrid) * rows * outputs,
		gradients:   8 * sent(r) * columns * outputs * float64(w.Steps),
	}
}

// of returns the seconds of a stretch.
func (o *costs) of(c *Cluster, s stretch) float64 {
	return o.multiplying*s.read + o.moving*s.moved + float64(s.epochs)*(o.rowwise+o.margins/c.Network+o.waits) + s.steps*o.gradients/c.Network
}

// Rate measures the speed of this machine with all its threads: of passes over a wide table that
// fits into no cache, and over one of few columns.
func Rate(ctx context.Context) (Speed, error) {
	const wide = 8192
	const narrow = 16 * fewSlices // columns, 16 to a slice
	const narrowRows = 1 << 17
	const least, most = 32 << 20, 256 << 20 // bytes of each thread
	threads := runtime.GOMAXPROCS(0)
	wideRows := min(max(2*kernel.MachineCaches().L3/threads, least), most) / (4 * wide)
	var s Speed
	cells, err := passTime(ctx, threads*wideRows, wide, true)
	if err != nil {
		return s, err
	}
	apart, err := passTime(ctx, threads*wideRows, wide, false)
	if err != nil {
		return s, err
	}
	rows, err := passTime(ctx, threads*narrowRows, narrow, true)
	all := float64(threads * wideRows * wide)
	s = Speed{Fused: all / cells, Apart: all / apart}
	s.Row = max(rows/float64(threads*narrowRows)-narrow/s.Fused, 0) / fewSlices
	return s, err
}

// passTime returns the seconds of a pass over a table of ones, whose cells are read once or twice.
func passTime(ctx context.Context, rows, columns int, once bool) (float64, error) {
	g, err := New(collective.Single{}, 1, 1)
	if err != nil {
		return 0, err
	}
	m, err := NewMatrix(g, NewCut(rows, columns))
	if err != nil {
		return 0, err
	}
	ones, y := slices.Repeat([]float32{1}, columns), make([]float64, rows)
	for i := range rows {
		m.Set(i, ones) // fresh zeros from the system would all share one page
		y[i] = float64(1 - 2*(i%2))
	}
	o := m.plain(y)
	o.loss, o.once = loss.Logistic{}, once
	o.hand(slices.Repeat([]float64{1 / float64(columns)}, columns), direction)
	best := math.Inf(1)
	for range 3 {
		start := time.Now()
		if _, err := o.pass(ctx, 0, 1, direction, o.descent); err != nil {
			return 0, err
		}
		best = min(best, time.Since(start).Seconds())
	}
	return best, nil
}
