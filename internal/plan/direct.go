package plan

import (
	"fsa/internal/search"
	"fsa/loss"
)

// steps chooses the steps of a direct recipe after its descent. It records the decisions about
// polishing, swaps and the guard for any recipe.
func (p *Plan) steps(r *Request, f *Facts) {
	n := f.coefficients(p.Terms(p.Size))
	many := search.Many(f.Effective, n)
	p.Recipe.Polish = r.Polish
	p.Say("polish", choose(r.Polish, "yes", "no"), choose(r.Polish, "given", "only with --polish"))
	p.Recipe.HessianSwaps = p.Recipe.Direct && f.InMemory && f.Task != loss.Ranking && many && search.Bounded(f.Effective, f.Cells, n)
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
	case !many:
		p.Say("swaps", "no", "too few rows per coefficient: a lower training loss would be overfitting")
	default:
		p.Say("swaps", "no", "they would take longer than the fit itself")
	}
	p.Say("guard", choose(p.Recipe.Guard, "yes", "no"), choose(p.Recipe.Guard, "the ridge is raised if the fit may be selection noise", "cross-validation chooses the ridge, or it was given, or selection noise cannot be estimated for this loss or table"))
}
