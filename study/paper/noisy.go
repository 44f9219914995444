package paper

import "fsa/data/synth"

// classificationNoisy is the paper's table on data with random labels in a tenth of the rows.
var classificationNoisy = comparison{
	name: "classification-noisy", file: "table_classification_noisy.csv",
	task: synth.Classification, noise: 0.1, measure: auc, contenders: classifiers,
}
