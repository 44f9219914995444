package model

import (
	"errors"
	"slices"
)

// Validation is what cross-validation said before a model was learned: how good it is on
// rows that were not learned from, and by what its size was chosen.
type Validation struct {
	Folds int `json:"folds"`
	// Measure is the name of the loss whose mean on rows that were not learned from was
	// compared, or of the measure if one was asked for.
	Measure string `json:"measure"`
	// Points are the curve of that over the number of variables; one point where
	// that was given.
	Points []ValidationPoint `json:"points"`
	// Rule is the rule by which the size was chosen; empty where it was given. Best is
	// the size of the least loss, Chosen the one that was taken.
	Rule   string `json:"rule,omitempty"`
	Best   int    `json:"best"`
	Chosen int    `json:"chosen"`
	// Null is the loss of the null model, which has no variables.
	Null float64 `json:"null"`
	// Gain is by how much the loss of a row is lower than that of the null model, on
	// average, GainSE the standard error of that over rows, and GainRank the statistic of a
	// signed-rank test, of numbers alone. All are 0 where rows do not count each for itself.
	Gain     float64 `json:"gain,omitempty"`
	GainSE   float64 `json:"gain_se,omitempty"`
	GainRank float64 `json:"gain_rank,omitempty"`
	// Ridge is the strength of the ridge that was chosen, Adaptive says that it is weaker on
	// large coefficients, and Swapped that variables were swapped in the end because that is better on other rows, or no worse.
	Ridge    float64 `json:"ridge"`
	Adaptive bool    `json:"adaptive,omitempty"`
	Swapped  bool    `json:"swapped,omitempty"`
	// Repeats is how often rows were dealt into folds.
	Repeats int `json:"repeats,omitempty"`
	// Agreement says how far the folds have selected the same variables: 1 where all did,
	// and 0 where chance would do as well (Nogueira et al. 2018); nil where it says
	// nothing. Shares is the share of the folds that selected a variable, by its name, of
	// those that some fold did.
	Agreement *float64           `json:"agreement,omitempty"`
	Shares    map[string]float64 `json:"shares,omitempty"`
	// Scores say how little rows conform with their out-of-fold predictions; see
	// [Response.Scores].
	Scores []float64 `json:"scores,omitempty"`
	// Metrics measures predictions of rows by folds that did not learn from them.
	Metrics map[string]float64 `json:"metrics"`
}

// ValidationPoint is the mean loss at a size and its standard error.
type ValidationPoint struct {
	Size int     `json:"size"`
	Mean float64 `json:"mean"`
	SE   float64 `json:"se"`
}

func (v *Validation) check() error {
	if v == nil {
		return nil
	}
	for i, p := range v.Points {
		if p.Size < 0 || !finite(p.Mean, p.SE) || i > 0 && p.Size <= v.Points[i-1].Size {
			return errors.New("the curve of its validation makes no sense")
		}
	}
	if !finite(v.Scores...) || !slices.IsSorted(v.Scores) {
		return errors.New("the scores of its validation make no sense")
	}
	for _, s := range v.Shares {
		if !(s >= 0 && s <= 1) {
			return errors.New("a share of its folds makes no sense")
		}
	}
	for _, m := range v.Metrics {
		if !finite(m) {
			return errors.New("a metric of its validation is not finite")
		}
	}
	if v.Agreement != nil && !finite(*v.Agreement) || v.Repeats < 0 || v.Folds < 2 || v.Metrics == nil || len(v.Points) == 0 || v.Best < 0 || v.Chosen < 0 || !finite(v.Null, v.Ridge, v.Gain, v.GainSE) || v.Ridge < 0 {
		return errors.New("the record of its validation makes no sense")
	}
	return nil
}
