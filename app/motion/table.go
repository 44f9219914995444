package motion

import (
	"context"
	"fmt"
	"strings"

	"fsa/data"
)

// targetPrefix is the beginning of the target name of a ranking model of candidates; the name of
// the pool follows.
const targetPrefix = "error."

// columns returns the features that belong to some families.
func columns(features []Feature, families Family) []int {
	var out []int
	for j, f := range features {
		if f.Family&families != 0 {
			out = append(out, j)
		}
	}
	return out
}

// schema names the columns of a table of features.
func schema(features []Feature, cols []int) *data.Schema {
	s := &data.Schema{Width: len(cols)}
	for _, j := range cols {
		s.Names = append(s.Names, features[j].Name)
	}
	return s
}

// block returns the features of all candidates of a sequence.
func (d *Described) block(cols []int) *data.Block {
	b := &data.Block{Rows: len(d.X), Dense: make([]float64, 0, len(d.X)*len(cols))}
	for _, row := range d.X {
		for _, j := range cols {
			b.Dense = append(b.Dense, row[j])
		}
	}
	return b
}

// Table returns a ranking problem made of described sequences: a row for each candidate, a query
// for each sequence, and a larger target for a smaller error. Pairs are those of the paper: all
// pairs of a sequence, with r = ½ if errors are equal. Each half of a sequence is a separate query.
// Sequences with one candidate are left out.
func Table(ctx context.Context, list []*Described, pool Pool, families Family) (*data.Dataset, error) {
	var (
		target, query data.Vector
		pairs         []data.Pair
		blocks        []*data.Block
	)
	if err := checkTruth(list); err != nil {
		return nil, err
	}
	cols := columns(list[0].Features, families)
	var all []*Described
	for _, d := range list {
		all = append(append(all, d), d.Halves...)
	}
	for q, d := range all {
		if len(d.Candidates) < 2 {
			continue
		}
		first := len(target.Values)
		for i, e := range d.Errors {
			target.Values = append(target.Values, -e)
			query.Values = append(query.Values, float64(q))
			for j := range i {
				pairs = append(pairs, data.Pair{I: first + i, J: first + j, R: better(e, d.Errors[j])})
			}
		}
		blocks = append(blocks, d.block(cols))
	}
	if len(blocks) == 0 {
		return nil, &data.Error{Msg: "no sequence has candidates with different errors: there is nothing to rank"}
	}
	build := data.NewBuilder("candidates", schema(list[0].Features, cols), data.Roles{TargetVector: &target, QueryVector: &query})
	for _, b := range blocks {
		if err := build.Add(b); err != nil {
			return nil, err
		}
	}
	table, err := build.Dataset(ctx)
	if err != nil {
		return nil, err
	}
	table.Target.Name = targetPrefix + string(pool)
	table.Target.Pairs = pairs
	return table, nil
}

// checkTruth returns an error if there are no training sequences, or their truth is unknown.
func checkTruth(list []*Described) error {
	if len(list) == 0 {
		return &data.Error{Msg: "there are no sequences to train on"}
	}
	for _, d := range list {
		if d.Errors == nil {
			return &data.Error{File: d.Name, Msg: "the true segmentation is unknown: training needs an array s"}
		}
	}
	return nil
}

// better returns r of the paper: 1 if the first error is smaller, 0 if the second is smaller, ½ if
// they are equal.
func better(first, second float64) float64 {
	switch {
	case first < second:
		return 1
	case first > second:
		return 0
	}
	return 0.5
}

// poolOf returns the pool on which a model was trained.
func poolOf(target string) (Pool, error) {
	name, ok := strings.CutPrefix(target, targetPrefix)
	if pool := Pool(name); ok && pool.Validate() == nil {
		return pool, nil
	}
	return "", &data.Error{Msg: fmt.Sprintf("this model predicts %q, not the error of a segmentation: give a model from 'fsa motion train'", target)}
}
