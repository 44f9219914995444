package plan

import (
	"cmp"
	"fmt"
	"slices"

	"fsa/internal/search"
	"fsa/internal/tuning"
	"fsa/loss"
	"fsa/validate"
)

// Plan is what a fit will do. It does not change.
type Plan struct {
	// Size is the number of groups to select or, where that is open, the largest that is
	// compared. Sizes are those that a selection passes through.
	Size  int
	Sizes []int
	// Open says that the size is chosen, by Rule: out-of-fold errors, or an information
	// criterion.
	Open bool
	Rule string
	// Recipe is the first of those that compete, and the one that is run without a contest.
	Recipe search.Recipe
	// Contest says that recipes compete on Folds folds.
	Contest bool
	Folds   int
	// Selections are the ways to select that compete, Ridges the strengths of the ridge for
	// learning, ascending, and Poolings the shares of the prior on categories.
	Selections []search.Selection
	Ridges     []float64
	Poolings   []float64
	// Swaps says that swaps compete, which lower the objective under SwapRidge, and Adaptive that
	// the adaptive ridge does.
	Swaps     bool
	SwapRidge float64
	Adaptive  bool
	// Refine says that sizes between those compared are tried, too.
	Refine bool

	// Decisions say why.
	Decisions []Decision
}

// Decision is a value of a plan and the reason for it.
type Decision struct {
	Setting string // the flag that would set it, or the stage
	Value   string
	Why     string
}

// New decides.
func New(r Request, f Facts) *Plan {
	p := &Plan{Open: r.K == 0, Rule: r.Rule}
	p.size(&r, &f)
	p.Say("loss", f.LossName, choose(r.Loss, "given", lossReason(f.LossName)))
	p.ridge(&r, &f)
	p.descent(&r, &f)
	p.competition(&r, &f)
	p.Recipe.Select = search.Selection{Method: search.Annealing, Ridge: p.Recipe.Ridge, Pooling: 1, Descent: p.Recipe.Select.Descent}
	p.candidates(&r, &f)
	p.sayBins(&r, &f)
	p.steps(&r, &f)
	return p
}

// Say adds a decision.
func (p *Plan) Say(setting, value, why string) {
	p.Decisions = append(p.Decisions, Decision{setting, value, why})
}

// Criterion reports whether an information criterion on all rows chooses the size, without
// folds.
func (p *Plan) Criterion() bool { return p.Open && !p.Contest }

// ReadsAgain reports whether anything comes back to the whole table after the descent.
func (p *Plan) ReadsAgain() bool {
	return p.Contest || p.Open || p.Recipe.Polish || p.Recipe.HessianSwaps || p.Recipe.Guard
}

// size decides which sizes are compared.
func (p *Plan) size(r *Request, f *Facts) {
	if !p.Open {
		p.Size, p.Sizes = r.K, []int{r.K}
		return
	}
	p.Refine = len(r.Sizes) == 0
	if p.Sizes = slices.Clone(r.Sizes); p.Refine {
		p.Sizes = sizesUpTo(max(min(tuning.MostSizes, f.Groups, f.Effective/tuning.RowsPerVariable), 1))
	}
	for i := range p.Sizes { // there must be room for what must stay
		p.Sizes[i] = min(max(p.Sizes[i], f.Forced), f.Groups)
	}
	slices.Sort(p.Sizes)
	p.Sizes = slices.Compact(p.Sizes)
	p.Size = p.Sizes[len(p.Sizes)-1]
}

// sizesUpTo returns the sizes that are compared first where k is open, each half as large again as
// the one before, up to the given one. Those between follow around the one that is chosen.
func sizesUpTo(most int) []int {
	list := []int{0}
	for k := 1; k < most; k += max(1, k/2) {
		list = append(list, k)
	}
	return append(list, most)
}

