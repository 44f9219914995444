package objective

import (
	"context"
	"errors"
	"slices"
)

// Storage describes the storage of the columns of an objective. Sums depend on it in their last bits, and
// a resumed descent must give the same bits.
type Storage struct {
	Groups []int   // groups to which x was last compacted, by their original numbers; nil if it was not
	Order  bool    // whether rows were brought into the order of the batches by then
	Wasted float64 // passes over dropped columns since then
}

// Stored is an objective that can describe and restore the storage of its columns, so that a descent can
// be resumed.
type Stored interface {
	// Storage returns the present storage. All processes that share an objective call it together.
	Storage(ctx context.Context) (Storage, error)
	// Lay restores a storage. It must be called before the descent begins.
	Lay(s Storage)
}

var _ Stored = (*Objective)(nil)

// Track keeps the original numbers of the groups, for [Objective.Storage]. It must be called before any
// group is dropped.
func (ob *Objective) Track() {
	ob.number = make([]int, ob.groups.Count())
	for i := range ob.number {
		ob.number[i] = i
	}
}

// Storage implements [Stored]. Track must have been called.
func (ob *Objective) Storage(context.Context) (Storage, error) {
	return Storage{ob.compacted, ob.rows.from != nil, ob.wasted}, nil
}

// Lay implements [Stored]. The storage is restored once the remaining groups are known: by the first
// Keep or, if there is none, by the first sum or by Laid.
func (ob *Objective) Lay(s Storage) { ob.pending = &s }

// Laid restores the storage that Lay has set, if that is still to be done.
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

var errStorage = errors.New("objective: a dropped group is still active")

// lay restores the storage that Lay has set, and keeps the given groups.
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
