package bench

import (
	"context"
	"fmt"

	"fsa"
	"fsa/data"
	"fsa/data/synth"
	"fsa/model"
)

// config is a table of the paper's first experiment.
func config(task string, s shape, seed int) synth.Config {
	return synth.Config{Model: synth.AR1, Task: task, N: s.n, M: s.m, K: s.k, Seed: uint64(seed)}
}

// kind says which tables c is one of.
func kind(c synth.Config) string {
	return fmt.Sprintf("%s, %d×%d, k = %d", c.Task, c.N, c.M, c.K)
}

// tally gathers the fits of one method to tables of one kind.
type tally struct {
	method   string
	threads  int // 0 until it is known how many are best
	seconds  []float64
	overRead []float64
	all      float64 // tables of which all true variables were found
	share    float64 // sum of the shares found
	size     float64 // sum of the numbers of variables selected
	limit    float64 // seconds that a fit has exceeded; 0 if none has
	failed   bool
}

func (l *tally) add(seconds float64, selected []int, c synth.Config) {
	found := 0
	chosen := map[int]bool{}
	for _, j := range selected {
		chosen[j] = true
	}
	for _, j := range synth.Truth(c) {
		if chosen[j] {
			found++
		}
	}
	l.seconds = append(l.seconds, seconds)
	l.share += float64(found) / float64(c.K)
	l.size += float64(len(selected))
	if found == c.K {
		l.all++
	}
}

// fit sums up.
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

// fitted times a fit as a command would do it, which does not need its table any
// more: it gets a copy.
func fitted(ctx context.Context, table *data.Dataset, o fsa.Options) (seconds float64, model *model.Model, err error) {
	rows := make([]int, table.Rows())
	for i := range rows {
		rows[i] = i
	}
	own, err := table.Select(ctx, rows)
	if err != nil {
		return 0, nil, err
	}
	o.Discard = true
	seconds, err = timed(func() (err error) {
		model, err = fsa.Fit(ctx, own, o)
		return err
	})
	return seconds, model, err
}
