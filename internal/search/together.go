package search

import (
	"context"
	"slices"

	"fsa/internal/matrix"
	"fsa/internal/objective"
	"fsa/internal/parallel"
)

// Together runs a selection on several samples of one table, such as folds, so that the table is
// read once for all of them. Afterwards [Runner.Run] finds what was selected. It does nothing where
// samples share no table, or where one is so small that it stays in a cache.
func Together(ctx context.Context, runners []*Runner, by Selection, threads int) error {
	var todo []*Runner
	for _, r := range runners {
		if r.paths[by] == nil {
			todo = append(todo, r)
		}
	}
	if len(todo) < 2 || !joinable(todo, by) {
		return nil
	}
	ended := !slices.ContainsFunc(todo, func(r *Runner) bool { return !r.Journal.ended(by.task()) })
	joint := objective.NewJoint(len(todo), threads)
	return parallel.Do(context.Background(), len(todo), len(todo), func(_, i int) error { // all have to come
		fine := false
		defer func() {
			if !fine { // others must not wait for one that panicked
				joint.Break()
			}
			joint.Member(i).Leave()
		}()
		todo[i].selectBeside(ctx, by, joint.Member(i), !ended)
		fine = true
		return nil
	})
}

// joinable reports whether descents of some samples can read their table together: a dense one
// in memory, on a processor.
func joinable(runners []*Runner, by Selection) bool {
	first := runners[0].Design.X
	if _, dense := first.(*matrix.Dense); !dense || by.Method != Annealing || by.Bins > 0 || by.Pooling != 1 || first.Cells() < objective.JointCells {
		return false
	}
	for _, r := range runners {
		if r.Design.X != first || r.Device.on != nil || r.Owned {
			return false
		}
	}
	return true
}

// selectBeside runs a selection beside those of other samples. What is wrong with it, [Runner.Run]
// will say. Where a record does not have all of them, none counts: the last bits of each depend
// on which columns the others have alive.
func (r *Runner) selectBeside(ctx context.Context, by Selection, m *objective.Member, afresh bool) {
	sample := *r.Sample
	sample.beside, sample.afresh = m, afresh
	beside := *r
	beside.Sample = &sample
	if p, _ := beside.path(ctx, by); p != nil {
		p.Sample, p.selecting = r.Sample, r.selecting(by)
	}
}
