package fsa

import (
	"cmp"
	"fmt"
	"slices"

	"fsa/anneal"
	"fsa/data"
	"fsa/internal/objective"
	"fsa/loss"
	"fsa/validate"
)

// Plan is what a fit will do: everything that the options leave open, decided once
// from the options and from facts about the data. It does not change.
type Plan struct {
	// K is how many groups of variables are to be selected.
	K int
	// Loss is the name of the loss.
	Loss string
	// Ridge is λ of the ridge penalty λ‖β‖².
	Ridge float64
	// Batch is how many rows a step looks at: a minibatch, or all of them.
	Batch int
	// Schedule says how many variables stay after each epoch of descent, and Epochs how
	// many there are. Mu is the speed of the schedule where it is the inverse one; else −1.
	Schedule anneal.Schedule
	Mu       float64
	Epochs   int
	// WarmUp is a number of epochs before, and FactorWarmUp the least number of steps before the
	// first variable goes where one factor is in all columns.
	WarmUp, FactorWarmUp int
	// Eta is the step; 0 means 1/L, measured on the way.
	Eta float64
	// Momentum is a share of the last move, or anneal.None.
	Momentum float64
	// Tolerance ends the tail of the descent early; 0 means never.
	Tolerance float64
	// Polish, Swap and Guard say which stages follow the descent.
	Polish, Swap, Guard bool
	// Exact says that what is chosen is always learned to its optimum, and Tune that
	// validation chooses the ridge and whether variables are swapped.
	Exact, Tune bool
	// Folds is the number of folds of that validation, and SwapExactly says that
	// variables are swapped in the end, one pair at a time.
	Folds       int
	SwapExactly bool
	// Adaptive says that what is chosen is learned with an adaptive ridge in the end, and Shrink that
	// cross-validation of what was chosen, without choosing anew, decides about its ridge.
	Adaptive, Shrink bool
	// Criterion is the information criterion that chooses the size without folds; empty
	// where it is given, or cross-validation chooses it.
	Criterion string
	// DescentRidge is the ridge of the descent, and SwapRidge that of the swaps, where
	// these are not Ridge.
	DescentRidge, SwapRidge float64
	// SwapGain is the share of the objective that a swap has to gain.
	SwapGain float64
	// Detours says that the search goes on where no swap gains.
	Detours bool

	// Decisions say why.
	Decisions []Decision
}

// Decision is a value of a plan and the reason for it.
type Decision struct {
	Setting string `json:"setting"` // the flag that would set it, or the stage
	Value   string `json:"value"`
	Why     string `json:"why"`
}

// facts are what a plan depends on besides the options.
type facts struct {
	rows, cols, cells int
	counted           int // rows that have a weight
	mass              int // rows as rules count them; see mass
	variables, groups int
	task              loss.Task
	loss              loss.Kind
	lossName          string
	sparse            bool
	paged             bool             // it is read from a file
	home              objective.Device // where it is, if not here; nil if it is
	inMemory          bool             // the table can be read again, column after column, at no other cost
	single            bool             // every group has one coefficient
	open              bool             // k is to be chosen,
	chosen            bool             // and validation has chosen it, which may be 0
	outliers          bool             // a few rows lie so far out that they would rule any minibatch
}

// size returns k, or where that is open the largest that is compared.
func (f *facts) size(o *Options) int {
	switch {
	case o.K != Auto || f.chosen:
		return o.K
	case len(o.Sizes) > 0:
		return min(slices.Max(o.Sizes), f.groups)
	}
	return max(min(mostSizes, f.groups, f.mass/rowsPerVariable), 1)
}

// small reports whether validation can afford to choose how a table is learned: it has few rows or, where
// folds are needed anyway, few cells.
func (f *facts) small() bool {
	return f.rows < minibatchRows || f.open && f.rows*f.cols <= smallCells
}

// searchable reports whether so many coefficients can be searched for by exact swaps at little cost, although the table is not small.
// Those of a quadratic loss are found by its Hessian, too.
func (f *facts) searchable(coefficients int) bool {
	return !f.open && f.inMemory && f.single && f.loss.Likelihood && !f.loss.Quadratic && f.rows*f.cols <= searchCells && f.many(coefficients)
}

