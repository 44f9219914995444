package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"fsa/app/keypoint"
	"fsa/data/kind"
	"fsa/data/open"
	"fsa/model"
	"fsa/report"
)

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
	folder, err := filepath.Abs(filepath.Dir(file))
	if err != nil {
		return nil, err
	}
	r := &report.Run{Name: filepath.Base(folder), Model: plainModel(m)}
	if info, err := os.Stat(path); err == nil && !info.IsDir() {
		r.Name = filepath.Base(path)
	}
	if v := m.Validation(); v != nil {
		text, err := json.Marshal(v)
		if err == nil {
			err = json.Unmarshal(text, &r.Curve)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
	}
	return r, r.ReadFolder(folder, sum)
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

// detectorPage returns where the report of a detector goes.
func detectorPage(file string) string { return strings.TrimSuffix(file, filepath.Ext(file)) + ".html" }

// scales are what the numbers of a kind count.
var scales = map[kind.Name]string{kind.Date: "years", kind.Time: "hours"}

// plainModel returns a model in plain numbers.
func plainModel(m *model.Model) report.Model {
	t, a := m.Training(), m.Additive()
	p := report.Model{
		Task: string(m.Task()), Loss: m.Loss(), Method: t.Method, Target: t.Target, Classes: m.Classes(), Outputs: m.Outputs(),
		Rows: t.Rows, Columns: t.Columns, Ridge: t.Ridge, Intercept: a.Intercept, Metrics: t.Metrics,
	}
	selected, kinds := m.Selected(), m.Kinds()
	for i, v := range a.Terms {
		one := report.Variable{
			Name: strings.ToValidUTF8(v.Name, "\ufffd"), Index: v.Index, Strength: v.Norm, Kind: string(v.Kind), Coefficients: v.Coefficients,
			Center: v.Center, Low: v.Low, High: v.High, Knots: v.Knots, Missing: v.Missing, Levels: v.Categories,
		}
		if c := kinds[selected[i].Name]; len(c.Parts()) > 0 {
			one.Column = strings.ToValidUTF8(selected[i].Name, "\ufffd")
			if v.Kind != model.Category {
				one.Scale, one.Show = scales[c.Kind], c.Show
			}
		}
		p.Variables = append(p.Variables, one)
	}
	return p
}
