package grid

import (
	"context"
	"errors"
	"slices"

	"fsa/internal/objective"
)

// Storage implements [objective.Stored]. The sums of tiles are rounded to units that depend on
// their columns, dropped ones included, so a continued descent has the same bits only if the tiles
// hold the same columns. What the tiles hold depends on the slices alone, and not on the grid.
func (o *Objective) Storage(ctx context.Context) (objective.Storage, error) {
	var mine []int64
	for _, s := range o.slices {
		for _, g := range s.lying {
			mine = append(mine, int64(g))
		}
	}
	sizes, err := gatherAlong(ctx, o.grid.row, func(int) int { return 1 }, []int64{int64(len(mine))})
	if err != nil {
		return objective.Storage{}, err
	}
	all, err := gatherAlong(ctx, o.grid.row, func(p int) int { return int(sizes[p]) }, mine)
	if err != nil || len(all) == o.groups {
		return objective.Storage{}, err
	}
	groups := make([]int, len(all))
	for i, g := range all {
		groups[i] = int(g)
	}
	return objective.Storage{Groups: groups}, nil
}

// Lay implements [objective.Stored].
func (o *Objective) Lay(s objective.Storage) { o.lay = s.Groups }

var errStorage = errors.New("grid: a dropped group is still active")

// keepAs keeps the listed groups of all; nil means all groups. Columns are then stored as Lay wants
// them: a slice was compacted to those groups because it had lost at least a quarter, and so it is
// compacted again.
func (o *Objective) keepAs(ctx context.Context, groups []int) error {
	lay := o.lay
	o.lay = nil
	if lay != nil && len(lay) < o.layout.Groups() {
		among := make([]int, len(groups))
		for i, g := range groups {
			at, found := slices.BinarySearch(lay, g)
			if !found {
				return errStorage
			}
			among[i] = at
		}
		if err := o.Keep(ctx, lay); err != nil {
			return err
		}
		groups = among
	}
	if groups == nil || len(groups) == o.layout.Groups() {
		return nil
	}
	return o.Keep(ctx, groups)
}

// Decide implements [objective.Together].
func (m *Matrix) Decide(ctx context.Context, yes bool) (bool, error) {
	if err := ctx.Err(); err != nil {
		return false, err
	}
	said := []byte{0}
	if yes {
		said[0] = 1
	}
	err := m.grid.world.Broadcast(0, said)
	return said[0] == 1, err
}
