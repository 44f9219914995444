package serve

import (
	"fsa"
	"fsa/anneal"
	"fsa/data"
)

// options are those of a fit. What is left out, or null, is decided by the data; a zero
// where that makes sense means none, as on the command line.
type options struct {
	K           int                `json:"k"` // 0 lets cross-validation choose
	Sizes       []int              `json:"sizes"`
	Choose      string             `json:"choose"`
	Folds       int                `json:"folds"`
	Repeats     int                `json:"repeats"`
	Ordered     bool               `json:"ordered"`
	Measure     string             `json:"measure"`
	Calibrate   bool               `json:"calibrate"`
	Threshold   string             `json:"threshold"`
	Validated   bool               `json:"cross_validate"`
	Loss        string             `json:"loss"`
	Classify    bool               `json:"classify"` // numbers of the target are classes, if the loss is open
	Huber       float64            `json:"huber"`
	Bins        *int               `json:"bins"`
	Spacing     string             `json:"spacing"`
	Scale       string             `json:"scale"`
	Storage     string             `json:"storage"`
	Force       []string           `json:"force"`
	Groups      [][]string         `json:"groups"`
	Classes     map[string]float64 `json:"class_weights"`
	Balanced    bool               `json:"balanced"`
	Mu          *float64           `json:"mu"`
	Eta         float64            `json:"eta"`
	Iterations  int                `json:"iterations"`
	WarmUp      int                `json:"warm_up"`
	Momentum    *float64           `json:"momentum"`
	Tolerance   *float64           `json:"tolerance"`
	Polish      bool               `json:"polish"`
	Quick       bool               `json:"quick"`
	Batch       *int               `json:"batch"`
	Ridge       *float64           `json:"ridge"`
	CurvePriors map[string]float64 `json:"priors"`
	Seed        uint64             `json:"seed"`
	Threads     int                `json:"threads"`
}

// setLoss names the loss of a target whose numbers are classes. Two values are classes anyway, and
// naming their loss would keep others out of the contest.
func (o *options) setLoss(to *fsa.Options, t *data.Target) {
	if !o.Classify || o.Loss != "" && o.Loss != "auto" || t == nil {
		return
	}
	seen := map[float64]bool{}
	for i, y := range t.Y {
		if t.Weight == nil || t.Weight[i] != 0 {
			seen[y] = true
		}
		if len(seen) > 2 {
			to.LossName = "multinomial"
			return
		}
	}
}

// plain returns them as the library has them.
func (o *options) plain() fsa.Options {
	to := fsa.Options{
		K: o.K, Sizes: o.Sizes, Choose: o.Choose, Folds: o.Folds, Repeats: o.Repeats, Ordered: o.Ordered, Measure: o.Measure,
		Calibrate: o.Calibrate, Threshold: o.Threshold, CrossValidate: o.Validated, LossName: o.Loss, Huber: o.Huber,
		Spacing: data.Spacing(o.Spacing).Plain(), Scale: data.Scale(o.Scale).Plain(), Storage: data.Storage(o.Storage).Plain(),
		Force: o.Force, Groups: o.Groups, ClassWeights: o.Classes, Balanced: o.Balanced,
		Eta: o.Eta, Iterations: o.Iterations, WarmUp: o.WarmUp,
		Momentum: orNone(o.Momentum), Tolerance: orNone(o.Tolerance), Ridge: orNone(o.Ridge),
		Polish: o.Polish, Quick: o.Quick, CurvePriors: o.CurvePriors, Seed: o.Seed, Threads: o.Threads,
	}
	if o.Bins != nil {
		if to.Bins = *o.Bins; to.Bins == 0 {
			to.Bins = fsa.None
		}
	}
	if o.Batch != nil {
		if to.Batch = *o.Batch; to.Batch == 0 {
			to.Batch = fsa.AllRows
		}
	}
	if o.Mu != nil {
		if to.Mu = *o.Mu; to.Mu == 0 {
			to.Schedule = anneal.Inverse(0)
		}
	}
	return to
}

// orNone returns a setting that may be switched off.
func orNone(v *float64) float64 {
	switch {
	case v == nil:
		return fsa.Auto
	case *v == 0:
		return fsa.None
	}
	return *v
}
