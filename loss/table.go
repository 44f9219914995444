package loss

import (
	"maps"
	"math"
	"slices"
)

// Task is what a model predicts.
type Task string

// The tasks.
const (
	Regression     Task = "regression"     // a number
	Classification Task = "classification" // a class
	Ranking        Task = "ranking"        // an order within queries
)

// Kind is a loss that has a name, and what has to be known of it.
type Kind struct {
	Task Task
	// New returns the loss.
	New func(Params) Loss
	// Many says that it knows any number of classes, each with a decision value of its
	// own; others know two.
	Many bool
	// Link turns the decision values of a row into probabilities; nil if the loss has
	// none.
	Link func(z []float64)
	// Quadratic says that its bound on the curvature is the curvature.
	Quadratic bool
	// Likelihood says that it is the negative logarithm of a likelihood.
	Likelihood bool
}

// Params are what some losses need.
type Params struct {
	Classes int     // their number, of a loss for many
	Huber   float64 // half width h of the rounded corner of the svm loss; 0 means 0.5
	Spread  float64 // of a response that is a number: a standard deviation that wild ones do not rule
}

// kinds is the table of losses: a new one is a file and a line here.
var kinds = map[string]Kind{
	"squared":     {Task: Regression, New: func(Params) Loss { return Squared{} }, Quadratic: true, Likelihood: true},
	"huber":       {Task: Regression, New: func(p Params) Loss { return Huber{Delta: efficient * p.Spread} }},
	"logistic":    {Task: Classification, New: func(Params) Loss { return Logistic{} }, Link: logistic, Likelihood: true},
	"svm":         {Task: Classification, New: func(p Params) Loss { return SVM{H: p.Huber} }},
	"lorenz":      {Task: Classification, New: func(Params) Loss { return Lorenz{} }},
	"multinomial": {Task: Classification, New: func(p Params) Loss { return Multinomial{Classes: p.Classes} }, Many: true, Link: softmax, Likelihood: true},
	"rank":        {Task: Ranking, New: func(Params) Loss { return Rank{} }},
}

// Names lists the losses of the table.
func Names() []string { return slices.Sorted(maps.Keys(kinds)) }

// Named returns the loss of a name.
func Named(name string) (Kind, bool) {
	k, ok := kinds[name]
	return k, ok
}

// logistic is the inverse of the logit.
func logistic(z []float64) { z[0] = 1 / (1 + math.Exp(-z[0])) }

func softmax(z []float64) {
	top, sum := slices.Max(z), 0.0
	for c, v := range z {
		z[c] = math.Exp(v - top)
		sum += z[c]
	}
	for c := range z {
		z[c] /= sum
	}
}