// ridge chooses the least ridge. Coefficients of separable classes would grow without bound.
// On a sparse table steps fit the rows before the columns that matter stand out, unless there
// is a ridge, the smaller the more rows there are.
func (p *Plan) ridge(r *Request, f *Facts) {
	rows := float64(f.Effective)
	why := "not needed by this loss"
	λ := &p.Recipe.Ridge
	switch {
	case r.Ridge != 0:
		*λ, why = max(r.Ridge, 0), "given"
	case f.Bins > 0:
		*λ, why = min(tuning.CurveRidge, tuning.CurveRidgeRows/rows), "curves have few rows at their ends"
	case f.classes() && f.Sparse:
		*λ, why = tuning.SparseRidgeRows/max(rows, tuning.MinibatchRows), "sparse classification data overfits without one"
	case f.classes() && f.Kind.Likelihood:
		*λ, why = tuning.ClassRidgeRows/rows, "keeps coefficients finite when classes are separable"
	}
	p.Say("ridge", number(*λ), why)
}

// competition decides whether recipes compete, and on how many folds.
func (p *Plan) competition(r *Request, f *Facts) {
	solvable := !r.CurvePriors && (p.Open || f.coefficients(p.Size) <= tuning.ExactCoefficients)
	byCriterion := p.Open && r.Quick && !r.Measure && f.Kind.Likelihood && validate.IsCriterion(p.Rule)
	p.Contest = !byCriterion && (p.Open || r.Measure || !r.Quick && solvable && f.small(p.Open) && f.Effective >= tuning.FewestTuned)
	p.Recipe.Direct = !solvable || !p.Contest && !byCriterion
	if p.Folds = tuning.GivenFolds; f.Effective >= tuning.FewFoldsRows {
		p.Folds = tuning.FewFolds
	}
	if p.Open {
		p.Folds = min(tuning.SizeFolds, f.Effective)
	}
	p.Folds = cmp.Or(r.Folds, p.Folds)
	switch {
	case byCriterion:
		p.Say("validation", "none", fmt.Sprintf("k is not fixed: %s, at most %d", validate.DescribeRule(p.Rule), p.Size))
	case p.Contest && p.Open:
		p.Say("validation", fmt.Sprintf("%d folds", p.Folds), fmt.Sprintf("k is not fixed: sizes up to %d are cross-validated", p.Size))
	case p.Contest:
		p.Say("validation", fmt.Sprintf("%d folds", p.Folds), "recipes are compared by cross-validation")
	default:
		p.Say("validation", "none", choose(r.Quick, "--quick", "the table is large and -k is given"))
	}
}

// small reports whether a contest of several recipes costs little: there are few rows, or few
// cells and no pairs of rows.
func (f *Facts) small(open bool) bool {
	most := tuning.ContestCells
	if open {
		most = tuning.OpenContestCells
	}
	return f.Rows < tuning.MinibatchRows || f.Rows*f.Cols <= most && f.Task != loss.Ranking
}

// candidates lists what competes.
func (p *Plan) candidates(r *Request, f *Facts) {
	p.SwapRidge = p.Recipe.Ridge
	p.Selections, p.Ridges = []search.Selection{p.Recipe.Select}, []float64{p.Recipe.Ridge}
	if !p.Contest || p.Recipe.Direct || r.Quick || !f.small(p.Open) {
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
		if r.Eta == 0 && f.Rows < tuning.MinibatchRows { // a step that was given is made for no other ridge
			p.Selections = nil
			for _, λ := range f.ridges(p.Recipe.Ridge, tuning.SelectRidges) {
				s := p.Recipe.Select
				s.Ridge = λ
				p.Selections = append(p.Selections, s)
			}
		}
	}
	if f.Single && f.Groups > f.Effective {
		p.Selections = append(p.Selections, search.Selection{Method: search.Lasso, Pooling: 1, Descent: p.Recipe.Select.Descent})
	}
	p.Selections = append(p.Selections, p.robust(r, f)...)
	p.Selections = append(p.Selections, p.curves(r, f)...)
	if p.Open && f.Rows >= tuning.MinibatchRows && f.Rows*f.Cols > tuning.OpenSwapCells {
		return // swaps on ten folds would take most of the time
	}
	p.Swaps, p.Adaptive = f.Task != loss.Ranking, f.Single && r.Ridge == 0
	if f.Texts {
		p.Poolings = tuning.Poolings
	}
}

