package search

import (
	"context"
	"maps"
	"time"

	"fsa/anneal"
	"fsa/internal/checkpoint"
	"fsa/internal/objective"
)

// recorded runs a descent, or the rest of one, and stores its state in the record. If the objective cannot
// restore the storage order of its columns, only the final state is stored: continuing from another
// order would change the last bits.
func (s *Sample) recorded(ctx context.Context, name string, ob *objective.Objective, on anneal.Objective, to anneal.Settings, sets map[int][]int) (*anneal.Result, error) {
	stored, lays := on.(objective.Stored)
	name, done := s.Journal.next(name)
	if done != nil && (s.afresh || !done.Done && !lays) {
		done = nil
	}
	if done != nil {
		if !resumable(ob, done) || len(done.Sets) > 0 && sets == nil {
			return nil, foreign(name)
		}
		maps.Copy(sets, done.Sets)
		s.Meter.Cells = done.Cells
		if done.Done && sets != nil {
			return &anneal.Result{Trace: done.State.Trace, Status: done.State.Status}, nil
		}
		to.Resume = done.State
	}
	if lays {
		ob.Track()
	}
	if lays && done != nil {
		stored.Lay(objective.Storage{Groups: done.Stored, Order: done.Order, Wasted: done.Wasted})
	}
	observe, last, failed := to.Observe, (func() *anneal.State)(nil), error(nil)
	to.Observe = func(e anneal.Epoch) {
		if observe != nil {
			observe(e)
		}
		last = e.State
		due, err := s.Device.decide(ctx, lays && s.Journal.Record.Due(name))
		if err == nil && due {
			err = s.record(ctx, name, stored, e.State, sets, false)
		}
		if err == nil {
			err = s.Device.late(ctx)
		}
		if failed == nil {
			failed = err
		}
	}
	res, err := s.Device.run(ctx, ob, on, to)
	if failed != nil {
		err = failed
	}
	if err == nil && last != nil {
		err = s.record(ctx, name, stored, last, sets, true)
	}
	if err != nil {
		return nil, err
	}
	return res, ob.Laid(ctx)
}

// record stores the state of a descent in the record, with the storage order of its columns unless stored is nil.
func (s *Sample) record(ctx context.Context, name string, stored objective.Stored, state func() *anneal.State, sets map[int][]int, finished bool) error {
	since := time.Now()
	var order objective.Storage
	if stored != nil {
		var err error
		if order, err = stored.Storage(ctx); err != nil {
			return err
		}
	}
	s.Journal.Record.Put(name, &checkpoint.Task{
		Done: finished, State: state(), Stored: order.Groups, Order: order.Order, Wasted: order.Wasted, Sets: maps.Clone(sets), Cells: s.Meter.Cells,
	}, since)
	return nil
}

// furthest returns the last recorded state of a descent of this sample; nil if it had not begun.
func (s *Sample) furthest(job, name string) *checkpoint.Task {
	_, t := NewJournal(s.Journal.Record, job).next(name)
	if t != nil && t.State != nil && resumable(s.objective(nil, 0, 0, s.Rows()), t) {
		return t
	}
	return nil
}
