// Package search selects variables and learns a model on them. A [Recipe] says how, a
// [Sample] what to learn from, and [Runner.Run] does it. Folds of cross-validation, half
// samples and the final fit on all rows are samples of the same table, and all of them
// go through that one function.
package search

import (
	"context"
	"math"

	"fsa/anneal"
	"fsa/data"
	"fsa/internal/objective"
	"fsa/internal/tuning"
	"fsa/loss"
	"fsa/prior"
)

// Sample is what a recipe learns from: a table, a response and a weight for each row.
// A fold is a sample whose held-out rows have no weight.
type Sample struct {
	// Design is the table, scaled by the rows of this sample alone.
	Design *data.Design
	// Loss is minimised. Kind is the zero value for a loss of the caller's.
	Loss    loss.Loss
	Kind    loss.Kind
	Task    loss.Task
	Classes int // of a classification; else 0
	Target  objective.Target
	// Groups are what is selected, and Force those that must be.
	Groups objective.Groups
	Force  []int
	// Categories is the prior pseudo-count of each category, for each variable of texts;
	// nil without texts.
	Categories []float64
	// Curves are the priors on piecewise-linear responses.
	Curves prior.Sum
	// Effective is the effective sample size; see [Effective]. Counted is the number of rows
	// that have a weight.
	Effective, Counted int
	// InMemory says that the table can be read again, column by column, at no extra cost, and
	// Single that every group has one coefficient.
	InMemory, Single bool
	// Margin is the share of the range of a variable by which predictions follow a line beyond it.
	Margin float64
	// Known are the Lipschitz constants of the gradient at the start, without a ridge, as far as
	// they are known. They are measured on all rows with a margin, so that folds take the same steps.
	Known map[Form]anneal.Lipschitz
	// Curved returns the sample with curves of some number of bins in the place of lines.
	Curved func(ctx context.Context, bins int) (*Sample, error)
	// Owned says that the table may be overwritten.
	Owned bool
	// Tolerance is the least decrease of the objective that is worth another step of the
	// solver; 0 means machine precision.
	Tolerance float64

	Seed    uint64
	Threads int
	Device  *Device
	Meter   *Meter
	Journal *Journal
	// Observe is told of every epoch of a descent that counts, and Stop asked whether to end
	// it; nil for nobody.
	Observe func(Progress)
	Stop    func() bool
}

// Rows returns the number of rows, those without a weight included.
func (s *Sample) Rows() int { return len(s.Target.Y) }

// objective returns what is minimised over some of the groups, nil meaning all, of which
// final are to stay.
func (s *Sample) objective(among []int, final int, ridge float64, batch int) *objective.Objective {
	groups := s.Groups
	if among != nil {
		groups = groups.Pick(among)
	}
	d := s.Design
	return objective.New(objective.Config{
		X: d.X, Scale: d.Scale, Offset: d.Offset, Owned: s.Owned, Numbers: d.Numbers, Bins: d.Bins,
		Loss: s.Loss, Target: s.Target, Intercept: s.Task != loss.Ranking,
		Ridge: ridge, Curve: s.Curves, CategoryRows: s.Categories,
		Groups: groups, Final: final, Batch: batch, Seed: s.Seed, Threads: s.Threads, Meter: &s.Meter.Meter,
	})
}

// lossTarget returns the target as losses see it.
func (s *Sample) lossTarget() loss.Target {
	t := s.Target
	return loss.Target{Y: t.Y, Weight: t.Weight, Query: t.Query, Pairs: t.Pairs}
}

// selecting returns the sample with the loss by which a selection selects.
func (s *Sample) selecting(by Selection) *Sample {
	if by.Loss == "" {
		return s
	}
	to := *s
	to.Kind, _ = loss.Named(by.Loss)
	to.Loss = to.Kind.New(loss.Params{Classes: s.Classes})
	return &to
}

// WithPooling returns the sample with some share of the prior on categories.
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

