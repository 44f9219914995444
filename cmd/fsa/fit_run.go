package main

import (
	"context"
	"time"

	"github.com/spf13/cobra"

	"fsa"
	"fsa/data"
	"fsa/internal/runs"
	"fsa/model"
)

// fitRun is a running fit: its task, its outputs, and what it has read.
type fitRun struct {
	*fitTask
	ctx      context.Context
	cmd      *cobra.Command
	progress *progress
	folder   *runs.Folder   // nil without --out
	keeper   *keeper        // keeper of checkpoints; nil without a folder
	record   *runs.Recorder // for the report; nil without a folder
	watch    *watch         // nil without a folder
	stages   *following     // stages of the fit; nil until they are planned

	table      *data.Dataset
	learning   *data.Dataset // the training rows of the table
	rows, kept []int         // their numbers, and those of the held-out rows; nil for all and none
	leak       bool          // the values of a column may be known only together with the target
	took       runs.Timing
	start      time.Time // start of training
}

// close removes what is unfinished.
func (r *fitRun) close() {
	if r.watch != nil {
		r.watch.close()
	}
	if r.folder != nil {
		r.folder.Abort()
	}
}

// fitResult is the result of a fit.
type fitResult struct {
	model      *model.Model      // nil if nothing was trained on all rows
	validation *model.Validation // nil if there was no validation
	evidence   *fsa.Evidence
	nested     *model.Test
}
