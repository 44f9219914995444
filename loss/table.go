package loss

import (
	"maps"
	"slices"
)

// Task is what a model predicts.
type Task string

// The tasks.
const (
	Regression     Task = "regression"     // a number
	Classification Task = "classification" // a class
	Ranking        Task = "ranking"        // an order within queries
	Survival       Task = "survival"       // the risk of an event
	Multilabel     Task = "multilabel"     // several labels, each of two classes
)

// Relative reports whether rows are only compared with each other: a single row has no loss, only
// differences between decision values matter, and there is no intercept.
func (t Task) Relative() bool { return t == Ranking || t == Survival }

// Kind is a named loss and its properties.
type Kind struct {
	Task Task
	// New returns the loss.
	New func(Params) Loss
	// Many says that the loss supports any number of classes, with one decision value each. Other
	// losses support two classes.
	Many bool
	// Ordered says that classes have an order, which the user gives if they are texts. New returns a [Cut]; rows are
	// judged by the logarithms of the probabilities of their classes, as those of [Multinomial] are.
	Ordered bool
	// Several says that the loss is for several targets, with one decision value each.
	Several bool
	// Link turns the decision values of a row into predictions.
	Link Link
	// Quadratic says that the bound on the curvature is exact.
	Quadratic bool
	// Likelihood says that the loss is a negative log likelihood, in units of [NatsOf]. Dispersed
	// says that it is one up to an unknown dispersion, such as the variance.
	Likelihood, Dispersed bool
	// Check returns what is wrong with a response and how to correct it, or "". It is nil if every
	// number is valid.
	Check func(y float64) string
	// Measures are the metrics that are printed for this loss; nil means the metrics of the task.
	Measures []string
}

// Params are the parameters that some losses need.
type Params struct {
	Classes int     // number of classes, for a loss with Many
	Huber   float64 // half width h of the smoothed corner of the svm loss; 0 means 0.5
	Spread  float64 // robust standard deviation of a numeric target
	Rate    float64 // mean response, for losses with a log link
	// Times, Events, Strata and Entries of all rows, for survival times.
	Times           []float64
	Events          []bool
	Strata, Entries []float64
	// Targets are the responses of all rows, for each of several targets; NaN is a missing one.
	Targets [][]float64
	Settings
}

// Settings are the loss parameters that are saved with the model, because its metrics depend on
// them. A parameter that the loss does not have is 0.
type Settings struct {
	Quantile float64 `json:"quantile,omitempty"` // quantile loss
	// Quantiles are those of a quantile loss of several outputs, ascending; Quantile is then 0.
	Quantiles []float64 `json:"quantiles,omitempty"`
	Power     float64   `json:"power,omitempty"` // tweedie loss
	Size      float64   `json:"size,omitempty"`  // negbinomial loss
	Ties      string    `json:"ties,omitempty"`  // cox loss: [TiesBreslow], or empty for Efron's method
	// Cuts are the thresholds of the ordinal loss.
	Cuts []float64 `json:"thresholds,omitempty"`
}

// Zero reports whether no setting is set.
func (s Settings) Zero() bool {
	return s.Quantile == 0 && s.Quantiles == nil && s.Power == 0 && s.Size == 0 && s.Ties == "" && s.Cuts == nil
}

// kinds is the table of losses. A new loss needs a file and a line here.
var kinds = map[string]Kind{
	"squared":     {Task: Regression, New: func(Params) Loss { return Squared{} }, Quadratic: true, Likelihood: true, Dispersed: true},
	"huber":       {Task: Regression, New: func(p Params) Loss { return Huber{Delta: efficient * p.Spread} }},
	"absolute":    {Task: Regression, New: func(p Params) Loss { return newQuantile(0, p.Spread) }, Measures: []string{"mae", "r2"}},
	"quantile":    {Task: Regression, New: quantiles, Measures: []string{"pinball", "below"}},
	"poisson":     {Task: Regression, New: func(p Params) Loss { return Poisson{Rate: p.Rate} }, Link: Exp, Likelihood: true, Check: count, Measures: logMeasures},
	"negbinomial": {Task: Regression, New: func(p Params) Loss { return NegBinomial{Rate: p.Rate, Size: p.Size} }, Link: Exp, Likelihood: true, Check: count, Measures: logMeasures},
	"gamma":       {Task: Regression, New: func(p Params) Loss { return Gamma{Rate: p.Rate} }, Link: Exp, Likelihood: true, Dispersed: true, Check: amount, Measures: logMeasures},
	"tweedie":     {Task: Regression, New: func(p Params) Loss { return Tweedie{Rate: p.Rate, Power: p.Power} }, Link: Exp, Likelihood: true, Dispersed: true, Check: amountOrZero, Measures: logMeasures},
	"binomial":    {Task: Regression, New: func(Params) Loss { return Binomial{} }, Link: LogisticLink, Likelihood: true, Check: share, Measures: logMeasures},
	"logistic":    {Task: Classification, New: func(Params) Loss { return Logistic{} }, Link: LogisticLink, Likelihood: true},
	"svm":         {Task: Classification, New: func(p Params) Loss { return SVM{H: p.Huber} }},
	"lorenz":      {Task: Classification, New: func(Params) Loss { return Lorenz{} }},
	"multinomial": {Task: Classification, New: func(p Params) Loss { return Multinomial{Classes: p.Classes} }, Many: true, Link: Softmax, Likelihood: true},
	"ordinal":     {Task: Classification, New: func(p Params) Loss { return Ordinal{Classes: p.Classes} }, Many: true, Ordered: true, Link: Cumulative, Likelihood: true, Measures: []string{"error", "logloss", "rps"}},
	"cox":         {Task: Survival, New: func(p Params) Loss { return NewCox(p) }, Likelihood: true, Check: duration, Measures: []string{"concordance"}},
	"multitarget": {Task: Regression, New: func(p Params) Loss { return NewTargets(Squared{}, p.Targets) }, Several: true, Measures: []string{"rmse", "r2"}},
	"multilabel":  {Task: Multilabel, New: func(p Params) Loss { return NewTargets(Logistic{}, p.Targets) }, Several: true, Link: LogisticLink, Likelihood: true, Measures: []string{"error", "auc", "logloss"}},
	"rank":        {Task: Ranking, New: func(Params) Loss { return Rank{} }},
}

// logMeasures are printed for losses with a log link.
var logMeasures = []string{"deviance", "mae", "rmse"}

// Names lists the names of the losses.
func Names() []string { return slices.Sorted(maps.Keys(kinds)) }

// Named returns the loss with the given name.
func Named(name string) (Kind, bool) {
	k, ok := kinds[name]
	return k, ok
}
