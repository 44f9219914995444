package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"fsa/data/open"
	"fsa/model"
)

// predict does the work of the predict command.
func predict(cmd *cobra.Command, modelFile, path string, in input, out string, o predictOutput) error {
	m, sum, err := loadModel(cmd.Context(), modelFile)
	if errors.Is(err, model.ErrModelFile) && isModel(cmd.Context(), modelPath(path)) {
		return usagef("%s is no model, but %s is: the model comes first", modelFile, path)
	}
	if err != nil {
		return err
	}
	for _, v := range m.Selected() {
		if slices.Contains(in.Drop, v.Name) {
			return usagef("--drop %s: the model needs this column", v.Name)
		}
	}
	in.Skip = in.Drop
	in.lookAt(m, o.keep)
	if o.plus {
		if !cmd.Flags().Changed("interval") {
			return usagef("--cv-plus is for intervals: say how likely they have to hold, such as --interval 0.9")
		}
		if o.folds, err = loadFolds(cmd.Context(), modelFile, sum, m); err != nil {
			return err
		}
		in.lookAtFolds(o.folds)
	}
	var file *open.File
	if out != "" {
		if sameFile(out, path) || sameFile(out, modelFile) {
			return usagef("--out %s: this is the file that is read: name another", out)
		}
		if file, err = open.CreateCSV(out); err != nil { // fails before the work, if it must
			return err
		}
		defer file.Abort()
	}
	p, err := score(cmd.Context(), m, path, in, o)
	if err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(p.unseen)) {
		newProgress(cmd.ErrOrStderr()).note("column %s: %d of %d rows have a category that was not seen in training, or none; it is treated as rare, or adds nothing", name, p.unseen[name], p.Rows())
	}
	if cmd.Flags().Changed("interval") {
		if p.ranges, err = p.newRanges(m, o); err != nil {
			return err
		}
	}
	metrics, err := p.metrics()
	if err != nil && (in.Target != "" || in.Weights != "" || in.Query != "") {
		return err
	}
	if err != nil {
		// Nobody asked for it, so it must not cost the predictions.
		fmt.Fprintf(cmd.ErrOrStderr(), "fsa: the predictions could not be measured: %v\n", err)
	}
	switch {
	case file != nil:
		if err = writePredictions(file, m, p); err == nil {
			err = file.Commit()
		}
	case !o.json:
		w := bufio.NewWriter(cmd.OutOrStdout())
		err = errors.Join(writePredictions(w, m, p), w.Flush())
	}
	if err != nil {
		return err
	}
	if o.json {
		return printJSON(cmd.OutOrStdout(), newPredicted(m, p, metrics, out))
	}
	for _, name := range slices.Sorted(maps.Keys(metrics)) {
		fmt.Fprintf(cmd.ErrOrStderr(), "%s %s\n", measureLabel(name), precise(name, metrics[name]))
	}
	return nil
}

// loadFolds reads the models of the folds that stand beside a model.
func loadFolds(ctx context.Context, modelFile, sum string, m *model.Model) (*model.Folds, error) {
	if m.Task() != model.Regression {
		return nil, usagef("--cv-plus is for numbers, and this is a model of a %s: leave it out to have sets of classes", m.Task())
	}
	path := filepath.Join(filepath.Dir(modelFile), foldsName)
	f, err := open.Small(ctx, path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, usagef("there is no %s beside the model: fit it again with cross-validation and --out, or leave out --cv-plus", foldsName)
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	folds, of, err := model.ReadFolds(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if of != sum {
		return nil, fmt.Errorf("%s: %w: it belongs to another model than the one beside it: fit again", path, model.ErrModelFile)
	}
	return folds, nil
}

// lookAtFolds makes reading look at the columns that the models of folds use.
func (in *input) lookAtFolds(folds *model.Folds) {
	for _, m := range folds.Models() {
		for name, kind := range m.Kinds() {
			if _, used := in.Kinds[name]; !used {
				in.Kinds[name] = kind
				in.Only = append(in.Only, name)
			}
		}
	}
}

func (s *scored) newRanges(m *model.Model, o predictOutput) (r *ranges, err error) {
	r = &ranges{}
	switch {
	case m.Task() == model.Classification:
		r.sets, err = m.Sets(s.Prediction, o.coverage)
	case o.folds != nil:
		r.low, r.high, err = o.folds.Intervals(s.folds, o.coverage)
	default:
		r.low, r.high, err = m.Intervals(s.Prediction, o.coverage)
	}
	return r, err
}
