package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"fsa/data/open"
	"fsa/model"
)

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
