package fit

import "fsa/validate"

// Contender is a recipe in the contest of a fit, at the chosen size.
type Contender struct {
	Recipe string
	// Mean is its mean out-of-fold measure, and Worse the difference from the best one, with its
	// standard error SE over folds.
	Mean, Worse, SE float64
	Won             bool
}

// Contenders returns the recipes compared at the chosen size: the best of each complexity, the simplest first. It is nil if
// there was no contest.
func (j *Job) Contenders() []Contender {
	v := j.validated
	if v == nil {
		return nil
	}
	best := v.Trials[0]
	for _, t := range v.Trials {
		if t.Mean < best.Mean {
			best = t
		}
	}
	var list []Contender
	for _, t := range v.Trials {
		worse, se := validate.Difference(t.Errors, best.Errors, v.record.Repeats)
		list = append(list, Contender{Recipe: t.Recipe.String(), Mean: signed(j.measure(), t.Mean), Worse: worse, SE: se, Won: t == v.Trial})
	}
	return list
}
