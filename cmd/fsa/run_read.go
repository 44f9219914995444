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

	"github.com/spf13/cobra"

	"fsa/app/keypoint"
	"fsa/data/kind"
	"fsa/data/open"
	"fsa/internal/manifest"
	"fsa/model"
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

// readEntry reads what a list of runs shows about a run folder.
func readEntry(ctx context.Context, folder string) (*report.Run, error) {
	file := filepath.Join(folder, modelName)
	m, sum, err := loadModel(ctx, file)
	if err != nil {
		return nil, err
	}
	r := &report.Run{Name: folder, Model: plainModel(m)}
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
	r := &report.Run{Name: filepath.Base(path), Model: plainModel(d.Model())}
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

// scales are the units of numbers of each kind.
var scales = map[kind.Name]string{kind.Date: "years", kind.Time: "hours"}

// plainModel returns a model in plain numbers.
func plainModel(m *model.Model) report.Model {
	t, a := m.Training(), m.Additive()
	p := report.Model{
		Task: string(m.Task()), Loss: m.Loss(), Link: string(a.Link), Method: t.Method, Target: t.Target, Classes: m.Classes(), Outputs: m.Outputs(), Names: m.OutputNames(),
		Rows: t.Rows, Columns: t.Columns, Ridge: t.Ridge, Intercept: a.Intercept, Metrics: t.Metrics,
		Interactions: plainInteractions(m),
	}
	s := m.Settings()
	if p.Power, p.Size, p.Quantiles = s.Power, s.Size, s.Quantiles; s.Quantile > 0 {
		p.Quantiles = []float64{s.Quantile}
	}
	for _, t := range m.Targets() {
		if t.Classes != nil {
			p.Positive = append(p.Positive, strings.ToValidUTF8(t.Classes[1], "\ufffd"))
		}
	}
	p.Absent = m.AbsentNote()
	if d := m.Discoveries(); d != nil {
		p.Discoveries = d.Note(m.Training().K)
	}
	selected, kinds := m.Selected(), m.Kinds()
	for i, v := range a.Terms {
		one := report.Variable{
			Name: strings.ToValidUTF8(v.Name, "\ufffd"), Index: v.Index, Strength: v.Norm, Kind: string(v.Kind), Coefficients: v.Coefficients,
			Center: v.Center, Low: v.Low, High: v.High, Knots: v.Knots, Missing: v.Missing, Levels: v.Categories,
		}
		c := kinds[selected[i].Name]
		one.Treatment = string(c.Kind)
		if len(c.Missing) > 0 {
			one.Treatment += ", missing: " + strings.ToValidUTF8(strings.Join(c.Missing, ", "), "\ufffd")
		}
		if len(c.Parts()) > 0 {
			one.Column = strings.ToValidUTF8(selected[i].Name, "\ufffd")
			if v.Kind != model.Category {
				one.Scale, one.Show = scales[c.Kind], c.Show
			}
		}
		p.Variables = append(p.Variables, one)
	}
	return p
}
