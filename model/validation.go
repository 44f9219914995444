package model

import (
	"errors"
	"slices"
)

// Validation is the result of cross-validation: the out-of-fold performance, and how the size
// was chosen.
type Validation struct {
	Folds int `json:"folds"`
	// Measure is the name of the out-of-fold loss or metric by which candidates were compared.
	Measure string `json:"measure"`
	// Points is the curve of that measure over the number of variables; it has one point if the
	// size was given.
	Points []ValidationPoint `json:"points"`
	// Budgets are what the variables may cost at each of the points, if they have prices. The sizes
	// are then positions in a list of budgets.
	Budgets []float64 `json:"budgets,omitempty"`
	// Rule is the rule by which the size was chosen; empty if the size was given. Best is the size
	// with the lowest error, and Chosen the size that was chosen.
	Rule   string `json:"rule,omitempty"`
	Best   int    `json:"best"`
	Chosen int    `json:"chosen"`
	// Null is the loss of the null model, which has no variables.
	Null float64 `json:"null"`
	// Gain is the mean reduction of the loss of a row compared with the null model, and GainSE its
	// standard error over rows. GainRank is the statistic of a signed-rank test, for a numeric
	// target only. All are 0 if the loss is not a sum over rows.
	Gain     float64 `json:"gain,omitempty"`
	GainSE   float64 `json:"gain_se,omitempty"`
	GainRank float64 `json:"gain_rank,omitempty"`
	// Ridge is the strength of the ridge. Adaptive says that it is weaker on large coefficients.
	// Swapped says that variables were swapped because the out-of-fold error is then lower, or no
	// higher.
	Ridge    float64 `json:"ridge"`
	Adaptive bool    `json:"adaptive,omitempty"`
	Swapped  bool    `json:"swapped,omitempty"`
	// Repeats is how often the rows were divided into folds.
	Repeats int `json:"repeats,omitempty"`
	// Agreement is 1 if all folds select the same variables and 0 as by chance (Nogueira et al.
	// 2018); nil if it is not defined. Shares has the inclusion frequency of each variable over
	// folds, by name.
	Agreement *float64           `json:"agreement,omitempty"`
	Shares    map[string]float64 `json:"inclusion,omitempty"`
	// Ties are the variables of the model that fewer than half of the folds have selected, with the
	// variables selected instead.
	Ties []Tie `json:"ties,omitempty"`
	// Near has the sets of variables that are nearly as good as those of the model, if rivals were measured.
	Near *NearSets `json:"near,omitempty"`
	// Scores are the nonconformity scores of the out-of-fold predictions; see [Response.Scores].
	Scores []float64 `json:"scores,omitempty"`
	// Reference compares the model with a model of all columns; nil if that was not asked for.
	Reference *Reference `json:"reference,omitempty"`
	// Metrics has the out-of-fold metrics.
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
			return errors.New("the curve of its validation is invalid")
		}
	}
	if v.Budgets != nil && (len(v.Budgets) != len(v.Points) || !finite(v.Budgets...) || !slices.IsSorted(v.Budgets) || v.Budgets[0] < 0) {
		return errors.New("the budgets of its validation are invalid")
	}
	if !finite(v.Scores...) || !slices.IsSorted(v.Scores) {
		return errors.New("the scores of its validation are invalid")
	}
	for _, s := range v.Shares {
		if !(s >= 0 && s <= 1) {
			return errors.New("a share of its folds is invalid")
		}
	}
	if err := v.Near.check(); err != nil {
		return err
	}
	for _, t := range v.Ties {
		if !t.sound() {
			return errors.New("a tie of its folds is invalid")
		}
	}
	for _, m := range v.Metrics {
		if !finite(m) {
			return errors.New("a metric of its validation is not finite")
		}
	}
	if v.Agreement != nil && !finite(*v.Agreement) || v.Repeats < 0 || v.Folds < 2 || v.Metrics == nil || len(v.Points) == 0 || v.Best < 0 || v.Chosen < 0 || !finite(v.Null, v.Ridge, v.Gain, v.GainSE) || v.Ridge < 0 {
		return errors.New("the record of its validation is invalid")
	}
	return v.Reference.check()
}
