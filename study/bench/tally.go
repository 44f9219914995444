package bench

import (
	"context"
	"fmt"
	"slices"

	"fsa"
	"fsa/data"
	"fsa/data/synth"
	"fsa/model"
)

// config is a table of the paper's first experiment.
func config(task string, s shape, seed int) synth.Config {
	return synth.Config{Model: synth.AR1, Task: task, N: s.n, M: s.m, K: s.k, Seed: uint64(seed)}
}

// rowNonzeros is the number of nonzero cells in a row of a sparse table, as in the URL Reputation data.
const rowNonzeros = 115

// numberBytes returns the size of the numbers of a table in memory: four bytes for a cell, and
// four for its column in a sparse table.
func numberBytes(c synth.Config) int64 {
	if c.Model == synth.Zipf {
		return 8 * int64(c.N) * int64(c.Nonzeros)
	}
	return 4 * int64(c.N) * int64(c.M)
}

// kind returns the kind of table that c is.
func kind(c synth.Config) string {
	return fmt.Sprintf("%s, %d×%d, k = %d", c.Task, c.N, c.M, c.K)
}

// tally collects the fits of one method on tables of one kind.
type tally struct {
	method   string
	threads  int // 0 until the best number is known
	seconds  []float64
	overRead []float64
	all      float64 // tables for which all true variables were found
	share    float64 // sum of the shares found
	size     float64 // sum of the numbers of variables selected
	limit    float64 // limit that a fit exceeded; 0 if none did
	failed   bool
}

// found returns how many true variables of a table were selected.
func found(selected []int, c synth.Config) int {
	n := 0
	for _, j := range synth.Truth(c) {
		if slices.Contains(selected, j) {
			n++
		}
	}
	return n
}

func (l *tally) add(seconds float64, selected []int, c synth.Config) {
	found := found(selected, c)
	l.seconds = append(l.seconds, seconds)
	l.share += float64(found) / float64(c.K)
	l.size += float64(len(selected))
	if found == c.K {
		l.all++
	}
}

// fit summarises the tally.
func (l *tally) fit(task string, s shape) Fit {
	f := Fit{
		Task: task, N: s.n, M: s.m, K: s.k, Method: l.method, Threads: l.threads,
		Seconds: median(l.seconds), OverRead: median(l.overRead),
	}
	if n := float64(len(l.seconds)); n > 0 {
		f.DR, f.PCD, f.Selected = new(l.all/n), new(l.share/n), l.size/n
	}
	if l.limit > 0 {
		f.Seconds, f.MoreThan = l.limit, true
	}
	return f
}

// outcome is a fit and its duration.
type outcome struct {
	seconds float64
	model   *model.Model
	recipes int // number compared at the chosen size; 0 without a contest
}

// selected returns the columns that were selected.
func (o *outcome) selected() []int {
	var columns []int
	for _, v := range o.model.Selected() {
		columns = append(columns, v.Index)
	}
	return columns
}

// fitted times a fit as a command would run it, which no longer needs its table: it gets a copy.
func fitted(ctx context.Context, table *data.Dataset, o fsa.Options) (to outcome, err error) {
	rows := make([]int, table.Rows())
	for i := range rows {
		rows[i] = i
	}
	own, err := table.Select(ctx, rows)
	if err != nil {
		return to, err
	}
	o.Run.Discard = true
	to.seconds, err = timed(func() error {
		job, err := fsa.Prepare(ctx, own, o)
		if err != nil {
			return err
		}
		if to.model, err = job.Run(ctx); err != nil {
			return err
		}
		to.recipes = len(job.Contenders())
		return nil
	})
	return to, err
}
