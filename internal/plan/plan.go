package plan

import (
	"cmp"
	"fmt"
	"slices"

	"fsa/internal/decimal"
	"fsa/internal/search"
	"fsa/internal/tuning"
	"fsa/loss"
	"fsa/validate"
)

// Plan describes how a fit runs. It does not change during the fit.
type Plan struct {
	// Size is the number of groups to select. If k is open, it is the largest size to compare. Sizes
	// are all sizes that a selection passes through.
	Size  int
	Sizes []int
	// Budgets are what selections of the sizes from 1 may cost, ascending, and terms about how many groups each buys.
	// Without prices they are nil, and a size is a number of groups.
	Budgets []float64
	terms   []int
	// Open means that Rule chooses the size, by out-of-fold errors or by an information criterion.
	Open bool
	Rule string
	// Recipe is the first recipe of the contest, and the only recipe without a contest.
	Recipe search.Recipe
	// Contest means that recipes are compared by cross-validation with Folds folds.
	Contest bool
	Folds   int
	// Pairs is the number of pairs of half samples that discover variables at a false discovery rate; 0 means none. Size is
	// then the number of candidates that each of them selects.
	Pairs int
	// Selections are the ways to select that compete, Ridges the ridge strengths of the final fit,
	// ascending, and Poolings the factors on the pseudo-counts of categories.
	Selections []search.Selection
	Ridges     []float64
	Poolings   []float64
	// Swaps means that recipes with swaps compete. Swaps lower the objective with the ridge SwapRidge.
	// Adaptive means that recipes with the adaptive ridge compete.
	Swaps     bool
	SwapRidge float64
	Adaptive  bool
	// Huber means that the huber loss has a contest of its own, and that cross-validation chooses one of both winners.
	Huber bool
	// Interactions are those that compete with variables alone. Sizes then go beyond Size, up to which there are variables.
	Interactions search.Interactions
	// Refine means that the contest may also try sizes between those of Sizes.
	Refine bool

	// Decisions lists the choices of the plan with their reasons.
	Decisions []Decision
}

// Decision is a value of a plan and the reason for it.
type Decision struct {
	Setting string // the flag that would set it, or the stage
	Value   string
	Why     string
}

// New returns the plan for a request and the facts of its data.
func New(r Request, f Facts) *Plan {
	p := &Plan{Open: r.K == 0, Rule: r.Rule}
	if r.Priced {
		p.budgets(&r, &f)
	} else {
		p.size(&r, &f)
	}
	p.Say("loss", f.LossName, choose(r.Loss, "given", lossReason(f.LossName)))
	p.ridge(&r, &f)
	p.descent(&r, &f)
	p.constraints(&r)
	p.competition(&r, &f)
	p.Recipe.Select = search.Selection{Method: search.Annealing, Ridge: p.Recipe.Ridge, Pooling: 1, Descent: p.Recipe.Select.Descent}
	p.candidates(&r, &f)
	p.interactions(&r, &f)
	p.huber(&r, &f)
	p.sayBins(&r, &f)
	p.steps(&r, &f)
	return p
}

// Say adds a decision to the list.
func (p *Plan) Say(setting, value, why string) {
	p.Decisions = append(p.Decisions, Decision{setting, value, why})
}

// Criterion reports whether an information criterion on all rows chooses the size, without
// cross-validation.
func (p *Plan) Criterion() bool { return p.Open && !p.Contest && p.Pairs == 0 }

// ReadsAgain reports whether the fit reads the whole table again after the first descent.
func (p *Plan) ReadsAgain() bool {
	return p.Contest || p.Open || !p.Recipe.Direct || p.Recipe.Polish || p.Recipe.HessianSwaps || p.Recipe.Guard
}

