package motion

import (
	"fsa"
	"fsa/baseline"
	"fsa/data"
)

// Learner is a method that learns to rank with some families of features.
type Learner struct {
	// Name is its name in results.
	Name string
	baseline.Fitter
	Families Family
}

// The names of learning methods.
const (
	FSARank           = "fsa_rank"
	FSARankLikelihood = "fsa_rank_likelihood"
	FSARankPrior      = "fsa_rank_prior"
	FSARankPaper      = "fsa_rank_paper"
	RankBoost         = "rankboost"
	RankBoostPaper    = "rankboost_paper"
)

// RankOptions are the settings of FSA-Rank in the paper, except for the step size, which is chosen
// from the data. The model is small and many are trained: one thread each.
func RankOptions() fsa.Options {
	return fsa.Options{
		K: 40, Loss: "rank", Bins: 4,
		Objective: fsa.Objective{Ridge: 0.01}, Design: fsa.Design{Spacing: data.SpacingEven},
		Descent: fsa.Descent{Iterations: 300, Mu: 300}, Run: fsa.Run{Threads: 1},
	}
}

// Learners returns the ranking methods to compare: RankBoost and FSA-Rank on all features and on
// those of the paper, and for the paper's pool FSA-Rank on the likelihood features and on the prior
// features, as in its table.
func Learners(pool Pool) []Learner {
	boost := baseline.RankBoost{Options: baseline.Options{K: 100, Iterations: 100, Threads: 1}, Bins: 64}
	o := RankOptions()
	list := []Learner{{RankBoost, boost, AllFamilies}, {RankBoostPaper, boost, PaperFamilies}}
	if pool == PaperPool {
		list = append(list, Learner{FSARankLikelihood, o, Likelihood}, Learner{FSARankPrior, o, Prior})
	}
	return append(list, Learner{FSARankPaper, o, PaperFamilies}, Learner{FSARank, o, AllFamilies})
}
