package fsa

import "fsa/anneal"

// Plan describes what a fit will do, as far as options and data determine it.
type Plan struct {
	// Loss is the name of the loss.
	Loss string
	// K is the number of variables to select or, if k is open, the largest number to compare; with a budget, about how many it
	// buys.
	// Batch is the number of rows of a step.
	K, Batch int
	// Schedule is the number of variables left after each of the Epochs epochs of the descent.
	Schedule anneal.Schedule
	Epochs   int
	// Folds is the number of folds on which recipes are compared, 0 without a comparison, and Selections the number of
	// selections that compete.
	Folds, Selections int
	// Open says that the number of variables is compared, too.
	Open bool
	// HalfSamples is the number of half samples on which the selection is repeated before or after the fit.
	HalfSamples int
	// Decisions lists the decisions and their reasons.
	Decisions []Decision
}

// Decision is a value of a plan and the reason for it.
type Decision struct {
	Setting string `json:"setting"` // the flag that would set it, or the step
	Value   string `json:"value"`
	Why     string `json:"why"`
}

// Plan returns what the fit will do.
func (j *Job) Plan() *Plan {
	of, v := j.fit.Plan, &j.fit.Settings.Validation
	d := of.Recipe.Select.Descent
	p := &Plan{Loss: j.fit.Response.Name, K: of.Terms(of.Size), Batch: d.Batch, Schedule: d.Schedule, Epochs: d.Epochs, HalfSamples: 2 * max(v.Stability, of.Pairs)}
	if of.Contest {
		p.Folds, p.Selections = of.Folds*max(v.Repeats, 1), len(of.Selections)
	}
	p.Open = of.Contest && of.Open
	for _, said := range of.Decisions {
		p.Decisions = append(p.Decisions, Decision(said))
	}
	return p
}

// Contender is a recipe in the contest of a fit, at the chosen size.
type Contender struct {
	Recipe string
	// Mean is its mean out-of-fold measure, and Worse the difference from the best one, with its
	// standard error SE over folds.
	Mean, Worse, SE float64
	Won             bool
}

// Contenders returns the recipes compared at the chosen size, after [Job.Run] or [Job.Validate]: the
// best of each complexity, the simplest first. It is nil if there was no contest.
func (j *Job) Contenders() []Contender {
	var list []Contender
	for _, c := range j.fit.Contenders() {
		list = append(list, Contender(c))
	}
	return list
}
