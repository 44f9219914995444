package serve

import (
	"time"

	"fsa"
	"fsa/anneal"
	"fsa/data"
)

// options are the options of a fit. Options that are left out or null are chosen by the fit; a zero
// means none if that is possible, as on the command line.
type options struct {
	K           int                `json:"k"` // 0 lets cross-validation choose
	Sizes       []int              `json:"sizes"`
	Choose      string             `json:"choose"`
	FDR         float64            `json:"fdr"`        // false discovery rate that chooses the size; 0 means none
	Rivals      bool               `json:"rivals"`     // measure which variables could stand in for others
	Confidence  float64            `json:"confidence"` // level of confidence intervals of the effects; 0 means none
	Folds       int                `json:"folds"`
	Repeats     int                `json:"repeats"`
	Ordered     bool               `json:"ordered"`
	Measure     string             `json:"measure"`
	Calibrate   bool               `json:"calibrate"`
	Threshold   string             `json:"threshold"`
	Reference   string             `json:"reference"`
	Losses      bool               `json:"losses"` // return the out-of-fold losses
	Validated   bool               `json:"cross_validate"`
	Loss        string             `json:"loss"`
	Classify    bool               `json:"classify"` // numbers of the target are classes, if no loss is given
	Huber       float64            `json:"huber"`
	Quantile    float64            `json:"quantile"`  // of the quantile loss; 0 means the median
	Ties        string             `json:"ties"`      // of the cox loss; empty means efron
	Quantiles   []float64          `json:"quantiles"` // of the quantile loss, if there are several
	Bins        *int               `json:"bins"`
	Spacing     string             `json:"spacing"`
	Scale       string             `json:"scale"`
	Storage     string             `json:"storage"`
	Extrapolate string             `json:"extrapolate"`
	Force       []string           `json:"force"`
	Groups      [][]string         `json:"groups"`
	Number      bool               `json:"number"`
	Positive    string             `json:"positive"`
	Order       []string           `json:"order"` // classes of the ordinal loss
	Classes     map[string]float64 `json:"class_weights"`
	Balanced    bool               `json:"balanced"`
	Mu          *float64           `json:"mu"`
	Eta         float64            `json:"eta"`
	Iterations  int                `json:"iterations"`
	WarmUp      int                `json:"warm_up"`
	Momentum    *float64           `json:"momentum"`
	Tolerance   *float64           `json:"tolerance"`
	Polish      bool               `json:"polish"`
	// Interactions is the largest number of pairs, 0 for any number, or negative for none; null lets the data decide.
	Interactions *int               `json:"interactions"`
	Heredity     string             `json:"heredity"`
	PairsAmong   [][]string         `json:"pairs_among"`
	Quick        bool               `json:"quick"`
	Batch        *int               `json:"batch"`
	Ridge        *float64           `json:"ridge"`
	CurvePriors  map[string]float64 `json:"priors"`
	Constraints  []fsa.Constraint   `json:"constraints"`
	OffsetModel  string             `json:"offset_model"` // the file of a model whose decision values are offsets; empty for none
	Costs        []fsa.Cost         `json:"costs"`
	Budgets      []float64          `json:"budgets"`
	Quotas       []fsa.Quota        `json:"quotas"`
	Seed         uint64             `json:"seed"`
	Threads      int                `json:"threads"`
	Device       string             `json:"device"`
	DeviceBytes  int64              `json:"device_memory"`
	MaxTime      float64            `json:"max_time"` // seconds; 0 means no limit
	Nested       bool               `json:"nested"`   // cross-validate the whole procedure
	Resume       string             `json:"resume"`   // file of the checkpoint; empty for none
}

// setLoss sets the loss of a target whose numbers are classes. Two values are treated as classes
// anyway, and naming a loss for them would exclude others from the choice.
func (o *options) setLoss(to *fsa.Options, t *data.Target) {
	if !o.Classify || o.Loss != "" && o.Loss != "auto" || t == nil {
		return
	}
	if t.Each != nil {
		to.Loss = "multilabel"
		return
	}
	seen := map[float64]bool{}
	for i, y := range t.Y {
		if t.Weight == nil || t.Weight[i] != 0 {
			seen[y] = true
		}
		if len(seen) > 2 {
			to.Loss = "multinomial"
			return
		}
	}
}

// interactions returns the options of interactions: at most so many, 0 for any number, or a negative number for none.
func (o *options) interactions() fsa.Interactions {
	switch n := o.Interactions; {
	case n == nil:
		return fsa.Interactions{Heredity: o.Heredity, Among: o.PairsAmong}
	case *n < 0:
		return fsa.Interactions{None: true, Heredity: o.Heredity, Among: o.PairsAmong}
	default:
		return fsa.Interactions{Find: true, Most: *n, Heredity: o.Heredity, Among: o.PairsAmong}
	}
}

// plain returns the options in the form of the library.
func (o *options) plain() fsa.Options {
	to := fsa.Options{
		K: o.K, Loss: o.Loss, Quick: o.Quick, Seed: o.Seed,
		Objective: fsa.Objective{Number: o.Number, Huber: o.Huber, Quantile: o.Quantile, Quantiles: o.Quantiles, Ties: o.Ties, Positive: o.Positive, Order: o.Order, ClassWeights: o.Classes, Balanced: o.Balanced, Ridge: orNone(o.Ridge), CurvePriors: o.CurvePriors, Constraints: o.Constraints},
		Selection: fsa.Selection{Sizes: o.Sizes, Choose: o.Choose, FDR: o.FDR, Force: o.Force, Groups: o.Groups, Polish: o.Polish, Costs: o.Costs, Budgets: o.Budgets, Quotas: o.Quotas, Interactions: o.interactions()},
		Design:    fsa.Design{Spacing: data.Spacing(o.Spacing).Plain(), Scale: data.Scale(o.Scale).Plain(), Storage: data.Storage(o.Storage).Plain(), Extrapolate: o.Extrapolate},
		Descent:   fsa.Descent{Eta: o.Eta, Iterations: o.Iterations, WarmUp: o.WarmUp, Momentum: orNone(o.Momentum), Tolerance: orNone(o.Tolerance)},
		Validation: fsa.Validation{
			Always: o.Validated, Measure: o.Measure, Folds: o.Folds, Repeats: o.Repeats, Ordered: o.Ordered,
			Calibrate: o.Calibrate, Threshold: o.Threshold, Reference: o.Reference, Losses: o.Losses, Rivals: o.Rivals, Confidence: o.Confidence,
		},
		Run: fsa.Run{Threads: o.Threads, Device: o.Device, DeviceMemory: o.DeviceBytes},
	}
	if o.MaxTime > 0 {
		to.Run.Deadline = time.Now().Add(time.Duration(o.MaxTime * float64(time.Second)))
	}
	if o.Bins != nil {
		if to.Bins = *o.Bins; to.Bins == 0 {
			to.Bins = fsa.None
		}
	}
	if o.Batch != nil {
		if to.Descent.Batch = *o.Batch; to.Descent.Batch == 0 {
			to.Descent.Batch = fsa.AllRows
		}
	}
	if o.Mu != nil {
		if to.Descent.Mu = *o.Mu; to.Descent.Mu == 0 {
			to.Descent.Schedule = anneal.Inverse(0)
		}
	}
	return to
}

// orNone returns a setting that can be turned off.
func orNone(v *float64) float64 {
	switch {
	case v == nil:
		return fsa.Auto
	case *v == 0:
		return fsa.None
	}
	return *v
}
