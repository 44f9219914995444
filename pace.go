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
)

// pace fills in how many rows a step looks at and how fast variables go, where
// that was left open. From then on a Batch of 0 means all rows.
func (o *Options) pace(d *data.Dataset, x data.Matrix) {
	rows, cols := x.Dims()
	switch {
	case o.Batch < 0:
		o.Batch = 0
	case o.Batch == 0 && rows >= manyRows && !wild(d):
		perRow := float64(x.Cells()+1) / float64(rows)
		o.Batch = max(sampleRows, int(float64(cols)/perRow))
	}
	if o.Iterations > 0 || o.Batch == 0 || 2*o.Batch > rows {
		return
	}
	looks := samples
	if d.Sparse() {
		looks = sparseSamples
	}
	epochs := min(max(looks*o.Batch/rows, leastEpochs), anneal.DefaultIterations)
	if o.Schedule == nil {
		o.Schedule = anneal.Inverse(cmp.Or(o.Mu, max(float64(epochs)/5, leastMu)))
	}
	o.Schedule = hurried(o.Schedule, epochs)
	o.Iterations = epochs + restEpochs
	if o.refine {
		o.Iterations = epochs + briefEpochs
	}
	o.Tolerance = cmp.Or(o.Tolerance, tolerance)
}

// gentle fills in what was left open where a sparse table of few rows and more
// columns is to be classified, such as texts by their words. There steps fit the
// rows before the columns that matter stand out: fewer of them choose better, and
// shrunken coefficients can be refined.
func (o *Options) gentle(d *data.Dataset, x data.Matrix) {
	rows, cols := x.Dims()
	if !d.Sparse() || rows >= manyRows || cols <= rows {
		return
	}
	if o.Iterations == 0 {
		o.Iterations = leastEpochs
	}
	if o.Shrink == 0 {
		o.Shrink = gentleShrink
	}
}

// gentleShrink is the strength of the prior for such a table.
const gentleShrink = 0.01

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
