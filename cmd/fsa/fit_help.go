package main

import "fsa/prior"

// fitTiers are the headings of the help of fit and cv.
func fitTiers() []tier {
	training := []string{"mu", "epochs", "batch", "eta", "momentum", "warm-up", "tolerance", "ridge"}
	for _, k := range prior.Curves() {
		training = append(training, k.Name)
	}
	return []tier{
		{"What to predict", []string{"target", "loss", "drop"}, []string{"positive", "order", "quantile", "offset", "exposure", "offset-model", "event", "strata", "entry", "ties", "trials", "weights", "class-weights", "query", "skip-missing-target", "use", "sql"}},
		{"How many", []string{"variables", "fdr", "force", "quick"}, []string{"choose", "measure", "groups", "costs", "budget", "quota"}},
		{"Model", []string{"bins", "interactions", "calibrate"}, []string{"heredity", "pairs-among", "threshold", "extrapolate", "nonnegative", "nonpositive", "bounds", "increasing", "decreasing", "convex", "concave", "levels", "constraints", "polish", "method"}},
		{"Validation", []string{"folds", "fold-by", "holdout", "test", "stability", "confidence"}, []string{"test-target", "repeats", "fold-ids", "ordered", "nested", "rivals", "reference"}},
		{"Output", []string{"out", "report", "json", "explain"}, []string{"verbose", "plan", "live", "open", "no-rows"}},
		{"How the table is written", nil, []string{"format", "header", "encoding", "names", "categorical", "decimal", "thousands", "date-order", "index-base"}},
		{"Time, memory and machines", nil, []string{"memory", "threads", "device", "device-memory", "grid", "rendezvous", "rank", "processes", "token-file", "tls", "machines", "network", "max-time", "resume", "checkpoint-every", "seed"}},
		{"Training, for experts", nil, append(training, "spacing", "hinge-width", "scale", "storage")},
		{"Help", []string{"help", helpAll}, nil},
	}
}
