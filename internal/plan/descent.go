package plan

import (
	"cmp"
	"fmt"

	"fsa/anneal"
	"fsa/internal/search"
	"fsa/internal/tuning"
	"fsa/loss"
)

// descent sets the batch, the epochs and the schedule of the descent.
func (p *Plan) descent(r *Request, f *Facts) {
	d := &search.Descent{Batch: f.Rows, Epochs: r.Iterations, Schedule: r.Schedule, Mu: r.Mu, Eta: r.Eta, WarmUp: r.WarmUp, Tolerance: max(r.Tolerance, 0)}
	d.Momentum = cmp.Or(r.Momentum, anneal.DefaultMomentum)
	p.Recipe.Select.Descent = d
	why := "few rows: every step uses all of them"
	switch {
	case r.Batch == AllRows:
		why = "given"
	case f.Task == loss.Survival || f.Kind.Ordered:
		why = "each step of this loss compares all rows"
	case r.Batch > 0:
		d.Batch, why = min(r.Batch, f.Rows), "given"
	case f.Rows >= tuning.MinibatchRows && f.Outliers:
		why = "outlying rows would dominate a minibatch"
	case f.Rows >= tuning.MinibatchRows:
		perRow := float64(f.Cells+1) / float64(f.Rows)
		d.Batch, why = min(max(tuning.BatchRows, int(float64(f.Cols)/perRow)), f.Rows), "many rows: minibatches take more steps per pass over the data"
	}
	p.Say("batch", fmt.Sprintf("%d of %d rows", d.Batch, f.Rows), why)
	switch {
	case r.Iterations > 0:
		why = "given"
	case f.Sparse && f.classes() && f.Rows < tuning.MinibatchRows && f.Cols > f.Effective:
		d.Epochs, why = tuning.FewestEpochs, "few sparse rows: fewer epochs select better"
	case 2*d.Batch <= f.Rows:
		p.minibatchEpochs(d, r, f)
		why = "enough steps, given the minibatches"
	default:
		d.Epochs, why = anneal.DefaultIterations, "the default"
	}
	p.Say("iterations", fmt.Sprint(d.Epochs), why)
	p.schedule(d, r, f)
	p.Say("tolerance", choose(d.Tolerance > 0, number(d.Tolerance), "none"), choose(r.Tolerance != 0, "given", "chosen by the number of rows"))
}

// schedule sets the schedule, unless it was given or minibatchEpochs has set it.
func (p *Plan) schedule(d *search.Descent, r *Request, f *Facts) {
	if d.Schedule == nil {
		if d.Mu == 0 && f.LossName == "lorenz" {
			d.Mu = tuning.LorenzMu
			if !f.Sparse {
				d.Mu = min(max(tuning.LorenzMuRows/float64(f.Rows), tuning.SlowestMu), tuning.LorenzMu)
			}
		}
		d.Mu = cmp.Or(d.Mu, anneal.DefaultMu)
		d.Schedule = anneal.Inverse(d.Mu)
	}
	if d.Mu > 0 {
		p.Say("mu", number(d.Mu), choose(r.Mu > 0, "given", "the default for this loss and number of epochs"))
		return
	}
	d.Mu = -1
	p.Say("mu", "none", "a schedule was given")
}

// minibatchEpochs sets fewer epochs than the default, because an epoch of minibatches has many steps.
// A few more epochs follow to fit the selected variables.
func (p *Plan) minibatchEpochs(d *search.Descent, r *Request, f *Facts) {
	steps := tuning.DescentSteps
	if f.Sparse {
		steps = tuning.SparseSteps
	}
	epochs := min(max(steps*d.Batch/f.Rows, tuning.FewestEpochs), anneal.DefaultIterations)
	if d.Schedule == nil {
		d.Mu = cmp.Or(r.Mu, max(float64(epochs)/5, tuning.SlowestMu))
		d.Schedule = anneal.Inverse(d.Mu)
	}
	d.Schedule = search.Within(d.Schedule, epochs) // the further epochs on the selected variables cost little
	d.Epochs = epochs + tuning.FewestEpochs
	if r.Tolerance == 0 {
		d.Tolerance = tuning.TailTolerance
	}
}
