package paper

import "fsa/data/synth"

// classificationNoisy is the paper's table of data of which a tenth of the rows
// has random labels.
var classificationNoisy = comparison{
	name: "classification-noisy", file: "table_classification_noisy.csv",
	task: synth.Classification, noise: 0.1, measure: auc, contenders: classifiers,
}
