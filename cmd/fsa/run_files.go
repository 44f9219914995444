package main

import (
	"slices"

	"fsa/report"
)

// The files of a run folder, in addition to [report.Recorded].
const (
	modelName  = "model.json"
	eventsName = "events.jsonl" // a line for each epoch
	tableName  = "selected.csv"
	reportName = "report.html"

	checkpointName = "checkpoint"    // of a fit that was stopped
	progressName   = "progress.json" // state of a running fit

	// The results of cross-validation.
	curveName   = "curve.json"
	pictureName = "curve.svg"
	rowsName    = "rows.csv"
	foldsName   = "folds.json"

	compareName   = "compare.json"   // methods on the same folds
	stabilityName = "stability.json" // stability of the selection
)

// optionalFiles are the files that only some runs have. Those left by an earlier run must be
// removed.
func optionalFiles() []string {
	return slices.Concat([]string{reportName}, report.Recorded, []string{curveName, pictureName, rowsName, foldsName, compareName, stabilityName})
}
