package plan

import (
	"fmt"
	"slices"

	"fsa/internal/search"
	"fsa/internal/tuning"
	"fsa/loss"
	"fsa/validate"
)

// candidates lists the selections, ridges and improvements that compete. On a large table only ridges do: they need no
// further selection, and without one a model of many variables follows the training rows too closely.
func (p *Plan) candidates(r *Request, f *Facts) {
	p.SwapRidge = p.Recipe.Ridge
	p.Selections, p.Ridges = []search.Selection{p.Recipe.Select}, []float64{p.Recipe.Ridge}
	if !p.Contest || p.Recipe.Direct || r.Quick || !f.small() && !f.InMemory {
		return
	}
	if r.Ridge == 0 {
		p.SwapRidge = max(tuning.SwapRidgeTimes*p.Recipe.Ridge, tuning.LearnRidges[0]*f.unit())
		if f.Task == loss.Classification { // also where the loss needs no ridge
			p.SwapRidge = max(p.SwapRidge, tuning.SwapRidgeTimes*tuning.ClassRidgeRows/float64(f.Effective))
		}
		p.Ridges = f.ridges(p.Recipe.Ridge, tuning.LearnRidges)
		if p.Ridges[0] == 0 && len(p.Ridges) > 1 && f.Task != loss.Regression {
			p.Ridges = p.Ridges[1:] // separable classes have no optimum without a ridge
		}
		if r.Eta == 0 && f.Rows < tuning.MinibatchRows { // a given step size may be too large for another ridge
			p.Selections = nil
			for _, λ := range f.ridges(p.Recipe.Ridge, tuning.SelectRidges) {
				s := p.Recipe.Select
				s.Ridge = λ
				p.Selections = append(p.Selections, s)
			}
		}
	}
	if !f.small() {
		return
	}
	if f.Single && f.Groups > f.Effective && !r.constrained() && !r.limited() { // the lasso path knows no constraints, prices and quotas
		p.Selections = append(p.Selections, search.Selection{Method: search.Lasso, Pooling: 1, Descent: p.Recipe.Select.Descent})
	}
	p.Roots = f.Roots && !r.Lines && !r.constrained()
	p.further(r, f)
	p.Selections = append(p.Selections, p.robust(r, f)...)
	p.Selections = append(p.Selections, p.curves(r, f)...)
	if p.Open && f.Rows >= tuning.MinibatchRows {
		return // swaps at every size would dominate the run time
	}
	p.Swaps, p.Adaptive = !r.Quotas && f.Task != loss.Ranking, f.Single && r.Ridge == 0
	if f.Texts {
		p.Poolings = tuning.Poolings
	}
}

// robust returns a selection by a loss that is robust against wrong labels, for two classes. The final
// fit uses the logistic loss, so that the model predicts probabilities.
func (p *Plan) robust(r *Request, f *Facts) []search.Selection {
	if r.Loss || f.LossName != "logistic" || f.Sparse || r.Eta != 0 {
		return nil
	}
	return []search.Selection{{Method: search.Annealing, Loss: "lorenz", Ridge: max(r.Ridge, 0), Pooling: 1, Descent: p.Recipe.Select.Descent}}
}

// huber decides whether the huber loss competes. Extreme targets dominate the squared loss, whether they are
// mistakes or the long tail that the mean has to follow, and only held-out rows can tell.
func (p *Plan) huber(r *Request, f *Facts) {
	p.Huber = f.Extreme > 0 && !r.Loss && p.Contest && !p.Recipe.Direct && !r.Quick && f.small() && f.InMemory && !validate.IsCriterion(p.Rule)
	if p.Huber {
		p.Decisions[0] = Decision{"loss", "squared or huber", fmt.Sprintf("%d extreme target values: both are cross-validated", f.Extreme)}
	}
}

// Straight returns the plan of a contest of the sizes of straight lines alone, by the first selection.
func (p *Plan) Straight() *Plan {
	to := *p
	to.Selections, to.Poolings, to.Interactions = p.Selections[:1], nil, search.Interactions{}
	to.Swaps, to.Adaptive, to.Recipe.Polish, to.Roots, to.Huber = false, false, false, false, false
	to.Sizes = slices.DeleteFunc(slices.Clone(p.Sizes), func(size int) bool { return size > p.Size })
	return &to
}

// sayBins records whether variables have lines or shape functions, and why.
func (p *Plan) sayBins(r *Request, f *Facts) {
	curves := slices.ContainsFunc(p.Selections, func(s search.Selection) bool { return s.Bins > 0 })
	switch {
	case f.Bins > 0:
		p.Say("bins", fmt.Sprint(f.Bins), "given")
	case r.Lines:
		p.Say("bins", "0", "given")
	case r.Constrained.Lines:
		p.Say("bins", "0", "a constraint is for the coefficient of a straight line")
	case curves:
		p.Say("bins", "by contest", "curves are compared with straight lines if training rows bend")
	case p.Roots:
		p.Say("bins", "by contest", "numbers of a sparse table are compared with their square roots")
	case !f.Bends:
		p.Say("bins", "0", "curves need a dense numeric table in the memory of one machine")
	default:
		p.Say("bins", "0", "nothing is cross-validated, or there are too few rows for curves")
	}
}

// curves returns the selections of shape functions that compete, one for each number of bins.
func (p *Plan) curves(r *Request, f *Facts) []search.Selection {
	if !f.Bends || r.Lines || r.Constrained.Lines || r.Ridge != 0 && r.Ridge < tuning.LearnRidges[0] { // the end bins have few rows and need a ridge
		return nil
	}
	var list []search.Selection
	for _, bins := range tuning.CurveBins {
		if f.Effective < tuning.RowsPerCoefficient*(bins+1) {
			break // a curve through so few rows would follow single ones
		}
		if n := f.coefficients(p.Terms(p.Size) * (bins + 1)); !p.Open && (n > tuning.ExactCoefficients || f.Effective < tuning.RowsPerVariable*n) {
			continue
		}
		s := p.Recipe.Select
		s.Bins = bins
		if r.Ridge == 0 {
			s.Ridge = tuning.FewRowsRidge / float64(f.Effective)
		}
		list = append(list, s)
	}
	return list
}

// ridges returns ridge strengths in ascending order, starting with the smallest ridge of the plan (for
// shape functions, with the smallest ridge for learning). The given strengths are for the squared loss
// of standardised columns; they are multiplied by the curvature of the loss.
func (f *Facts) ridges(least float64, given []float64) []float64 {
	if f.Bins > 0 {
		least = tuning.LearnRidges[0]
	}
	list := []float64{least}
	for _, λ := range given {
		if λ *= f.unit(); λ > 2*least {
			list = append(list, λ)
		}
	}
	return list
}
