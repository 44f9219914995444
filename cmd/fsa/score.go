package main

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"fsa/data"
	"fsa/data/kind"
	"fsa/data/open"
	"fsa/model"
)

// predictOutput says what predictions are written as.
type predictOutput struct {
	json, contributions bool
	coverage            float64      // of intervals or sets; 0 for none
	plus                bool         // intervals are those of CV+,
	folds               *model.Folds // by these models
	keep                []string     // columns to copy
}

// scored is a prediction and the target of its rows.
type scored struct {
	*model.Prediction
	target *data.Target   // nil if there is none
	from   string         // the file that has the target
	bad    error          // why the target cannot be used
	unseen map[string]int // rows with a text that was not learned, by column
	ranges *ranges        // intervals or sets; nil unless asked for
	kept   *kept          // columns of the table
	folds  [][]float64    // decision values of the models of folds, for CV+
	adds   []float64      // what variables add, as [model.Scorer.Contributions]; nil unless asked for
}

// metrics measures the prediction, if there is a target.
func (s *scored) metrics() (map[string]float64, error) {
	if s.bad != nil || s.target == nil || s.target.Y == nil {
		return nil, s.bad
	}
	m, err := s.Metrics(s.target)
	if err == nil && s.ranges != nil {
		s.ranges.measure(m, s.target)
	}
	return m, inFile(err, s.from)
}

// score predicts a table. Target, weights and queries are those that were asked
// for, or those that the model was learned with if the table has them.
func score(ctx context.Context, m *model.Model, path string, in input, o predictOutput) (*scored, error) {
	r, err := open.Reader(ctx, path, in.Options)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	if in.IndexBase == "" && m.Training().IndexBase == "0" && r.Schema().IndexBase != "" {
		return nil, usagef("the model learned from indices that count from 0: give --index-base 0 if those of %s do, too, else 1", path)
	}
	roles, err := in.Roles.Resolve(ctx, path, r)
	if err != nil {
		return nil, err
	}
	for _, c := range []struct {
		role   *string
		vector *data.Vector
		name   string
	}{
		{&roles.Target, roles.TargetVector, m.Training().Target},
		{&roles.Weight, roles.WeightVector, m.Training().Weights},
		{&roles.Query, roles.QueryVector, m.Training().Query},
	} {
		if *c.role == "" && c.vector == nil && slices.Contains(r.Schema().Names, c.name) && !slices.Contains(in.Drop, c.name) {
			*c.role = c.name
		}
	}
	return scoreReader(ctx, m, r, path, roles, o)
}

// lookAt makes reading look at the columns that a model uses, which are read as those were
// that it has learned from, and at those that have a role.
func (in *input) lookAt(m *model.Model, keep []string) {
	in.Kinds = m.Kinds()
	for _, name := range keep {
		if _, used := in.Kinds[name]; !used {
			in.Kinds[name] = kind.Column{Kind: kind.Category} // as it stands there
		}
	}
	tr := m.Training()
	in.Only = slices.AppendSeq([]string{in.Target, in.Weights, in.Query, tr.Target, tr.Weights, tr.Query}, maps.Keys(in.Kinds))
	in.Only = slices.DeleteFunc(in.Only, func(name string) bool { return name == "" })
}

// scoreReader predicts rows block by block and gathers their target.
func scoreReader(ctx context.Context, m *model.Model, r data.Reader, name string, roles data.Roles, o predictOutput) (*scored, error) {
	scorer, err := m.Scorer(r.Schema())
	if err != nil {
		return nil, inFile(err, name)
	}
	var folds []*model.Scorer
	if o.folds != nil {
		for _, m := range o.folds.Models() {
			s, err := m.Scorer(r.Schema())
			if err != nil {
				return nil, fmt.Errorf("--cv-plus needs the columns that any fold has chosen: %w", inFile(err, name))
			}
			folds = append(folds, s)
		}
	}
	copied, err := newKept(r.Schema(), name, o.keep)
	if err != nil {
		return nil, err
	}
	contributions := o.contributions
	targets := data.NewCollector(name, r.Schema(), roles)
	out := &scored{from: name, folds: make([][]float64, len(folds))}
	if v := roles.TargetVector; v != nil {
		out.from = v.Name
	}
	if contributions {
		out.adds = []float64{}
	}
	var decision []float64
	for b, err := range data.Blocks(ctx, r) {
		if err != nil {
			return nil, err
		}
		if out.bad == nil {
			out.bad = targets.Add(b)
		}
		z, err := scorer.Score(b)
		if err != nil {
			return nil, inFile(err, name)
		}
		decision = append(decision, z...)
		for i, s := range folds {
			z, err := s.Score(b)
			if err != nil {
				return nil, inFile(err, name)
			}
			out.folds[i] = append(out.folds[i], z...)
		}
		copied.add(b)
		if !contributions {
			continue
		}
		adds, err := scorer.Contributions(b)
		if err != nil {
			return nil, inFile(err, name)
		}
		out.adds = append(out.adds, adds...)
	}
	if out.bad == nil {
		out.target, out.bad = targets.Target()
	}
	out.Prediction, out.unseen, out.kept = m.Prediction(decision), scorer.Unseen(), copied
	return out, nil
}