// coefficients is about how many coefficients k groups have, the intercept included.
func (f *facts) coefficients(k, outputs int) int {
	return outputs * (1 + k*f.cols/max(f.groups, 1))
}

// newPlan decides.
func newPlan(o *Options, f facts, outputs int) *Plan {
	p := &Plan{K: f.size(o), Loss: f.lossName, Eta: o.Eta, WarmUp: o.WarmUp, Polish: o.Polish, Mu: o.Mu}
	p.say("loss", f.lossName, choose(o.Loss != nil || o.LossName != "" && o.LossName != "auto", "given", "by the look of the response"))
	p.Momentum = cmp.Or(o.Momentum, anneal.DefaultMomentum)
	p.ridge(o, &f)
	p.descent(o, &f, outputs)
	if o.WarmUp == 0 {
		p.FactorWarmUp = f.factorWarmUp()
	}
	p.DescentRidge = p.Ridge
	p.stages(o, &f, outputs)
	p.validation(o, &f, outputs)
	p.sayStages(o, &f, outputs)
	return p
}

// ridge chooses the ridge. Coefficients of separable classes would grow and grow. On a
// sparse table steps fit the rows before the columns that matter stand out, unless
// there is a ridge, the smaller the more rows there are.
func (p *Plan) ridge(o *Options, f *facts) {
	rows := float64(f.mass)
	classes := f.task == loss.Classification && p.Loss != "lorenz"
	why := ""
	switch {
	case o.Ridge != Auto:
		p.Ridge, why = max(o.Ridge, 0), "given"
	case o.Bins > 0:
		p.Ridge, why = min(curveRidge, curveRidgeRows/rows), "rarely visited ends of curves would grow and grow"
	case classes && f.sparse:
		p.Ridge, why = sparseRidgeRows/max(rows, minibatchRows), "sparse rows of classes would be overfitted"
	case classes && f.loss.Likelihood:
		p.Ridge, why = classRidgeRows/rows, "coefficients of separable classes would grow and grow"
	default:
		why = "not needed by this loss"
	}
	p.say("ridge", number(p.Ridge), why)
}

// descent chooses how many rows a step looks at, and how fast variables go.
func (p *Plan) descent(o *Options, f *facts, outputs int) {
	p.Batch, p.Epochs, p.Schedule, p.Tolerance = f.rows, o.Iterations, o.Schedule, max(o.Tolerance, 0)
	why := "there are few rows"
	switch {
	case o.Batch == AllRows:
		why = "given"
	case o.Batch > 0:
		p.Batch, why = min(o.Batch, f.rows), "given"
	case f.rows >= minibatchRows && f.outliers:
		why = "a few rows lie far out and would rule any minibatch"
	case f.rows >= minibatchRows:
		perRow := float64(f.cells+1) / float64(f.rows)
		p.Batch, why = min(max(batchRows, int(float64(f.cols)/perRow)), f.rows), "there are many rows, and a minibatch says as much"
	}
	p.say("batch", fmt.Sprintf("%d of %d rows", p.Batch, f.rows), why)
	switch {
	case o.Iterations > 0:
		why = "given"
	case p.sparseClasses(f) && f.rows < minibatchRows && f.cols > f.mass:
		p.Epochs, why = fewestEpochs, "fewer steps choose better among the columns of few sparse rows"
	case 2*p.Batch <= f.rows:
		p.minibatchEpochs(o, f, outputs)
		why = "as many steps as are needed, in epochs of minibatches"
	default:
		p.Epochs, why = anneal.DefaultIterations, "the usual number"
	}
	p.say("iterations", fmt.Sprint(p.Epochs), why)
	if p.Schedule == nil {
		if p.Mu == 0 && p.Loss == "lorenz" {
			p.Mu = lorenzMu
			if !f.sparse {
				p.Mu = min(max(lorenzMuRows/float64(f.rows), slowestMu), lorenzMu)
			}
		}
		p.Mu = cmp.Or(p.Mu, anneal.DefaultMu)
		p.Schedule = anneal.Inverse(p.Mu)
	}
	if p.Mu > 0 {
		p.say("mu", number(p.Mu), choose(o.Mu > 0, "given", "the usual speed for this loss and these epochs"))
	} else {
		p.Mu = -1
		p.say("mu", "none", "a schedule was given")
	}
	p.say("tolerance", choose(p.Tolerance > 0, number(p.Tolerance), "none"), choose(o.Tolerance != Auto, "given", "by the number of rows"))
}

