package search

import (
	"fsa/anneal"
	"fsa/internal/objective"
)

// Progress is the state of a fit after an epoch.
type Progress struct {
	anneal.Epoch
	Epochs int     // total number of epochs
	Passes float64 // reads of the whole table so far
	Done   float64 // share of the work that is done, approximately
	// Column returns the first column of the dataset of group g of Epoch.Alive.
	Column func(g int) int
}

// Meter counts the cells and epochs of all steps of a fit, and estimates its progress.
type Meter struct {
	objective.Meter // cells read so far
	Epochs          int
	cells           float64 // cells of the table
	from, to        float64 // share of all work at which the present descent begins and ends
}

// NewMeter returns a meter for a table with the given number of cells.
func NewMeter(cells int) *Meter {
	return &Meter{cells: float64(max(cells, 1)), to: 1}
}

// Passes returns how often the whole table was read so far.
func (m *Meter) Passes() float64 { return m.Cells / m.cells }

// expect sets the share of all work that the first descent of a recipe takes.
func (m *Meter) expect(r *Recipe) {
	m.from, m.to = 0, 1
	if r.Guard { // it may search again
		m.to = 0.5
	}
	if r.Polish {
		m.to /= 2
	}
}

// next begins a descent that takes the given share of the remaining work.
func (m *Meter) next(share float64) { m.from, m.to = m.to, m.to+share*(1-m.to) }

// observer returns a function that reports every epoch of a descent to tell. column returns the first
// column of the dataset of a group of the descent.
func (m *Meter) observer(tell func(Progress), column func(g int) int, groups int, a *anneal.Settings) func(anneal.Epoch) {
	area := anneal.Passes(a.Schedule, a.Iterations, groups, a.K)*float64(groups) + float64(a.WarmUp*groups)
	alive, done := groups, 0.0
	before := m.Epochs
	return func(e anneal.Epoch) {
		done += float64(alive)
		alive = e.Groups
		e.Epoch += before
		tell(Progress{
			Epoch: e, Epochs: before + e.Of, Passes: m.Passes(),
			Done: m.from + (m.to-m.from)*min(done/area, 1), Column: column,
		})
	}
}