// size sets the sizes to compare.
func (p *Plan) size(r *Request, f *Facts) {
	if !p.Open {
		p.Size, p.Sizes = r.K, []int{r.K}
		return
	}
	if r.FDR > 0 {
		p.Pairs, p.Size = tuning.SizeFolds, f.candidates()
		p.Sizes = []int{p.Size}
		return
	}
	p.Refine = len(r.Sizes) == 0
	if p.Sizes = slices.Clone(r.Sizes); p.Refine {
		p.Sizes = sizesUpTo(max(min(tuning.MostSizes, f.terms(r), f.Effective/tuning.RowsPerVariable), 1))
	}
	for i := range p.Sizes { // at least the forced groups, at most all
		p.Sizes[i] = min(max(p.Sizes[i], f.Forced), f.terms(r))
	}
	slices.Sort(p.Sizes)
	p.Sizes = slices.Compact(p.Sizes)
	p.Size = p.Sizes[len(p.Sizes)-1]
}

// sizesUpTo returns the sizes that the contest compares first if k is open: 0, and sizes that grow by
// half up to most. The contest then tries the sizes between the chosen one and its neighbours.
func sizesUpTo(most int) []int {
	list := []int{0}
	for k := 1; k < most; k += max(1, k/2) {
		list = append(list, k)
	}
	return append(list, most)
}

// ridge sets the smallest ridge. Without a ridge, the coefficients of separable classes grow without
// bound. On a sparse table, descents without a ridge overfit single rows before the relevant columns
// stand out; the ridge needed falls with the number of rows.
func (p *Plan) ridge(r *Request, f *Facts) {
	rows := float64(f.Effective)
	why := "not needed by this loss"
	λ := &p.Recipe.Ridge
	switch {
	case r.Ridge != 0:
		*λ, why = max(r.Ridge, 0), "given"
	case f.Bins > 0:
		*λ, why = tuning.FewRowsRidge/rows, "curves have few rows at their ends"
	case f.classes() && f.Sparse:
		*λ, why = tuning.SparseRidgeRows/max(rows, tuning.MinibatchRows), "sparse classification data overfits without one"
	case f.classes() && f.Kind.Likelihood:
		*λ, why = tuning.ClassRidgeRows/rows, "keeps coefficients finite when classes are separable"
	}
	p.Say("ridge", number(*λ), why)
}

// limited reports whether prices or quotas limit the selection.
func (r *Request) limited() bool { return r.Priced || r.Quotas }

// terms returns the largest number of terms that may be selected.
func (f *Facts) terms(r *Request) int {
	if r.Quotas {
		return f.Capacity
	}
	return r.Terms(f.Groups)
}

func (r *Request) constrained() bool { return r.Constrained.What != "" }

// constraints records the constraints. The solver of a selection keeps them, and direct recipes do not.
func (p *Plan) constraints(r *Request) {
	if r.constrained() {
		p.Say("constraints", r.Constrained.What, "given: they hold after each step and at the optimum")
	}
}

// competition decides whether recipes are compared by cross-validation, and with how many folds.
func (p *Plan) competition(r *Request, f *Facts) {
	solvable := !r.CurvePriors && (p.Open || r.constrained() || r.limited() || f.coefficients(p.Size) <= tuning.ExactCoefficients)
	byCriterion := p.Open && r.Quick && !r.Measure && f.Kind.Likelihood && validate.IsCriterion(p.Rule)
	p.Contest = !byCriterion && p.Pairs == 0 && (p.Open || r.Measure || !r.Quick && solvable && f.small() && f.Effective >= tuning.RowsPerCoefficient)
	p.Recipe.Direct = !solvable || !p.Contest && !byCriterion && p.Pairs == 0 && !r.constrained() && !r.limited()
	if r.Priced && !p.Contest {
		p.Sizes = []int{p.Size}
	}
	if p.Folds = tuning.SizeFolds / 2; p.Open {
		p.Folds = min(tuning.SizeFolds, f.Effective)
	}
	if f.Effective >= tuning.FoldRows*p.Folds {
		p.Folds = (p.Folds + 1) / 2
	}
	p.Folds = cmp.Or(r.Folds, p.Folds)
	switch {
	case p.Pairs > 0:
		p.Say("validation", fmt.Sprintf("%d half samples", 2*p.Pairs), fmt.Sprintf("a false discovery rate of %s is given: each half sample selects %d candidates", number(r.FDR), p.Size))
	case byCriterion:
		p.Say("validation", "none", fmt.Sprintf("k is not fixed: %s, at most %d", validate.DescribeRule(p.Rule), p.Size))
	case p.Contest && p.Open:
		p.Say("validation", fmt.Sprintf("%d folds", p.Folds), choose(r.Priced, "the budget is not fixed: several are cross-validated", fmt.Sprintf("k is not fixed: sizes up to %d are cross-validated", p.Size)))
	case p.Contest:
		p.Say("validation", fmt.Sprintf("%d folds", p.Folds), "recipes are compared by cross-validation")
	default:
		p.Say("validation", "none", choose(r.Quick, "--quick", "the table is large and -k or a budget is given"))
	}
}

