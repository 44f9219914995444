package objective

import (
	"errors"

	"fsa/internal/matrix"
	"fsa/loss"
	"fsa/prior"
)

// Parts holds all that another device needs to compute the same sums, before any group is dropped.
type Parts struct {
	X             matrix.Matrix
	Owned         bool      // nobody else needs X afterwards
	Scale, Offset []float64 // scale and offset of the columns of X; a nil offset is 0
	Columns       []int     // columns of X, group after group
	First         []int     // beginning of each group in Columns, and the number of columns; nil if each group has one
	Loss          loss.Loss
	Y, Weight     []float64 // target and weight of the rows of X; a nil weight is 1
	Ridge         float64
	Penalty       []float64  // further ridge on categories, for each column of X; nil for none
	Curve         prior.Sum  // priors on the values at the knots of each curve; nil for none
	Knots         int        // number of knots of a curve, if there are priors on curves
	Curved        []bool     // for each column of X, whether a curve begins there, if there are priors on curves
	Free          int        // number of coefficients outside of groups: the number of outputs, or 0
	Batches       [][][2]int // runs of rows of each batch
	Final         int        // number of groups to keep; once no more are left there is one batch
	Meter         *Meter
}

// Ridged returns an error if there are other priors than ridges.
func (p *Parts) Ridged() error {
	if p.Curve != nil {
		return errors.New("curves are smoothed")
	}
	return nil
}

// Groups returns the number of groups.
func (p *Parts) Groups() int {
	if p.First == nil {
		return len(p.Columns)
	}
	return len(p.First) - 1
}

// Span returns the range of the columns of group j in Columns.
func (p *Parts) Span(j int) (lo, hi int) {
	switch {
	case p.First == nil:
		return j, j + 1
	case j == len(p.First)-1: // after the last group
		return p.First[j], p.First[j]
	}
	return p.First[j], p.First[j+1]
}

// Numbers returns an error if not every variable is a number.
func (ob *Objective) Numbers() error {
	if ob.numbers < matrix.Variables(ob.x) {
		return errors.New("variables have categories")
	}
	return nil
}

// Parts returns the parts of an objective, and an error if its rows do not count for themselves alone.
func (ob *Objective) Parts() (Parts, error) {
	switch {
	case ob.rows.offset != nil:
		return Parts{}, errors.New("rows have offsets")
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
	if ob.bins > 0 && len(ob.curve) > 0 {
		_, cols := ob.x.Dims()
		p.Curve, p.Knots, p.Curved = ob.curve, ob.bins+1, make([]bool, cols)
		for v := range ob.numbers {
			lo, _ := ob.columns.of(v)
			p.Curved[lo] = true
		}
	}
	if ob.category != nil {
		_, cols := ob.x.Dims()
		p.Penalty = make([]float64, cols)
		for v := ob.numbers; v < len(ob.columns)-1; v++ {
			for lo, hi := ob.columns.of(v); lo < hi; lo++ {
				p.Penalty[lo] = ob.categoryPrior(v, lo).Lambda
			}
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
