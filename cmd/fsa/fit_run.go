package main

import (
	"context"
	"time"

	"github.com/spf13/cobra"

	"fsa"
	"fsa/data"
	"fsa/model"
)

// fitRun is a fit at work: what it was asked, where it tells what it does, what it has read.
type fitRun struct {
	*fitTask
	ctx      context.Context
	cmd      *cobra.Command
	progress *progress
	folder   *runFolder // nil without --out
	keeper   *keeper    // of checkpoints; nil without a folder
	record   *recorder  // of what the report shows; nil without a folder
	watch    *watch     // nil without a folder

	table      *data.Dataset
	learning   *data.Dataset // the rows of the table that are learned from
	rows, kept []int         // those, and the ones held out; nil for all and none
	took       timing
	start      time.Time // of learning
}

// close takes back what was not finished.
func (r *fitRun) close() {
	if r.watch != nil {
		r.watch.close()
	}
	if r.folder != nil {
		r.folder.abort()
	}
}

// fitResult is what came out of a fit.
type fitResult struct {
	model      *model.Model      // nil where nothing was learned from all rows
	validation *model.Validation // nil where there was none
	evidence   *fsa.Evidence
	nested     *model.Test
}
