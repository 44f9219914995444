package main

import (
	"context"
	"errors"

	"fsa/internal/runs"
	"fsa/report"
)

// The files of a run folder.
const (
	modelName      = runs.ModelName
	eventsName     = runs.EventsName
	tableName      = runs.TableName
	reportName     = runs.PageName
	checkpointName = runs.CheckpointName
	progressName   = runs.ProgressName
	curveName      = report.CurveName
	pictureName    = runs.PictureName
	rowsName       = report.RowsName
	foldsName      = runs.FoldsName
	stabilityName  = report.StabilityName
)

// newRunFolder creates the folder of a run, or fails before any work is done.
func newRunFolder(path string) (*runs.Folder, error) {
	f, err := runs.New(path)
	if busy := new(runs.BusyError); errors.As(err, &busy) {
		return nil, usagef("%v: wait until it has ended, or give another --out", err)
	}
	return f, err
}

// typed is the key of the arguments of the program in the context of a command.
type typed struct{}

// words returns the arguments of the program.
func words(ctx context.Context) []string {
	list, _ := ctx.Value(typed{}).([]string)
	return list
}
