package baseline

// Methods returns the table of methods. A new method is a file and a line here.
func Methods() []Method {
	return []Method{
		{"qtp", "quantile TISP: thresholding steps until the selection settles, at least 10, then 500 steps on the selected variables", func(o Options) Fitter { return QTP{Options: o} }},
		{"slow-kill", "slow kill: 500 steps that keep fewer and fewer variables, with shrinkage and growing steps, then 500 steps on the selected variables", func(o Options) Fitter { return SlowKill{o} }},
		{"l1", "lasso or L1 logistic, penalty bisected to k variables, refit", func(o Options) Fitter { return L1{o} }},
		{"elastic-net", "L1 plus a little L2, bisected to k variables, refit with a ridge", func(o Options) Fitter { return ElasticNet{Options: o} }},
		{"mcp", "minimax concave penalty along a path to k variables, refit", func(o Options) Fitter { return MCP{Options: o} }},
		{"scad", "smoothly clipped absolute deviation along a path to k variables, refit", func(o Options) Fitter { return SCAD{Options: o} }},
		{"ridge", "least squares on all variables with an L2 penalty; k is ignored", func(o Options) Fitter { return Ridge{o} }},
		{"l2-svm", "linear SVM on all variables; k is ignored", func(o Options) Fitter { return L2SVM{o} }},
		{"logitboost", "LogitBoost with a line in one variable per round (LB)", func(o Options) Fitter { return LogitBoost{Options: o} }},
		{"logitboost-random", "LogitBoost with a random tenth of the variables per round (LB1)", func(o Options) Fitter { return LogitBoost{Options: o, Share: 0.1} }},
		{"logitboost-steps", "LogitBoost with learners that are constant in each bin", func(o Options) Fitter { return LogitBoost{Options: o, Bins: 16} }},
		{"logitboost-steps-random", "the same with a random tenth of the variables per round", func(o Options) Fitter { return LogitBoost{Options: o, Bins: 16, Share: 0.1} }},
		{"sa", "simulated annealing over subsets of any size, two-fold cross-validation; k is ignored", func(o Options) Fitter { return SA{Options: o} }},
		{"sa-k", "the same over subsets of exactly k variables", func(o Options) Fitter { return SA{Options: o, Fixed: true} }},
		{"rfe", "recursive feature elimination with a linear SVM", func(o Options) Fitter { return RFE{Options: o} }},
		{"cw", "confidence-weighted online learning; k is ignored", func(o Options) Fitter { return CW{Options: o} }},
		{"sgd", "logistic regression by stochastic gradient descent; k is ignored", func(o Options) Fitter { return SGD{Options: o} }},
		{"rankboost", "RankBoost with threshold rankers on 64 bins, 100 rounds", func(o Options) Fitter { return RankBoost{Options: o} }},
		{"parallel-fs", "parallel feature selection by group testing, then a fit", func(o Options) Fitter { return ParallelFS{o} }},
		{"mrmr", "minimum redundancy, maximum relevance, then a fit", func(o Options) Fitter { return MRMR{Options: o} }},
	}
}

// Find returns the method with the given name.
func Find(name string) (Method, bool) {
	for _, m := range Methods() {
		if m.Name == name {
			return m, true
		}
	}
	return Method{}, false
}
