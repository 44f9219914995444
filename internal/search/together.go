package search

import (
	"context"
	"slices"

	"fsa/internal/matrix"
	"fsa/internal/objective"
	"fsa/internal/parallel"
)

// Together runs a selection on several samples of one table, such as folds, and reads the table once for all of them.
// [Runner.Run] then uses the result. Together does nothing if the samples do not share a table, or if the table is so
// small that it stays in the CPU cache.
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
	return parallel.Do(context.Background(), len(todo), len(todo), func(_, i int) error { // every member must join or leave
		fine := false
		defer func() {
			if !fine { // the others must not wait for a member that panicked
				joint.Break()
			}
			joint.Member(i).Leave()
		}()
		todo[i].selectJointly(ctx, by, joint.Member(i), !ended)
		fine = true
		return nil
	})
}

// joinable reports whether the descents of some samples can share their reads of the table: it must be dense, in memory,
// and computed on the processor.
func joinable(runners []*Runner, by Selection) bool {
	first := runners[0].Design.X
	if _, dense := first.(*matrix.Dense); !dense || by.Method != Annealing || by.Bins > 0 || by.Pooling != 1 || by.Interactions.Most > 0 || first.Cells() < objective.JointCells {
		return false
	}
	for _, r := range runners {
		if r.Design.X != first || r.Device.on != nil || r.Owned {
			return false
		}
	}
	return true
}

// selectJointly runs a selection as a member of a joint descent. [Runner.Run] returns its error. If afresh is set, the
// recorded state is ignored: the last bits of a descent depend on the active columns of the other members, so that
// records are used only if all members have one.
func (r *Runner) selectJointly(ctx context.Context, by Selection, m *objective.Member, afresh bool) {
	sample := *r.Sample
	sample.member, sample.afresh = m, afresh
	beside := *r
	beside.Sample = &sample
	if p, _ := beside.path(ctx, by); p != nil {
		p.Sample, p.selecting = r.Sample, r.selecting(by)
	}
}
