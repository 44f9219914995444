package fsa

import (
	"cmp"

	"fsa/anneal"
	"fsa/data"
)

// Where there are few rows, every step looks at all of them, and it takes
// hundreds of steps to let variables go at leisure. Where there are many, a
// sample says as much: as many steps are taken in fewer epochs, and the table is
// read a few times only.
const (
	manyRows      = 2000 // from so many on, a step looks at a sample
	sampleRows    = 500  // of about this size, and of at least as many cells as there are columns, or steps would cost more than samples
	samples       = 1000 // are looked at while variables go,
	sparseSamples = 4000 // or so many where most cells are zero, as a sample says less of a column there
	leastEpochs   = 50
	leastMu       = 30
	restEpochs    = 50   // follow at most on the variables that were chosen,
	briefEpochs   = 20   // or so many where they are refined in the end,
	tolerance     = 1e-5 // until they move by less than this share
	patience      = 20   // steps until the first variable goes, where one factor is in all columns; with more columns than rows they would rather fit the rows
)

// plan fills in what was left open: how many rows a step looks at, and how fast
// variables go. From then on a Batch of 0 means all rows.
func (s *search) plan() {
	kind := losses[s.resp.name]
	if s.Shrink == 0 && s.Bins > 0 {
		s.Shrink = curveShrink
	}
	if kind.gentle {
		s.gentle()
	}
	s.sample()
	if s.Mu == 0 && s.Schedule == nil {
		s.Mu = kind.mu
	}
}

// sample lets steps look at samples where there are many rows.
func (s *search) sample() {
	x := s.design.X
	rows, cols := x.Dims()
	switch {
	case s.Batch < 0:
		s.Batch = 0
	case s.Batch == 0 && rows >= manyRows && !wild(s.data):
		perRow := float64(x.Cells()+1) / float64(rows)
		s.Batch = max(sampleRows, int(float64(cols)/perRow))
	}
	if s.Iterations > 0 || s.Batch == 0 || 2*s.Batch > rows {
		return
	}
	looks := samples
	if s.data.Sparse() {
		looks = sparseSamples
	}
	epochs := min(max(looks*s.Batch/rows, leastEpochs), anneal.DefaultIterations)
	if s.Schedule == nil {
		s.Schedule = anneal.Inverse(cmp.Or(s.Mu, max(float64(epochs)/5, leastMu)))
	}
	s.Schedule = hurried(s.Schedule, epochs)
	s.Iterations = epochs + restEpochs
	if s.refines(s.coefficients()) {
		s.Iterations = epochs + briefEpochs
	}
	s.Tolerance = cmp.Or(s.Tolerance, tolerance)
}

// gentle is for classes. With dense rows coefficients are shrunk a little; see
// leastRows. On a sparse table steps fit the rows before the columns that matter stand
// out, unless coefficients are shrunk, the less the more rows there are. Of few rows with
// more columns, such as texts by their words, fewer steps choose better, too.
func (s *search) gentle() {
	rows, cols := s.design.X.Dims()
	if !s.data.Sparse() {
		if s.Shrink == 0 && losses[s.resp.name].likely {
			s.Shrink = leastRows / float64(rows)
		}
		return
	}
	if s.Shrink == 0 {
		s.Shrink = gentleRows / float64(max(rows, manyRows))
	}
	if s.Iterations == 0 && rows < manyRows && cols > rows {
		s.Iterations = leastEpochs
	}
}

// curveShrink is the strength of the prior on curves.
const curveShrink = 0.001

// gentleRows over the number of rows is the strength of the prior for such a table.
const gentleRows = 20

// hurried returns a schedule that is through after fewer epochs. What follows
// are steps on the variables that were chosen, which cost little.
func hurried(s anneal.Schedule, epochs int) anneal.Schedule {
	return func(e, _, groups, k int) int { return s(min(e, epochs), epochs, groups, k) }
}

// wild reports that a few rows may lie so far out that they would rule any
// sample they are in: the outermost values of the columns, all in one row, would
// outweigh a sample of usual ones. Of a sparse table no row has them all.
func wild(d *data.Dataset) bool {
	if d.Sparse() {
		return false
	}
	var sum, columns float64
	for j := range d.Columns {
		if c := &d.Columns[j]; !c.Text && c.SD > 0 {
			z := max(c.Max-c.Mean, c.Mean-c.Min) / c.SD
			sum += z * z
			columns++
		}
	}
	return sum > sampleRows*columns
}
