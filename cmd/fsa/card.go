package main

import (
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"path/filepath"
	"strconv"
	"strings"

	"fsa/app/keypoint"
	"fsa/app/motion"
	"fsa/data"
	"fsa/data/open"
	"fsa/internal/atomicfile"
	"fsa/model"
	"fsa/report"
)

// motion looks at a model that picks segmentations, and says in the words of that task what
// it is worth on the sequences that it was learned from.
func (r *recorder) motion(ctx context.Context, m *model.Model, table *data.Dataset, list []*motion.Described, p *progress) error {
	picked, best, err := motion.Picked(m, list)
	if err != nil {
		return err
	}
	candidates := 0
	for _, d := range list {
		candidates += len(d.Candidates)
	}
	r.run.Title = "What tells a good segmentation of point tracks"
	r.run.Worth = fmt.Sprintf("%.2f%% of the points misclassified on the sequences that it was learned from", picked)
	r.run.Facts = []report.Fact{
		{Name: "sequences learned from", Value: strconv.Itoa(len(list))},
		{Name: "candidate segmentations of them", Value: strconv.Itoa(candidates)},
		{Name: "of the points misclassified, sequences learned from", Value: fmt.Sprintf("%.2f%%", picked)},
		{Name: "by the best candidates that there are", Value: fmt.Sprintf("%.2f%%", best)},
	}
	p.notes = append(p.notes, "how good the model is on videos that it was not learned from is what fsa motion evaluate says")
	return r.look(ctx, m, table, p)
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

// commitWithCard saves a detector that was just learned, and beside it its page with what the
// file does not say: the command, how long it took, and every round. Both appear, or none.
func commitWithCard(file *atomicfile.File, out string, t *keypoint.Training, record report.RunRecord) error {
	sum := sha256.New()
	if _, err := t.Detector.WriteTo(io.MultiWriter(file, sum)); err != nil {
		return err
	}
	r := detectorRun(t.Detector, out, hashName(sum))
	own := r.Record
	record.Header, record.Title, record.Facts, record.Plan = own.Header, own.Title, own.Facts, own.Plan
	record.Data.Rows, record.Data.Columns = r.Model.Rows, r.Model.Columns
	record.Notes = own.Notes
	for _, round := range t.Rounds {
		record.Seconds.Read += round.Mine + round.Extract
		record.Seconds.Fit += round.Fit
		record.Notes = append(record.Notes, fmt.Sprintf("round %d learned with %d negatives", round.Round, round.Negatives))
	}
	r.Record = &record
	page, err := atomicfile.Create(detectorPage(out))
	if err != nil {
		return err
	}
	defer page.Abort()
	if err := report.Write(page, r); err != nil {
		return err
	}
	return atomicfile.CommitAll(file, page)
}
