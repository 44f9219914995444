package fsa

import (
	"fsa/anneal"
	"fsa/internal/objective"
)

// meter counts what a fit has done, over all its stages, and says how far it is.
type meter struct {
	objective.Meter // cells that were read
	cells           float64
	epochs          int
	from, to        float64 // share of all work that the present descent begins and ends at
}

func newMeter(j *Job) *meter {
	m := &meter{cells: float64(max(j.facts.cells, 1)), to: 1}
	if j.plan.Guard { // which may search again
		m.to = 0.5
	}
	if j.plan.Polish {
		m.to *= polishProgress
	}
	return m
}

// passes returns how often the whole table was read so far.
func (m *meter) passes() float64 { return m.Cells / m.cells }

// next begins a descent that counts for some share of the work that is left.
func (m *meter) next(share float64) { m.from, m.to = m.to, m.to+share*(1-m.to) }

// observer returns what tells of every epoch of a round.
func (m *meter) observer(j *Job, r *round, a *anneal.Settings) func(anneal.Epoch) {
	groups := j.groups.Count()
	original := func(g int) int { return g }
	if r.among != nil {
		groups = len(r.among)
		original = func(g int) int { return r.among[g] }
	}
	area := anneal.Passes(a.Schedule, a.Iterations, groups, a.K)*float64(groups) + float64(a.WarmUp*groups)
	alive, done := groups, 0.0
	before := m.epochs
	return func(e anneal.Epoch) {
		done += float64(alive)
		alive = e.Groups
		e.Epoch += before
		j.options.Observe(Progress{
			Epoch: e, Epochs: before + e.Of, Passes: m.passes(),
			Done:     m.from + (m.to-m.from)*min(done/area, 1),
			Variable: func(g int) int { return j.design.Variables[j.groups.Of(original(g))[0]] },
		})
	}
}
