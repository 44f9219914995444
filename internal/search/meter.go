package search

import (
	"fsa/anneal"
	"fsa/internal/objective"
	"fsa/internal/tuning"
)

// Progress is what is known after an epoch.
type Progress struct {
	anneal.Epoch
	Epochs int     // in all
	Passes float64 // reads of the whole table so far
	Done   float64 // share of the work that is done, approximately
	// Column returns the first column of the dataset of group g of Epoch.Alive.
	Column func(g int) int
}

// Meter counts what a fit has read, over all its steps, and says how far it is.
type Meter struct {
	objective.Meter // cells that were read
	Epochs          int
	cells           float64
	from, to        float64 // share of all work at which the present descent begins and ends
}

// NewMeter returns a meter for a table of some cells.
func NewMeter(cells int) *Meter {
	return &Meter{cells: float64(max(cells, 1)), to: 1}
}

// Passes returns how often the whole table was read so far.
func (m *Meter) Passes() float64 { return m.Cells / m.cells }

// expect sets what share of all work the first descent of a recipe is.
func (m *Meter) expect(r *Recipe) {
	m.from, m.to = 0, 1
	if r.Guard { // which may search again
		m.to = 0.5
	}
	if r.Polish {
		m.to *= tuning.PolishProgress
	}
}

// next begins a descent that is some share of the work that is left.
func (m *Meter) next(share float64) { m.from, m.to = m.to, m.to+share*(1-m.to) }

// observer returns what tells of every epoch of a descent among groups whose original
// numbers and columns are known.
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