// sparseClasses reports whether sparse rows are learned as classes, with a ridge.
func (p *Plan) sparseClasses(f *facts) bool {
	return f.sparse && f.task == loss.Classification && p.Loss != "lorenz"
}

// minibatchEpochs lets variables go in fewer epochs, each of many steps, and learns what
// is left in a few more.
func (p *Plan) minibatchEpochs(o *Options, f *facts, outputs int) {
	steps := descentSteps
	if f.sparse {
		steps = sparseSteps
	}
	epochs := min(max(steps*p.Batch/f.rows, fewestEpochs), anneal.DefaultIterations)
	if p.Schedule == nil {
		p.Mu = cmp.Or(o.Mu, max(float64(epochs)/5, slowestMu))
		p.Schedule = anneal.Inverse(p.Mu)
	}
	p.Schedule = within(p.Schedule, epochs)
	p.Epochs = epochs + tailEpochs
	if f.refines(f.coefficients(p.K, outputs), p.Ridge) {
		p.Epochs = epochs + briefEpochs
	}
	if o.Tolerance == Auto {
		p.Tolerance = tailTolerance
	}
}

// within returns a schedule that is through after some epochs. What follows are steps on
// the variables that were chosen, which cost little.
func within(s anneal.Schedule, epochs int) anneal.Schedule {
	return func(e, _, groups, k int) int { return s(min(e, epochs), epochs, groups, k) }
}

// stages chooses what follows the descent.
func (p *Plan) stages(o *Options, f *facts, outputs int) {
	n := f.coefficients(p.K, outputs)
	p.Swap = f.inMemory && f.task != loss.Ranking && f.mass >= refineRowsPerCoefficient*n && f.refines(n, p.Ridge)
	p.Guard = f.inMemory && o.Ridge == Auto && f.loss.Likelihood
}

// sayStages says what follows the descent, and why.
func (p *Plan) sayStages(o *Options, f *facts, outputs int) {
	p.say("polish", choose(p.Polish, "yes", "no"), "on request")
	switch {
	case p.Tune && f.single:
		p.say("swaps", "by validation", "chosen variables give way to others if that is better on rows that were not learned from")
	case p.Swap || p.SwapExactly:
		p.say("swaps", "yes", "chosen variables give way to better ones")
	case !f.inMemory && !p.Exact:
		p.say("swaps", "no", "the table is large, sparse or in a file")
	case f.task == loss.Ranking:
		p.say("swaps", "no", "rows of a query do not count each for itself")
	case f.mass < refineRowsPerCoefficient*f.coefficients(p.K, outputs):
		p.say("swaps", "no", "there are few rows for a coefficient, so that the least loss is not the best model")
	default:
		p.say("swaps", "no", "they would cost more than the fit")
	}
	p.say("guard", choose(p.Guard, "yes", "no"), choose(p.Guard, "the ridge rises where much of what is explained may be selection noise", "validation chooses the ridge, it was given, or the loss or the table does not allow to judge"))
}

// validates reports whether validation has something to choose, or a dataset so few rows
// that it can afford to choose how it is learned.
func (o *Options) validates(d *data.Dataset) bool {
	return o.K == Auto || o.Stability > 0 || o.asksValidation() || !o.Quick && d.Rows() < minibatchRows
}

// criterion returns the information criterion by which a quick fit chooses the size, if
// there is a likelihood and nobody asks for cross-validation.
func (o *Options) criterion(f *facts) string {
	rule := cmp.Or(o.Choose, quickRule)
	if o.Quick && o.K == Auto && !f.chosen && !o.asksValidation() && f.loss.Likelihood && validate.IsCriterion(rule) {
		return rule
	}
	return ""
}