// small reports whether a contest of several selections costs little: the table has few rows, or few
// cells and no ranking pairs.
func (f *Facts) small() bool {
	return f.Rows < tuning.MinibatchRows || f.Cells <= tuning.ContestCells && f.Task != loss.Ranking
}

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
	return []search.Selection{{Method: search.Annealing, Loss: robustLoss, Ridge: max(r.Ridge, 0), Pooling: 1, Descent: p.Recipe.Select.Descent}}
}

// robustLoss is the loss of the selection that is robust against wrong labels.
const robustLoss = "lorenz"

// huber decides whether the huber loss has a contest of its own. Extreme targets dominate the squared loss, whether they are
// mistakes or the long tail that the mean has to follow, and only held-out rows can tell.
func (p *Plan) huber(r *Request, f *Facts) {
	p.Huber = f.Extreme > 0 && !r.Loss && p.Contest && !p.Recipe.Direct && !r.Quick && f.small() && f.InMemory && !validate.IsCriterion(p.Rule)
	if p.Huber {
		p.Decisions[0] = Decision{"loss", "squared or huber", fmt.Sprintf("%d extreme target values: both are cross-validated", f.Extreme)}
	}
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

// unit returns an upper bound on the second derivative of the loss of a row.
func (f *Facts) unit() float64 {
	if f.Task != loss.Regression {
		return 0.25
	}
	return 1
}

// steps chooses the steps of a direct recipe after its descent. It records the decisions about
// polishing, swaps and the guard for any recipe.
func (p *Plan) steps(r *Request, f *Facts) {
	n := f.coefficients(p.Terms(p.Size))
	p.Recipe.Polish = r.Polish
	p.Say("polish", choose(r.Polish, "yes", "no"), choose(r.Polish, "given", "only with --polish"))
	p.Recipe.HessianSwaps = p.Recipe.Direct && f.InMemory && f.Task != loss.Ranking && f.many(n) && f.bounded(n)
	p.Recipe.Guard = p.Recipe.Direct && !p.Contest && f.InMemory && r.Ridge == 0 && f.Kind.Likelihood
	switch {
	case r.Interactions.Most > 0:
		p.Say("swaps", "no", "a pair needs its variables")
	case r.Quotas:
		p.Say("swaps", "no", "they would not keep the quotas")
	case p.Swaps:
		p.Say("swaps", "by contest", "swaps are kept if they are not worse out of fold")
	case p.Recipe.HessianSwaps:
		p.Say("swaps", "yes", "selected variables are swapped for better ones")
	case !f.InMemory:
		p.Say("swaps", "no", "the table is large, sparse or in a file")
	case f.Task == loss.Ranking:
		p.Say("swaps", "no", "not available for ranking")
	case !f.many(n):
		p.Say("swaps", "no", "too few rows per coefficient: a lower training loss would be overfitting")
	default:
		p.Say("swaps", "no", "they would take longer than the fit itself")
	}
	p.Say("guard", choose(p.Recipe.Guard, "yes", "no"), choose(p.Recipe.Guard, "the ridge is raised if the fit may be selection noise", "cross-validation chooses the ridge, or it was given, or selection noise cannot be estimated for this loss or table"))
}

func choose(yes bool, this, that string) string {
	if yes {
		return this
	}
	return that
}

func number(v float64) string { return decimal.Digits(v, 4) }

// lossReason returns the reason why a loss is the default.
func lossReason(name string) string {
	switch name {
	case "logistic":
		return "the target has two values"
	case "multinomial":
		return "the target has several classes"
	case "squared":
		return "the target is numeric"
	}
	return "chosen by the type of the target"
}