// robust returns the selection of two classes by a loss to which a wrong label counts little.
// The model is learned by the loss that gives probabilities.
func (p *Plan) robust(r *Request, f *Facts) []search.Selection {
	if r.Loss || f.LossName != "logistic" || f.Sparse || r.Eta != 0 {
		return nil
	}
	g := *f
	g.LossName = robustLoss
	g.Kind, _ = loss.Named(g.LossName)
	q := &Plan{Size: p.Size, Open: p.Open}
	q.descent(r, &g)
	return []search.Selection{{Method: search.Annealing, Loss: robustLoss, Ridge: max(r.Ridge, 0), Pooling: 1, Descent: q.Recipe.Select.Descent}}
}

// robustLoss selects where labels may be wrong.
const robustLoss = "lorenz"

// sayBins says whether variables have lines or curves.
func (p *Plan) sayBins(r *Request, f *Facts) {
	curves := slices.ContainsFunc(p.Selections, func(s search.Selection) bool { return s.Bins > 0 })
	switch {
	case f.Bins > 0:
		p.Say("bins", fmt.Sprint(f.Bins), "given")
	case r.Lines:
		p.Say("bins", "0", "given")
	case curves:
		p.Say("bins", "by contest", "straight lines and curves are compared by cross-validation")
	case !f.Bends:
		p.Say("bins", "0", "curves need a dense numeric table in the memory of one machine")
	default:
		p.Say("bins", "0", "nothing is cross-validated, or there are too few rows for curves")
	}
}

// curves returns the selections of curves.
func (p *Plan) curves(r *Request, f *Facts) []search.Selection {
	if !f.Bends || r.Lines || r.Ridge != 0 && r.Ridge < tuning.LeastCurveRidge { // the ends of curves have few rows
		return nil
	}
	var list []search.Selection
	for _, bins := range tuning.CurveBins {
		if n := f.coefficients(p.Size * (bins + 1)); !p.Open && (n > tuning.ExactCoefficients || f.Effective < tuning.RowsPerVariable*n) {
			continue
		}
		s := p.Recipe.Select
		s.Bins = bins
		if r.Ridge == 0 {
			s.Ridge = min(tuning.CurveRidge, tuning.CurveRidgeRows/float64(f.Effective))
		}
		list = append(list, s)
	}
	return list
}

// ridges returns strengths of the ridge, ascending, the least of which is that of the plan, or
// less for curves. Given are those for the squared loss of standardised columns, which are
// multiplied by the curvature of the loss.
func (f *Facts) ridges(least float64, given []float64) []float64 {
	if f.Bins > 0 {
		least = tuning.LeastCurveRidge
	}
	list := []float64{least}
	for _, λ := range given {
		if λ *= f.unit(); λ > 2*least {
			list = append(list, λ)
		}
	}
	return list
}

// unit returns the curvature of the loss of a row, at most.
func (f *Facts) unit() float64 {
	if f.Task != loss.Regression {
		return 0.25
	}
	return 1
}

// steps chooses what follows the descent of a direct recipe, and says what follows any.
func (p *Plan) steps(r *Request, f *Facts) {
	n := f.coefficients(p.Size)
	p.Recipe.Polish = r.Polish
	p.Say("polish", choose(r.Polish, "yes", "no"), choose(r.Polish, "given", "only with --polish"))
	p.Recipe.HessianSwaps = p.Recipe.Direct && f.InMemory && f.Task != loss.Ranking && f.many(n) && f.refinable(n, p.Recipe.Ridge)
	p.Recipe.Guard = p.Recipe.Direct && !p.Contest && f.InMemory && r.Ridge == 0 && f.Kind.Likelihood
	switch {
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

func number(v float64) string { return fmt.Sprintf("%.4g", v) }

// lossReason says why a loss is the default.
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
