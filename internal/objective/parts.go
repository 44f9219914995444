package objective

import (
	"errors"

	"fsa/internal/matrix"
	"fsa/loss"
)

// Parts is what it takes to compute the same sums on another machine, before any group is
// dropped.
type Parts struct {
	X             matrix.Matrix
	Scale, Offset []float64 // of the columns of X; a nil offset is 0
	Columns       []int     // of X, one for each group
	Loss          loss.Loss
	Y, Weight     []float64 // of the rows of X; a nil weight is 1
	Ridge         float64
	Free          int        // coefficients that belong to no group: as many as outputs, or none
	Batches       [][][2]int // runs of rows of each batch
	Final         int        // once no more groups are left there is one batch
	Meter         *Meter
}

// Parts returns the parts of an objective that is linear in single columns, and says what
// it is if it is more than that.
func (ob *Objective) Parts() (Parts, error) {
	switch {
	case ob.bins > 0:
		return Parts{}, errors.New("responses are piecewise linear")
	case ob.columns != nil:
		return Parts{}, errors.New("variables have categories")
	case !ob.groups.single():
		return Parts{}, errors.New("variables stay or go in groups")
	case ob.rows.query != nil:
		return Parts{}, errors.New("rows are compared with each other")
	}
	p := Parts{
		X: ob.x, Scale: ob.scale, Offset: ob.offset, Columns: ob.groups.vars, Loss: ob.loss, Y: ob.rows.y, Weight: ob.rows.weight,
		Ridge: ob.ridge.Lambda, Free: ob.layout.Free, Final: ob.final, Meter: ob.meter,
	}
	for _, part := range ob.rows.parts {
		var runs [][2]int
		for _, s := range part {
			runs = append(runs, [2]int{s.lo, s.hi})
		}
		p.Batches = append(p.Batches, runs)
	}
	return p, nil
}
