// Package plan decides what a fit will do, from what was asked for and from facts about the
// data: which recipes compete, at which sizes, on how many folds, and why.
package plan

import (
	"fsa/anneal"
	"fsa/data"
	"fsa/internal/search"
	"fsa/internal/tuning"
	"fsa/loss"
)

// Request is what was asked for. Zero values leave a decision to the data; see the options of
// the same names in package fsa.
type Request struct {
	K       int
	Sizes   []int
	Rule    string // by which a size is chosen
	Folds   int
	Quick   bool
	Polish  bool
	Measure bool // out-of-fold predictions are asked for
	Loss    bool // the loss was named

	Batch, Iterations, WarmUp           int
	Mu, Eta, Momentum, Tolerance, Ridge float64
	Schedule                            anneal.Schedule
	CurvePriors                         bool
	Lines                               bool // no curves
}

// None switches off a number, and AllRows is a batch of all rows.
const (
	None    = -1
	AllRows = -1
)

// Facts are what a plan depends on besides what was asked for.
type Facts struct {
	Rows, Cols, Cells int
	Effective         int // effective sample size
	Groups            int
	Forced            int // groups that must stay
	Outputs           int
	Bins              int
	Task              loss.Task
	Kind              loss.Kind
	LossName          string
	Sparse            bool
	InMemory          bool // the table can be read again, column by column, at no extra cost
	Single            bool // every group has one coefficient
	Outliers          bool // a few rows lie so far out that they would dominate any minibatch
	Texts             bool // some columns have categories
	Bends             bool // curves may say more than lines, and can be had
}

// NewFacts looks at a sample of a dataset.
func NewFacts(s *search.Sample, d *data.Dataset, lossName string) Facts {
	rows, cols := s.Design.X.Dims()
	return Facts{
		Rows: rows, Cols: cols, Cells: s.Design.X.Cells(), Effective: s.Effective,
		Groups: s.Groups.Count(), Forced: len(s.Force), Outputs: s.Loss.Outputs(), Bins: s.Design.Bins,
		Task: s.Task, Kind: s.Kind, LossName: lossName,
		Sparse: d.Sparse(), InMemory: s.InMemory, Single: s.Single, Outliers: hasOutliers(d), Texts: s.Categories != nil,
		Bends: s.Curved != nil && s.Design.Bins == 0 && s.InMemory && s.Task != loss.Ranking && d.Bends(),
	}
}

// coefficients returns about how many coefficients k groups have, the intercept included.
func (f *Facts) coefficients(k int) int { return f.Outputs * (1 + k*f.Cols/max(f.Groups, 1)) }

// many reports whether there are many rows for a number of coefficients.
func (f *Facts) many(coefficients int) bool {
	return f.Effective >= tuning.RowsPerCoefficient*coefficients
}

// refinable reports whether a number of coefficients can be moved to their optimum at little
// cost.
func (f *Facts) refinable(coefficients int, ridge float64) bool {
	rows, n := float64(f.Effective), float64(coefficients)
	return (f.many(coefficients) || ridge > 0) && rows*n*n <= float64(max(f.Cells, tuning.RefineCells))
}

// classes reports whether a classification is learned whose coefficients may grow without bound.
func (f *Facts) classes() bool { return f.Task == loss.Classification && f.LossName != "lorenz" }

// hasOutliers reports that a few rows may lie so far out that they would dominate any
// minibatch: the extreme values of the columns, all in one row, would outweigh a minibatch of
// usual ones. No row of a sparse table has them all.
func hasOutliers(d *data.Dataset) bool {
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
	return sum > tuning.OutlierSquares*columns
}
