package motion

import (
	"fsa"
	"fsa/baseline"
)

// Learner is a method that learns to rank, on some families of features.
type Learner struct {
	// Name is that of the method in results.
	Name string
	baseline.Fitter
	Families Family
}

// The names of methods that learn.
const (
	FSARank           = "fsa_rank"
	FSARankLikelihood = "fsa_rank_likelihood"
	FSARankPrior      = "fsa_rank_prior"
	FSARankPaper      = "fsa_rank_paper"
	RankBoost         = "rankboost"
)

// RankOptions are the settings of FSA-Rank in the paper, but for the step,
// which is chosen by the data. The model is small and there are many to learn:
// one thread each.
func RankOptions() fsa.Options {
	return fsa.Options{K: 40, LossName: "rank", Bins: 4, Iterations: 300, Mu: 300, Shrink: 0.01, Threads: 1}
}

// Families returns the features that a model for a pool is learned on. Among
// candidates of one method those of the paper are the steadiest; where methods of
// different kinds compete, it takes all, above all whether they agree.
func (p Pool) Families() Family {
	if p == WidePool {
		return AllFamilies
	}
	return PaperFamilies
}

// Learners returns the ranking methods of the paper's table: FSA-Rank on the
// likelihood features, on the prior features and on those of the pool, and
// RankBoost on the latter; and in the wide pool FSA-Rank on all features of the
// paper.
func Learners(pool Pool) []Learner {
	boost := baseline.RankBoost{Options: baseline.Options{K: 100, Iterations: 100, Threads: 1}, Bins: 64}
	o := RankOptions()
	list := []Learner{
		{RankBoost, boost, pool.Families()},
		{FSARankLikelihood, o, Likelihood},
		{FSARankPrior, o, Prior},
	}
	if pool.Families() != PaperFamilies {
		list = append(list, Learner{FSARankPaper, o, PaperFamilies})
	}
	return append(list, Learner{FSARank, o, pool.Families()})
}
