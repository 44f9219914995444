package keypoint

import (
	"context"
	"fmt"
	"strings"

	"fsa"
	"fsa/app/keypoint/pool"
	"fsa/baseline"
	"fsa/data"
	"fsa/model"
)

// LearnerOptions are the common options of the methods.
type LearnerOptions struct {
	// K is the number of features of a detector; 0 means the paper's 1500.
	K int
	// Bins is the number of bins of a response; 0 means 10.
	Bins int
	// Smooth is the strength of the second-order prior of annealing.
	Smooth float64
	// Seed is the seed of the features that compete in a round of boosting.
	Seed uint64
	// Threads is the number of threads; 0 means one per core.
	Threads int
}

// The methods, by name.
const (
	FSALogistic = "fsa-logistic"
	FSASVM      = "fsa-svm"
	FSALorenz   = "fsa-lorenz"
	LogitBoost  = "logitboost"
	SVMHOG      = "svm-hog"
)

// A minibatch of annealing has this share of the examples, but not fewer than a fair sample, nor
// more than keep many threads busy. The number of epochs and the schedule follow from it.
const (
	batchShare = 20
	leastBatch = 500
	mostBatch  = 4096
)

// annealer is annealing with a batch size for the number of examples.
type annealer struct{ fsa.Options }

var _ baseline.Fitter = annealer{}

// Fit implements [baseline.Fitter].
func (a annealer) Fit(ctx context.Context, d *data.Dataset) (*model.Model, error) {
	a.Descent.Batch = min(max(d.Rows()/batchShare, leastBatch), mostBatch)
	return fsa.Fit(ctx, d, a.Options)
}

// ridge is the strength of the prior on responses. It is given, so that it is the same in all
// rounds.
const ridge = 0.001

// hogIterations is the number of passes over all examples when no features are selected.
const hogIterations = 100

// Learners returns the methods of the comparison: annealing with three losses and piecewise-linear
// responses, boosting of piecewise-constant responses with a random tenth of the features in each
// round, and a support vector machine with piecewise-linear responses to all HOG features.
func Learners(o LearnerOptions) []Learner {
	if o.K == 0 {
		o.K = 1500
	}
	if o.Bins == 0 {
		o.Bins = 10
	}
	settings := fmt.Sprintf("k=%d bins=%d smooth=%v seed=%d", o.K, o.Bins, o.Smooth, o.Seed)
	annealing := func(loss string) fsa.Options {
		return fsa.Options{K: o.K, Loss: loss, Bins: o.Bins, Objective: fsa.Objective{CurvePriors: map[string]float64{"smooth": o.Smooth}, Ridge: ridge}, Run: fsa.Run{Threads: o.Threads}}
	}
	annealed := func(name, loss string) Learner {
		return Learner{Name: name, Settings: "paced " + settings, Fitter: annealer{annealing(loss)}}
	}
	hog := annealing("svm")
	hog.K, hog.Descent.Iterations = pool.HOG, hogIterations
	return []Learner{
		annealed(FSALogistic, "logistic"),
		annealed(FSASVM, "svm"),
		annealed(FSALorenz, "lorenz"),
		{Name: LogitBoost, Settings: settings, Fitter: baseline.LogitBoost{
			Options: baseline.Options{K: o.K, Seed: o.Seed, Threads: o.Threads}, Share: 0.1, Bins: o.Bins,
		}},
		{Name: SVMHOG, Settings: settings, Fitter: hog, HOGOnly: true},
	}
}

// FindLearner returns the method of the given name.
func FindLearner(name string, o LearnerOptions) (Learner, error) {
	var names []string
	for _, l := range Learners(o) {
		if l.Name == name {
			return l, nil
		}
		names = append(names, l.Name)
	}
	return Learner{}, fmt.Errorf("%w: unknown method %q: it must be %s", fsa.ErrOptions, name, strings.Join(names, ", "))
}
