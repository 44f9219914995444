package main

import (
	"context"
	"crypto/sha256"
	"io"
	"path/filepath"
	"strconv"
	"strings"

	"fsa/app/keypoint"
	"fsa/data/open"
	"fsa/report"
)

// detectorPage returns where the report of a detector goes.
func detectorPage(file string) string { return strings.TrimSuffix(file, filepath.Ext(file)) + ".html" }

// readDetectorRun reads a detector file for the report.
func readDetectorRun(ctx context.Context, path string) (*report.Run, error) {
	f, err := open.Small(ctx, path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	sum := sha256.New()
	d, err := keypoint.ReadDetector(io.TeeReader(f, sum), path)
	if err != nil {
		return nil, atPath(err, path)
	}
	return detectorRun(d, path, hashName(sum)), nil
}

// detectorRun is what a detector says of itself, for the report.
func detectorRun(d *keypoint.Detector, path, sum string) *report.Run {
	from := d.LearnedFrom()
	r := &report.Run{Name: filepath.Base(path), Model: plainModel(d.Model())}
	r.Record = &report.RunRecord{
		Header: report.Header{Model: sum},
		Title:  "What tells the " + strings.ReplaceAll(d.Point().String(), "-", " ") + " on a photograph",
		Facts: []report.Fact{
			{Name: "photographs learned from", Value: strconv.Itoa(from.Photos)},
			{Name: "places that are the keypoint", Value: strconv.Itoa(from.Positives)},
			{Name: "places that are not", Value: strconv.Itoa(from.Negatives)},
		},
		Plan: []report.Decision{
			{Setting: "keypoint", Value: d.Point().String(), Why: "as seen on the photograph"},
			{Setting: "method", Value: d.Learner(), Why: "what learned it"},
			{Setting: "pool", Value: d.PoolID(), Why: "the features to select from"},
			{Setting: "rounds", Value: strconv.Itoa(from.Rounds), Why: "how often hard negatives were mined"},
		},
		Notes: []string{"how good the detector is on photographs that it was not learned from is what fsa keypoint evaluate says"},
	}
	return r
}
