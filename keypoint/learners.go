package keypoint

import (
	"fmt"

	"fsa"
	"fsa/baseline"
	"fsa/keypoint/pool"
)

// LearnerOptions are what the methods of the comparison have in common.
type LearnerOptions struct {
	// K is the number of features of a detector; 0 means the paper's 1500.
	K int
	// Bins is the number of bins of a response; 0 means 10.
	Bins int
	// Smooth is the strength of the second-order prior of annealing.
	Smooth float64
	// Seed is that of the features that enter a round of boosting.
	Seed uint64
	// Threads is the number of threads; 0 means one a core.
	Threads int
}

// The methods of the comparison, by name.
const (
	FSALogistic = "fsa-logistic"
	FSASVM      = "fsa-svm"
	FSALorenz   = "fsa-lorenz"
	LogitBoost  = "logitboost"
	SVMHOG      = "svm-hog"
)

// The memory of a cell that learning needs: the position in its range for
// annealing, a column of numbers and one of bins for boosting.
const (
	binnedBytes  = 2
	boostedBytes = 8 + 1
)

// hogIterations is fewer than annealing takes: nothing is selected, and all
// features are read each time.
const hogIterations = 100

// Learners returns the methods of the comparison: annealing with three losses and
// piecewise-linear responses, boosting of piecewise-constant ones of which a random
// tenth competes in each round, and a support vector machine with piecewise-linear
// responses to all HOG features.
func Learners(o LearnerOptions) []Learner {
	if o.K == 0 {
		o.K = 1500
	}
	if o.Bins == 0 {
		o.Bins = 10
	}
	settings := fmt.Sprintf("k=%d bins=%d smooth=%v seed=%d", o.K, o.Bins, o.Smooth, o.Seed)
	annealed := func(name, loss string) Learner {
		return Learner{Name: name, Settings: settings, CellBytes: binnedBytes, Fitter: fsa.Options{
			K: o.K, LossName: loss, Bins: o.Bins, Smooth: o.Smooth, Mu: 300, Iterations: 500, Threads: o.Threads, Discard: true,
		}}
	}
	hog := annealed(SVMHOG, "svm")
	all := hog.Fitter.(fsa.Options)
	all.K, all.Iterations = pool.HOG, hogIterations
	hog.Fitter, hog.HOGOnly = all, true
	return []Learner{
		annealed(FSALogistic, "logistic"),
		annealed(FSASVM, "svm"),
		annealed(FSALorenz, "lorenz"),
		{Name: LogitBoost, Settings: settings, CellBytes: boostedBytes, Fitter: baseline.LogitBoost{
			Options: baseline.Options{K: o.K, Seed: o.Seed, Threads: o.Threads}, Share: 0.1, Bins: o.Bins,
		}},
		hog,
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
	return Learner{}, fmt.Errorf("%w: unknown method %q: it must be one of %q", fsa.ErrOptions, name, names)
}
