package runs

import (
	"slices"

	"fsa/report"
)

// The files of a run folder, in addition to those of package report.
const (
	ModelName  = "model.json"
	EventsName = "events.jsonl" // a line for each epoch
	TableName  = "selected.csv"
	PageName   = "report.html"

	CheckpointName = "checkpoint"    // of a fit that was stopped
	ProgressName   = "progress.json" // state of a running fit

	PictureName = "curve.svg"    // the curve of cross-validation
	FoldsName   = "folds.json"   // models of the folds
	CompareName = "compare.json" // methods on the same folds
)

// OptionalFiles are the files that only some runs have. Those left by an earlier run must be
// removed.
func OptionalFiles() []string {
	return slices.Concat([]string{PageName}, report.Recorded, []string{report.CurveName, PictureName, report.RowsName, FoldsName, CompareName, report.StabilityName})
}
