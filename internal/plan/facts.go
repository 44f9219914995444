// Package plan decides how a fit runs, from the options of the caller and from facts about the data:
// which recipes compete, at which sizes and on how many folds. It records the reason of each decision.
package plan

import (
	"fsa/anneal"
	"fsa/data"
	"fsa/internal/search"
	"fsa/internal/tuning"
	"fsa/loss"
)

// Request holds the options of the caller. A zero value means that the plan decides; see the options
// of the same names in package fsa.
type Request struct {
	K       int
	Sizes   []int
	Rule    string  // rule that chooses the size
	FDR     float64 // false discovery rate that chooses the variables; 0 means none
	Folds   int
	Quick   bool
	Polish  bool
	Measure bool // the caller needs out-of-fold predictions
	Loss    bool // the caller chose the loss

	Batch, Iterations, WarmUp           int
	Mu, Eta, Momentum, Tolerance, Ridge float64
	Schedule                            anneal.Schedule
	CurvePriors                         bool
	Lines                               bool // straight lines only, no shape functions
	Constrained                         Constrained
	Interactions                        search.Interactions
	Quotas                              bool      // some columns have quotas
	Priced                              bool      // variables have prices
	Budgets                             []float64 // what a selection may cost: one, or several to choose from; nil means any
	Pairs                               bool      // interactions may compete although they were not asked for
}

// Constrained describes the constraints on the effects of variables; the zero value means none.
type Constrained struct {
	What  string // in words
	Lines bool   // some limit the coefficients of straight lines, so that shape functions do not compete
}

// None switches an option off, and AllRows is a batch of all rows.
const (
	None    = -1
	AllRows = -1
)

// Facts holds the properties of the data on which a plan depends.
type Facts struct {
	Rows, Cols, Cells int
	Effective         int // effective sample size
	Groups            int
	Forced            int // number of groups that must be selected
	Outputs           int
	Bins              int
	Task              loss.Task
	Kind              loss.Kind
	LossName          string
	Sparse            bool
	InMemory          bool      // single columns of the table can be read again quickly
	Single            bool      // every group has one coefficient
	Outliers          bool      // a few extreme rows would dominate any minibatch
	Texts             bool      // some columns are categorical
	Bends             bool      // shape functions are possible and may differ from lines
	Prices            []float64 // of the groups that need not be selected, ascending, if groups have prices
	Capacity          int       // largest number of groups that quotas allow
	ForcedPrice       float64   // of the groups that must be selected
	Roots             bool      // square roots of the numbers of a sparse table are possible
	Pairs             bool      // interactions are possible
	Extreme           int       // number of extreme target values, if the loss is squared and another one is possible
}

// NewFacts returns the facts of a sample of a dataset.
func NewFacts(s *search.Sample, d *data.Dataset, lossName string) Facts {
	rows, cols := s.Design.X.Dims()
	needed, _ := s.Needed()
	return Facts{
		Rows: rows, Cols: cols, Cells: s.Design.X.Cells(), Effective: s.Effective,
		Groups: s.Groups.Count(), Forced: needed, Prices: s.Unforced(), Capacity: s.Capacity(), ForcedPrice: s.Price(s.Force), Outputs: s.Loss.Outputs(), Bins: s.Design.Bins,
		Task: s.Task, Kind: s.Kind, LossName: lossName,
		Sparse: d.Sparse(), InMemory: s.InMemory, Single: s.Single, Outliers: hasOutliers(d), Texts: s.Categories != nil,
		Bends: s.Curved != nil && s.Design.Bins == 0 && s.InMemory && !s.Task.Relative() && d.Bends(),
		Roots: s.Rooted != nil,
		Pairs: s.WithInteractions != nil && !d.Sparse() && d.InMemory() && s.Loss.Outputs() == 1 && s.Task != loss.Ranking,
	}
}

// coefficients returns the approximate number of coefficients of k groups, including the intercept.
func (f *Facts) coefficients(k int) int { return f.Outputs * (1 + k*f.Cols/max(f.Groups, 1)) }

// candidates returns the number of groups that a half sample selects as candidates for discoveries: half as many as the
// other half can fit. Few relevant variables are missing, and least squares raises the variances of their coefficients by a
// third, where it would double them.
func (f *Facts) candidates() int {
	most := min(tuning.ExactCoefficients/f.Outputs, f.Effective/2/tuning.RowsPerVariable/2, tuning.WorkCells/f.Rows)
	return min(most*f.Groups/max(f.Cols, 1), f.Groups)
}

// classes reports whether the loss is a classification loss under which coefficients may grow without
// bound if the classes are separable.
func (f *Facts) classes() bool { return f.Task == loss.Classification && f.LossName != "lorenz" }

// hasOutliers reports whether a few extreme rows may dominate any minibatch. It compares the worst
// case, a row with the most extreme value of every column, with a minibatch of typical rows: the sum
// of squared standardised values of that row must not exceed the sum over the minibatch. In a sparse
// table no row has extreme values in all columns.
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
	return sum > tuning.BatchRows*columns
}

// small reports whether a contest of several selections costs little: the table has few rows, or few
// cells and no ranking pairs.
func (f *Facts) small() bool {
	return f.Rows < tuning.MinibatchRows || f.Cells <= tuning.ContestCells && f.Task != loss.Ranking
}

// terms returns the largest number of terms that may be selected.
func (f *Facts) terms(r *Request) int {
	if r.Quotas {
		return f.Capacity
	}
	return r.Terms(f.Groups)
}

// limited reports whether prices or quotas limit the selection.
func (r *Request) limited() bool { return r.Priced || r.Quotas }

func (r *Request) constrained() bool { return r.Constrained.What != "" }

// unit returns an upper bound on the second derivative of the loss of a row.
func (f *Facts) unit() float64 {
	if f.Task != loss.Regression {
		return 0.25
	}
	return 1
}
