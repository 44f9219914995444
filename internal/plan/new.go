package plan

import (
	"cmp"

	"fsa/internal/search"
	"fsa/internal/tuning"
)

// New returns the plan for a request and the facts of its data.
func New(r Request, f Facts) *Plan {
	p := &Plan{Open: r.K == 0, Rule: r.Rule}
	if r.Priced {
		p.budgets(&r, &f)
	} else {
		p.size(&r, &f)
	}
	p.Say("loss", f.LossName, choose(r.Loss, "given", cmp.Or(lossReasons[f.LossName], "chosen by the type of the target")))
	p.ridge(&r, &f)
	p.descent(&r, &f)
	if r.constrained() {
		p.Say("constraints", r.Constrained.What, "given: they hold after each step and at the optimum")
	}
	p.competition(&r, &f)
	p.Recipe.Select = search.Selection{Method: search.Annealing, Ridge: p.Recipe.Ridge, Pooling: 1, Descent: p.Recipe.Select.Descent}
	p.candidates(&r, &f)
	p.interactions(&r, &f)
	p.huber(&r, &f)
	p.sayBins(&r, &f)
	p.steps(&r, &f)
	return p
}

// lossReasons are the reasons why losses are the default.
var lossReasons = map[string]string{"logistic": "the target has two values", "multinomial": "the target has several classes", "squared": "the target is numeric"}

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
