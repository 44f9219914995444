package main

import (
	"fmt"
	"slices"
	"strings"

	"fsa/data"
	"fsa/model"
)

// ranger computes prediction intervals or sets of classes.
type ranger struct {
	model    *model.Model
	coverage float64
	of       *model.Folds // for CV+; nil for intervals from the residuals of the model
	folds    []*model.Scorer
}

// newRanger returns a ranger for a table, or nil if intervals are not requested.
func newRanger(m *model.Model, s *data.Schema, file string, o predictOutput) (*ranger, error) {
	if !o.intervals {
		return nil, nil
	}
	r := &ranger{model: m, coverage: o.coverage, of: o.folds}
	if o.folds != nil {
		for _, m := range o.folds.Models() {
			scorer, err := m.Scorer(s)
			if err != nil {
				return nil, fmt.Errorf("--cv-plus needs the columns that any fold selected: %w", inFile(err, file))
			}
			r.folds = append(r.folds, scorer)
		}
	}
	return r, nil
}

// ranges are the intervals or sets of some rows.
type ranges struct {
	low, high []float64
	sets      [][]string
}

// find returns the ranges of the rows of a block, or nil without a ranger.
func (r *ranger) find(p *model.Prediction, b *data.Block) (*ranges, error) {
	switch {
	case r == nil:
		return nil, nil
	case r.of == nil:
		return r.findAround(p)
	}
	z := make([][]float64, len(r.folds))
	for i, s := range r.folds {
		var err error
		if z[i], err = s.Score(b); err != nil {
			return nil, err
		}
	}
	low, high, err := r.of.Intervals(z, r.coverage)
	return &ranges{low: low, high: high}, err
}

// findAround returns the ranges around predictions, which do not depend on the cells of the rows.
func (r *ranger) findAround(p *model.Prediction) (out *ranges, err error) {
	out = &ranges{}
	if r.model.Task() == model.Classification {
		out.sets, err = r.model.Sets(p, r.coverage)
	} else {
		out.low, out.high, err = r.model.Intervals(p, r.coverage)
	}
	return out, err
}

// measure adds to the metrics how often ranges contain the target, and how wide they are on
// average. low and high are CV+ intervals.
func (r *ranger) measure(metrics map[string]float64, t *data.Target, p *model.Prediction, low, high []float64) error {
	const some = 4096 // rows at a time, because sets of classes need memory
	var held, width float64
	for first := 0; first < len(t.Y); first += some {
		last := min(first+some, len(t.Y))
		own := &ranges{}
		if r.of != nil {
			own.low, own.high = low[first:last], high[first:last]
		} else {
			var err error
			if own, err = r.findAround(r.model.Prediction(p.Decision[first*p.Outputs() : last*p.Outputs()])); err != nil {
				return err
			}
		}
		for i, y := range t.Y[first:last] {
			if own.sets != nil {
				width += float64(len(own.sets[i]))
				if slices.Contains(own.sets[i], model.ClassName(t, y)) {
					held++
				}
				continue
			}
			width += own.high[i] - own.low[i]
			if own.low[i] <= y && y <= own.high[i] {
				held++
			}
		}
	}
	n := float64(len(t.Y))
	metrics["coverage"], metrics["width"] = held/n, width/n
	return nil
}

// rangeNames returns the names of the columns of ranges.
func rangeNames(m *model.Model, o predictOutput) []string {
	switch {
	case !o.intervals:
		return nil
	case m.Task() == model.Classification:
		return []string{"classes"}
	}
	return []string{"low", "high"}
}

// row returns the cells of row i.
func (r *ranges) row(i int) []string {
	switch {
	case r == nil:
		return nil
	case r.sets != nil:
		return []string{strings.Join(r.sets[i], "|")}
	}
	return []string{exactly(r.low[i]), exactly(r.high[i])}
}