// validation chooses what is left to cross-validation: the ridge, and whether to swap,
// where the table is small and it is cheap; and the size where it is open.
func (p *Plan) validation(o *Options, f *facts, outputs int) {
	n := f.coefficients(p.K, outputs)
	searched := !f.small() && !o.asksValidation() && f.searchable(n)
	p.Exact = !o.Quick && (f.small() || searched) && len(o.CurvePriors) == 0 && n <= exactCoefficients
	p.Criterion = o.criterion(f)
	p.Tune = (p.Exact && !searched && o.Ridge == Auto && f.mass >= fewestTuned || o.K == Auto || o.asksValidation()) && !f.chosen && p.Criterion == ""
	if p.Folds = tuneFolds; f.mass >= fewFoldsRows {
		p.Folds = fewFolds
	}
	if o.K == Auto && !f.chosen {
		p.Folds = min(sizeFolds, f.mass)
	}
	p.Folds = cmp.Or(o.Folds, p.Folds)
	if p.Exact {
		p.Guard = p.Guard && !p.Tune
		if p.swapExactly(f, n); searched {
			p.SwapGain, p.Shrink = anyGain, o.Ridge == Auto
			p.Guard = p.Guard && !p.Shrink
		}
	}
	switch {
	case p.Criterion != "":
		p.say("validation", "none", fmt.Sprintf("k is open: it is %s, of %d at most", validate.DescribeRule(p.Criterion), p.K))
	case o.K == Auto && !f.chosen:
		p.say("validation", fmt.Sprintf("%d folds", p.Folds), fmt.Sprintf("k is open: up to %d variables are compared on rows that were not learned from", p.K))
	case p.Tune:
		p.say("validation", fmt.Sprintf("%d folds", p.Folds), "there are few rows: those that were not learned from choose the ridge, and whether to swap")
	case p.Shrink:
		p.say("validation", fmt.Sprintf("%d folds", fewFolds), "of what is chosen: rows that were not learned from choose its ridge")
	}
}

// swapExactly lets swaps be exact where they can be: those that are better by more than
// selection noise, where rows are many for what is chosen. There the search may go on, too.
func (p *Plan) swapExactly(f *facts, coefficients int) {
	if !f.single {
		p.Swap = p.Swap && !p.Tune
		return
	}
	p.Swap = false
	if f.many(coefficients) && p.K > 0 {
		p.SwapExactly, p.SwapRidge, p.SwapGain, p.Detours = true, p.Ridge, f.noise(), true
	}
}

// many reports whether rows are many for so many coefficients.
func (f *facts) many(coefficients int) bool { return f.mass >= refineRowsPerCoefficient*coefficients }

// noise returns the share of the loss that the best of all groups explains by chance.
func (f *facts) noise() float64 { return selectionNoise(1, f.groups, float64(f.mass)) }

// refines reports whether so many coefficients are to be moved to their optimum: their
// Hessian bound can be had at little cost.
func (f *facts) refines(coefficients int, ridge float64) bool {
	rows, n := float64(f.mass), float64(coefficients)
	return (f.many(coefficients) || ridge > 0) && rows*n*n <= float64(max(f.cells, refineCells))
}

func (p *Plan) say(setting, value, why string) {
	p.Decisions = append(p.Decisions, Decision{setting, value, why})
}

func choose(yes bool, this, that string) string {
	if yes {
		return this
	}
	return that
}

func number(v float64) string { return fmt.Sprintf("%.4g", v) }

// hasOutliers reports that a few rows may lie so far out that they would rule any
// minibatch they are in: the outermost values of the columns, all in one row, would
// outweigh a minibatch of usual ones. Of a sparse table no row has them all.
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
	return sum > outlierSquares*columns
}

// factorWarmUp is the least number of steps before the first variable goes where one
// factor is in all columns. With more columns than rows they would rather fit the rows.
func (f *facts) factorWarmUp() int {
	if f.mass >= f.cols {
		return factorWarmUpSteps
	}
	return 0
}
