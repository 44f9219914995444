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
	Owned         bool      // nobody else needs X afterwards
	Scale, Offset []float64 // of the columns of X; a nil offset is 0
	Columns       []int     // of X, those of group after group
	First         []int     // where the columns of each group begin, and their number; nil if each has one
	Loss          loss.Loss
	Y, Weight     []float64 // of the rows of X; a nil weight is 1
	Ridge         float64
	Free          int        // coefficients that belong to no group: as many as outputs, or none
	Batches       [][][2]int // runs of rows of each batch
	Final         int        // once no more groups are left there is one batch
	Meter         *Meter
}

// Groups returns how many groups there are.
func (p *Parts) Groups() int {
	if p.First == nil {
		return len(p.Columns)
	}
	return len(p.First) - 1
}

// Single says why not every group is a single column, if it is not.
func (p *Parts) Single() error {
	switch {
	case p.X.Widths() != nil:
		return errors.New("responses are piecewise linear")
	case p.First != nil:
		return errors.New("variables stay or go in groups")
	}
	return nil
}

// Parts returns the parts of an objective without priors but the ridge, and says what
// it is if it is more than that.
func (ob *Objective) Parts() (Parts, error) {
	switch {
	case ob.numbers < matrix.Variables(ob.x):
		return Parts{}, errors.New("variables have categories")
	case ob.bins > 0 && len(ob.curve) > 0:
		return Parts{}, errors.New("curves are smoothed")
	case ob.rows.query != nil:
		return Parts{}, errors.New("rows are compared with each other")
	}
	p := Parts{
		X: ob.x, Owned: ob.owned, Scale: ob.scale, Offset: ob.offset, Columns: ob.groups.vars, Loss: ob.loss, Y: ob.rows.y, Weight: ob.rows.weight,
		Ridge: ob.ridge.Lambda, Free: ob.layout.Free, Final: ob.final, Meter: ob.meter,
	}
	if ob.columns != nil || !ob.groups.single() {
		p.Columns, p.First = nil, []int{0}
		for j := range ob.groups.Count() {
			for _, v := range ob.groups.Of(j) {
				for lo, hi := ob.columns.of(v); lo < hi; lo++ {
					p.Columns = append(p.Columns, lo)
				}
			}
			p.First = append(p.First, len(p.Columns))
		}
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
