package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"io"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"fsa/app/keypoint"
	"fsa/data/open"
	"fsa/internal/manifest"
	"fsa/internal/runs"
	"fsa/report"
)

// tellChanged reports which of the given files of a run folder, or of all its files, have changed
// since the last complete fit. path is the folder or the model in it.
func tellChanged(cmd *cobra.Command, path string, some ...string) error {
	file := modelPath(path)
	if filepath.Base(file) != modelName {
		return nil
	}
	folder := filepath.Dir(file)
	changed, err := manifest.Changed(folder, some...)
	if err == nil && changed != nil {
		newProgress(cmd.ErrOrStderr()).note("%s: %s: changed since the last complete fit; these files were edited, or a fit was stopped while it replaced them: fit again", folder, strings.Join(changed, ", "))
	}
	return err
}

// readRun reads a run folder.
func readRun(ctx context.Context, path string) (*report.Run, error) {
	file := modelPath(path)
	if begins(ctx, file, keypoint.Sniff) {
		return readDetectorRun(ctx, file)
	}
	m, sum, err := loadModel(ctx, file)
	if err != nil {
		return nil, err
	}
	r, err := runs.Read(m, sum, filepath.Dir(file))
	if err == nil && !isFolder(path) {
		r.Name = filepath.Base(path)
	}
	return r, err
}

// readEntry reads what a list of runs shows about a run folder.
func readEntry(ctx context.Context, folder string) (*report.Run, error) {
	file := filepath.Join(folder, modelName)
	m, sum, err := loadModel(ctx, file)
	if err != nil {
		return nil, err
	}
	r := &report.Run{Name: folder, Model: runs.Plain(m)}
	if v := m.Validation(); v != nil {
		r.Curve = &report.Curve{Metrics: v.Metrics}
	}
	r.ReadRecord(folder, sum)
	return r, nil
}

// reportPage returns the report of a run folder.
func reportPage(ctx context.Context, path string) ([]byte, error) {
	r, err := readRun(ctx, path)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	if err := report.Write(&b, r); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

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
	return detectorRun(d, path, manifest.Sum(sum)), nil
}

// detectorRun is the description of a detector for the report.
func detectorRun(d *keypoint.Detector, path, sum string) *report.Run {
	from := d.LearnedFrom()
	r := &report.Run{Name: filepath.Base(path), Model: runs.Plain(d.Model())}
	r.Record = &report.RunRecord{
		Header: report.Header{Model: sum},
		Title:  "What marks the " + strings.ReplaceAll(d.Point().String(), "-", " ") + " on a photograph",
		Facts: []report.Fact{
			{Name: "training photographs", Value: strconv.Itoa(from.Photos)},
			{Name: "positive examples", Value: strconv.Itoa(from.Positives)},
			{Name: "negative examples", Value: strconv.Itoa(from.Negatives)},
		},
		Plan: []report.Decision{
			{Setting: "keypoint", Value: d.Point().String(), Why: "as seen on the photograph"},
			{Setting: "method", Value: d.Learner(), Why: "the learner"},
			{Setting: "pool", Value: d.PoolID(), Why: "features to select from"},
			{Setting: "rounds", Value: strconv.Itoa(from.Rounds), Why: "rounds of mining hard negatives"},
		},
		Notes: []string{"fsa keypoint evaluate measures the detector on new photographs"},
	}
	return r
}

// detectorPage returns the path of the report of a detector.
func detectorPage(file string) string { return strings.TrimSuffix(file, filepath.Ext(file)) + ".html" }
