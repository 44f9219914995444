package main

import (
	"slices"

	"fsa/report"
)

// The files of a run folder. [report.Recorded] are there, too.
const (
	modelName  = "model.json"
	eventsName = "events.jsonl" // a line for each epoch
	tableName  = "selected.csv"
	reportName = "report.html"

	checkpointName = "checkpoint"    // of a fit that was stopped
	progressName   = "progress.json" // how a fit stands that is at work

	// What cross-validation saw.
	curveName   = "curve.json"
	pictureName = "curve.svg"
	rowsName    = "rows.csv"
	foldsName   = "folds.json"

	compareName   = "compare.json"   // methods on the same folds
	stabilityName = "stability.json" // how sure the selection is
)

// optionalFiles are those that only some runs have: what an earlier run has left of them
// does not belong to the next one.
func optionalFiles() []string {
	return slices.Concat([]string{reportName}, report.Recorded, []string{curveName, pictureName, rowsName, foldsName, compareName, stabilityName})
}
