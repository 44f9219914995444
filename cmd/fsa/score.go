package main

import (
	"context"
	"maps"
	"slices"
	"strings"

	"fsa/data"
	"fsa/data/kind"
	"fsa/data/open"
	"fsa/model"
)

// predictOutput describes the form in which predictions are written.
type predictOutput struct {
	json, contributions bool
	coverage            float64      // coverage of intervals or sets
	intervals           bool         // intervals or sets are requested
	measured            bool         // a target, weights or queries were given: it is an error if they cannot be used
	memory              int64        // memory that may be used; 0 for no limit
	plus                bool         // intervals are CV+ intervals,
	folds               *model.Folds // computed with these models
	keep                []string     // columns to copy
	at                  []float64    // times at which survival probabilities are predicted
	extrapolate         string       // how lines are extrapolated; empty for the setting of the model
}

// batch has the predictions of some rows, and what is written beside them.
type batch struct {
	*model.Prediction
	ranges *ranges    // intervals or sets; nil unless requested
	kept   [][]string // the cells of each copied column
	adds   []float64  // contributions of the variables, as [model.Scorer.Contributions]; nil unless requested
	lives  []float64  // survival probabilities at the requested times, row after row
}

// scored is the result of predicting all rows of a table.
type scored struct {
	rows   int
	unseen map[string]int // rows with a text that is not in the model, by column

	// The rest is for evaluation, if the table has a target.
	*model.Prediction
	target *data.Target // nil if there is none
	held   *gathered
	from   string // the file that has the target
	bad    error  // why the target cannot be used
}

// metrics evaluates the predictions, if there is a target.
func (s *scored) metrics() (map[string]float64, error) {
	if s.bad != nil || s.target == nil || s.target.Y == nil {
		return nil, s.bad
	}
	m, err := s.Metrics(s.target)
	if r := s.held.ranger; err == nil && r != nil {
		err = r.measure(m, s.target, s.Prediction, s.held.low, s.held.high)
	}
	return m, inFile(err, s.from)
}

// score predicts a table. Target, weights and queries are those that were given, or those of the
// training table if the table has them. each is called with batches of predicted rows; it may be
// nil.
func score(ctx context.Context, m *model.Model, path string, in input, o predictOutput, each func(*batch) error) (*scored, error) {
	r, err := open.Reader(ctx, path, in.Options)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	if in.IndexBase == "" && m.Training().IndexBase == "0" && r.Schema().IndexBase != "" {
		return nil, usagef("the model was trained on indices that count from 0: give --index-base 0 if those of %s do too, and 1 otherwise", path)
	}
	tr := m.Training()
	for _, c := range []struct {
		ref  *string
		name string
	}{{&in.Target, tr.Target}, {&in.Weights, tr.Weights}, {&in.Query, tr.Query}, {&in.Event, tr.Event}, {&in.Stratum, tr.Stratum}, {&in.Entry, tr.Entry}, {&in.Trials, tr.Trials}} {
		if *c.ref == "" && open.Beside(r, c.name) {
			*c.ref = c.name
		}
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
		{&roles.Target, roles.TargetVector, tr.Target},
		{&roles.Weight, roles.WeightVector, tr.Weights},
		{&roles.Query, roles.QueryVector, tr.Query},
		{&roles.Event, roles.EventVector, tr.Event},
		{&roles.Stratum, roles.StratumVector, tr.Stratum},
		{&roles.Entry, roles.EntryVector, tr.Entry},
		{&roles.Trials, roles.TrialsVector, tr.Trials},
	} {
		if *c.role == "" && c.vector == nil && slices.Contains(r.Schema().Names, c.name) && !slices.Contains(in.Drop, c.name) {
			*c.role = c.name
		}
	}
	if roles.Target == "" && roles.TargetVector == nil && roles.Targets == nil {
		roles.Targets = targetsOf(m, r.Schema().Names, in.Drop)
	}
	o.memory = in.Memory
	return scoreReader(ctx, m, r, path, roles, o, each)
}

// targetsOf returns the names of several targets of a model, if a table has all of them.
func targetsOf(m *model.Model, columns, drop []string) (names []string) {
	for _, t := range m.Targets() {
		if !slices.Contains(columns, t.Name) || slices.Contains(drop, t.Name) {
			return nil
		}
		names = append(names, t.Name)
	}
	return names
}

// lookAt adds the columns that a model uses, with the kinds of the training table, and the columns
// with a role to those that are read.
func (in *input) lookAt(m *model.Model, keep []string) {
	in.Kinds = m.Kinds()
	for _, name := range keep {
		if _, used := in.Kinds[name]; !used {
			in.Kinds[name] = kind.Column{Kind: kind.Category} // without conversion
		}
	}
	tr := m.Training()
	in.Only = slices.AppendSeq([]string{in.Target, in.Weights, in.Query, tr.Target, tr.Weights, tr.Query, tr.Offset, tr.Event, tr.Stratum, tr.Entry, tr.Trials, in.Event, in.Stratum, in.Entry, in.Trials}, maps.Keys(in.Kinds))
	in.Only = append(in.Only, strings.Split(in.Target, ",")...)
	for _, t := range m.Targets() {
		in.Only = append(in.Only, t.Name)
	}
	in.Only = slices.DeleteFunc(in.Only, func(name string) bool { return name == "" })
}

// scoreReader predicts rows block by block, and collects what evaluation needs.
func scoreReader(ctx context.Context, m *model.Model, r data.Reader, name string, roles data.Roles, o predictOutput, each func(*batch) error) (*scored, error) {
	scorer, err := m.Scorer(r.Schema())
	if err != nil {
		return nil, inFile(err, name)
	}
	ranger, err := newRanger(m, r.Schema(), name, o)
	if err != nil {
		return nil, err
	}
	copied, err := newKept(r.Schema(), name, o.keep)
	if err != nil {
		return nil, err
	}
	held := newGathered(name, r.Schema(), roles, o.memory, m.Outputs(), ranger)
	out := &scored{from: name, held: held}
	if v := roles.TargetVector; v != nil {
		out.from = v.Name
	}
	for b, err := range data.Blocks(ctx, r) {
		if err != nil {
			return nil, err
		}
		z, err := scorer.Score(b)
		if err != nil {
			return nil, inFile(err, name)
		}
		rows := &batch{Prediction: m.Prediction(z), kept: copied.cells(b)}
		if rows.ranges, err = ranger.find(rows.Prediction, b); err != nil {
			return nil, inFile(err, name)
		}
		if len(o.at) > 0 {
			if rows.lives, err = m.Survival(z, o.at); err != nil {
				return nil, err
			}
		}
		if o.contributions {
			if rows.adds, err = scorer.Contributions(b); err != nil {
				return nil, inFile(err, name)
			}
		}
		out.rows += b.Rows
		if held.add(b, rows); held.bad != nil && o.measured {
			break // nothing else is needed without evaluation
		}
		if each == nil {
			continue
		}
		if err := each(rows); err != nil {
			return nil, err
		}
	}
	out.target, out.bad = held.target()
	out.Prediction, out.unseen = m.Prediction(held.decision), scorer.Unseen()
	return out, nil
}
