package objective

import (
	"context"
	"errors"
	"slices"
)

// Storage says how the columns of an objective lie: sums over columns that are alive and
// dead are the same in theory only, and a descent that was stopped is to go on to the
// last bit.
type Storage struct {
	Groups []int   // that x was compacted to last, by their first numbers; nil for never
	Order  bool    // rows were brought into the order of batches by then
	Wasted float64 // passes over dead columns since then
}

// Stored is an objective that says how its columns lie, and lays them so again: one that
// can go on with a descent.
type Stored interface {
	// Storage returns how the columns lie. All processes that share them call it together.
	Storage(ctx context.Context) (Storage, error)
	// Lay makes them lie as they did once. It is to be called before the descent begins.
	Lay(s Storage)
}

var _ Stored = (*Objective)(nil)

// Track lets the objective know the first numbers of its groups, for [Objective.Storage].
// It is to be called before any is dropped.
func (ob *Objective) Track() {
	ob.number = make([]int, ob.groups.Count())
	for i := range ob.number {
		ob.number[i] = i
	}
}

// Storage returns how the columns lie. The objective has to be tracked.
func (ob *Objective) Storage(context.Context) (Storage, error) {
	return Storage{ob.compacted, ob.rows.from != nil, ob.wasted}, nil
}

// Lay makes the columns lie as they did once, as soon as it is known which groups are
// alive: by the first Keep, or if there is none, by the first sum or by Laid.
func (ob *Objective) Lay(s Storage) { ob.pending = &s }

// Laid makes sure that columns lie as Lay wants them.
func (ob *Objective) Laid(ctx context.Context) error {
	if ob.pending == nil {
		return nil
	}
	all := make([]int, ob.groups.Count())
	for i := range all {
		all[i] = i
	}
	return ob.lay(ctx, all)
}

var errStorage = errors.New("objective: groups are alive that are said to have been dropped")

// lay does what Lay has promised and keeps the given groups.
func (ob *Objective) lay(ctx context.Context, list []int) error {
	s := ob.pending
	ob.pending = nil
	if s.Groups != nil {
		ob.keep(s.Groups)
		if !s.Order && len(list) <= ob.final {
			ob.rows.join()
		}
		if err := ob.shrink(ctx, s.Order); err != nil {
			return err
		}
		among := make([]int, len(list))
		for i, g := range list {
			at, found := slices.BinarySearch(s.Groups, g)
			if !found {
				return errStorage
			}
			among[i] = at
		}
		list = among
	}
	ob.keep(list)
	ob.join()
	ob.wasted = s.Wasted
	return nil
}