// NullGradient returns the derivative of each row's loss by its margin at the null model,
// one vector an output, and the weights of the rows.
func (s *Sample) NullGradient(ctx context.Context) (slopes [][]float64, weight []float64) {
	free, _ := s.objective([]int{}, 0, 0, s.Rows()).NullModel(ctx)
	rows, outputs := s.Rows(), s.Loss.Outputs()
	z, r := make([]float64, rows*outputs), make([]float64, rows*outputs)
	for c, v := range free {
		for i := range rows {
			z[c*rows+i] = v
		}
	}
	t := s.lossTarget()
	s.Loss.Eval(r, z, t)
	weight = make([]float64, rows)
	for i := range weight {
		weight[i] = t.WeightOf(i)
	}
	for c := range outputs {
		slopes = append(slopes, r[c*rows:(c+1)*rows])
	}
	return slopes, weight
}

// LossUnit returns by how much the mean loss would fall, approximately, if every row were
// fitted: half the squared gradient of the null model over its curvature. Unlike the loss
// itself it does not contain what can never be fitted.
func (s *Sample) LossUnit(ctx context.Context) float64 {
	slopes, weight := s.NullGradient(ctx)
	var squares, heavy float64
	for i, w := range weight {
		heavy += w
		for _, g := range slopes {
			if w > 0 {
				squares += g[i] * g[i] / w
			}
		}
	}
	curvature, sum := make([]float64, len(weight)), 0.0
	s.Loss.Curvature(curvature, s.lossTarget())
	for _, c := range curvature {
		sum += c
	}
	return squares / heavy / 2 / max(sum/heavy, math.SmallestNonzeroFloat64)
}

// Many reports whether there are many rows for a number of coefficients.
func (s *Sample) Many(coefficients int) bool {
	return s.Effective >= tuning.RowsPerCoefficient*coefficients
}

// Refinable reports whether a number of coefficients can be moved to their optimum at little
// cost: there are enough rows, or a ridge, and their Hessian bound takes few reads.
func (s *Sample) Refinable(coefficients int, ridge float64) bool {
	rows, n := float64(s.Effective), float64(coefficients)
	return (s.Many(coefficients) || ridge > 0) && rows*n*n <= float64(max(s.Design.X.Cells(), tuning.RefineCells))
}

// SelectionNoise returns the share of the loss that the best n of all groups explain by
// chance if none has any effect.
func (s *Sample) SelectionNoise(n int) float64 {
	return -math.Expm1(-float64(n) * math.Log(float64(s.Groups.Count())) / float64(s.Effective))
}

// groupWeight returns the factor of the strength of group j where groups are compared: the
// root mean square of those of its variables.
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

// Columns returns the columns of the dataset behind groups, the first of each.
func (s *Sample) Columns(groups []int) []int {
	list := make([]int, len(groups))
	for i, g := range groups {
		list[i] = s.Design.Variables[s.Groups.Of(g)[0]]
	}
	return list
}

// GroupsOf returns the groups whose first columns of the dataset are given, ascending.
func (s *Sample) GroupsOf(columns []int) []int {
	wanted := make(map[int]bool, len(columns))
	for _, c := range columns {
		wanted[c] = true
	}
	var groups []int
	for g := range s.Groups.Count() {
		if wanted[s.Design.Variables[s.Groups.Of(g)[0]]] {
			groups = append(groups, g)
		}
	}
	return groups
}

// Effective returns the effective sample size: the number of rows that have a weight, or the
// sum of the weights in units of their greatest common divisor where all are whole numbers.
// A row of weight 2 among others of weight 1 stands for two equal ones, and must lead to the
// same model; otherwise only the proportions of weights count.
func Effective(weight []float64, rows int) int {
	if weight == nil {
		return rows
	}
	sum, unit, n, whole := 0.0, 0.0, 0, true
	for _, w := range weight {
		if w > 0 {
			n++
		}
		if whole = whole && w == math.Trunc(w); whole {
			sum += w
			for unit, w = w, unit; w > 0; {
				unit, w = w, math.Mod(unit, w)
			}
		}
	}
	if whole && sum > 0 && sum/unit < math.MaxInt32 {
		return int(sum / unit)
	}
	return n
}

// Counted returns the number of rows that have a weight.
func Counted(weight []float64, rows int) int {
	if weight == nil {
		return rows
	}
	n := 0
	for _, w := range weight {
		if w > 0 {
			n++
		}
	}
	return n
}
