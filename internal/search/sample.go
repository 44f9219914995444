// Package search selects variables and fits a model to them. A [Recipe] describes the procedure, a
// [Sample] holds the training data, and [Runner.Run] runs a recipe on a sample. Folds of
// cross-validation, half samples and all rows are samples of the same table, and the same function
// runs on each of them.
package search

import (
	"context"
	"math"

	"fsa/anneal"
	"fsa/data"
	"fsa/internal/objective"
	"fsa/loss"
	"fsa/prior"
)

// Sample is the training data of a recipe: a table, and a target and a weight for each row. A fold is
// a sample whose held-out rows have weight 0.
type Sample struct {
	// Design is the table, scaled by the rows with a weight.
	Design *data.Design
	// Loss is the loss to minimise. Kind is the zero value for a loss that the caller implements.
	Loss    loss.Loss
	Kind    loss.Kind
	Task    loss.Task
	Classes int // number of classes; 0 unless the task is classification
	Target  objective.Target
	// Groups are the groups of variables to select from, and Force those that must be selected.
	Groups objective.Groups
	Force  []int
	// Categories is the prior pseudo-count of a category, for each categorical variable; nil if there
	// are none.
	Categories []float64
	// Curves are the priors on shape functions.
	Curves prior.Sum
	// Limits are the effects that variables may have; nil means any.
	Limits *Limits
	// Spending holds the prices of variables; nil means that they have none.
	Spending *Spending
	// Among are sets of columns of the dataset: both variables of an interaction must be in one of them. Nil means any.
	Among []map[int]bool
	// Quotas limit the number of some columns; nil means no limit.
	Quotas []Quota
	// Effective is the effective sample size; see [Effective]. Counted is the number of rows with a
	// weight above 0.
	Effective, Counted int
	// InMemory means that single columns of the table can be read again quickly, and Single that every
	// group has one coefficient.
	InMemory, Single bool
	// Margin is the share of the range of a variable by which predictions extrapolate a line beyond
	// that range.
	Margin float64
	// Known holds Lipschitz constants of the gradient at the start, without a ridge. They are measured
	// on all rows, so that all folds use the same step size.
	Known map[Form]anneal.Lipschitz
	// Curved returns the same sample with shape functions of the given number of bins instead of lines.
	Curved func(ctx context.Context, bins int) (*Sample, error)
	// Rooted returns the same sample with the square roots of its numbers; nil if there are none.
	Rooted func(ctx context.Context) (*Sample, error)
	// Data is the table before it was scaled, and WithInteractions returns the same sample with columns
	// for pairs of its variables.
	Data             *data.Dataset
	WithInteractions func(ctx context.Context, pairs []data.PairTerm) (*Sample, error)
	// Owned means that the table may be overwritten.
	Owned bool
	// Tolerance is the smallest decrease of the objective for which the solver takes another step; 0
	// means machine precision.
	Tolerance float64

	Seed    uint64
	Threads int
	Device  *Device
	Meter   *Meter
	Journal *Journal
	// Observe is called after every epoch of a descent, and Stop is asked then whether to end it.
	// Either may be nil.
	Observe func(Progress)
	Stop    func() bool

	prices   []float64      // of each group; nil without prices
	quotaOf  []int          // quota of each group, or −1; nil without quotas
	parents  map[int][2]int // groups that a pair needs, by its group; nil without pairs
	heredity Heredity
	member   *objective.Member // member of a joint descent of several samples; nil for a descent by itself
	afresh   bool              // start the descent anew, even if a record has a state of it
}

// Rows returns the number of rows, including rows without a weight.
func (s *Sample) Rows() int { return len(s.Target.Y) }

// objective returns the objective over the given groups (nil means all), of which the descent will
// keep the given number (final).
func (s *Sample) objective(among []int, final int, ridge float64, batch int) *objective.Objective {
	groups := s.Groups
	if among != nil {
		groups = groups.Pick(among)
	}
	d := s.Design
	return objective.New(objective.Config{
		X: d.X, Scale: d.Scale, Offset: d.Offset, Owned: s.Owned, Numbers: d.Numbers, Bins: d.Bins,
		Loss: s.Loss, Target: s.Target, Intercept: !s.Task.Relative(),
		Ridge: ridge, Curve: s.Curves, CategoryRows: s.Categories,
		Groups: groups, Final: final, Batch: batch, Seed: s.Seed, Threads: s.Threads, Meter: &s.Meter.Meter,
	})
}

// lossTarget returns the target in the form that losses take.
func (s *Sample) lossTarget() loss.Target {
	t := s.Target
	return loss.Target{Y: t.Y, Weight: t.Weight, Offset: t.Offset, Query: t.Query, Pairs: t.Pairs}
}

// selecting returns the sample with the loss of a selection.
func (s *Sample) selecting(by Selection) *Sample {
	if by.Loss == "" {
		return s
	}
	to := *s
	to.Kind, _ = loss.Named(by.Loss)
	if to.Loss = to.Kind.New(loss.Params{Classes: s.Classes}); s.Target.Offset != nil {
		to.Loss = loss.WithOffset(to.Loss)
	}
	return &to
}

// WithPooling returns the sample with the pseudo-counts of categories multiplied by share.
func (s *Sample) WithPooling(share float64) *Sample {
	if s.Categories == nil || share == 1 {
		return s
	}
	to := *s
	to.Categories = make([]float64, len(s.Categories))
	for i, rows := range s.Categories {
		to.Categories[i] = share * rows
	}
	return &to
}

// groupWeight returns the factor by which the norm of group j is multiplied when groups are compared:
// the root mean square of the factors of its variables.
func (s *Sample) groupWeight(j int) float64 {
	vars := s.Groups.Of(j)
	if len(vars) == 1 {
		return s.Design.Weight(vars[0])
	}
	var sum float64
	for _, v := range vars {
		sum += s.Design.Weight(v) * s.Design.Weight(v)
	}
	return math.Sqrt(sum / float64(len(vars)))
}

// Columns returns the first column of the dataset of each group, without interactions.
func (s *Sample) Columns(groups []int) []int {
	list := make([]int, 0, len(groups))
	for _, g := range groups {
		if first := s.Groups.Of(g)[0]; s.Design.Product(first) == nil {
			list = append(list, s.Design.Variables[first])
		}
	}
	return list
}

// GroupsOf returns the groups, without interactions, whose first column of the dataset is among the given columns, ascending.
func (s *Sample) GroupsOf(columns []int) []int {
	wanted := make(map[int]bool, len(columns))
	for _, c := range columns {
		wanted[c] = true
	}
	var groups []int
	for g := range s.Groups.Count() {
		if first := s.Groups.Of(g)[0]; wanted[s.Design.Variables[first]] && s.Design.Product(first) == nil {
			groups = append(groups, g)
		}
	}
	return groups
}
