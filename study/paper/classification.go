package paper

import "fsa/data/synth"

// classifiers are the methods of both tables on classification. A plus marks annealing with
// polishing, which the paper does not have.
var classifiers = []contender{
	{label: "FSA", name: ours, loss: "logistic"},
	{label: "FSV", name: ours, loss: "svm"},
	{label: "FSL", name: ours, loss: "lorenz"},
	{label: "FSA+", name: ours, loss: "logistic", polish: true},
	{label: "FSL+", name: ours, loss: "lorenz", polish: true},
	{label: "QTP", name: "qtp"},
	{label: "L1", name: "l1"},
	{label: "EL", name: "elastic-net"},
	{label: "L2", name: "l2-svm", free: true},
	{label: "MCP", name: "mcp"},
	{label: "SCD", name: "scad"},
	{label: "LB", name: "logitboost"},
	{label: "LB1", name: "logitboost-random"},
}

// classification is the paper's table on linearly separable data.
var classification = comparison{
	name: "classification", file: "table_classification_separable.csv",
	task: synth.Classification, measure: auc, contenders: classifiers,
}
