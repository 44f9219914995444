package motion

import (
	"fsa"
	"fsa/baseline"
	"fsa/data"
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
	RankBoostPaper    = "rankboost_paper"
)

// RankOptions are the settings of FSA-Rank in the paper, but for the step,
// which is chosen by the data. The model is small and there are many to learn:
// one thread each.
func RankOptions() fsa.Options {
	return fsa.Options{K: 40, LossName: "rank", Bins: 4, Spacing: data.SpacingEven, Iterations: 300, Mu: 300, Ridge: 0.01, Threads: 1}
}

// Learners returns the ranking methods to compare: RankBoost and FSA-Rank on all
// features and on those of the paper, and for the paper's pool FSA-Rank on the
// likelihood and on the prior features, as in its table.
func Learners(pool Pool) []Learner {
	boost := baseline.RankBoost{Options: baseline.Options{K: 100, Iterations: 100, Threads: 1}, Bins: 64}
	o := RankOptions()
	list := []Learner{{RankBoost, boost, AllFamilies}, {RankBoostPaper, boost, PaperFamilies}}
	if pool == PaperPool {
		list = append(list, Learner{FSARankLikelihood, o, Likelihood}, Learner{FSARankPrior, o, Prior})
	}
	return append(list, Learner{FSARankPaper, o, PaperFamilies}, Learner{FSARank, o, AllFamilies})
}
