package data

import (
	"context"
	"math"
	"slices"
)

// KnownOnly returns a reader that skips the rows whose target is missing, all of them if there are several, and the roles for that
// reader. skipped counts these rows.
func KnownOnly(r Reader, roles Roles) (_ Reader, _ Roles, skipped *int) {
	k := &known{Reader: r, skipped: new(int)}
	if v := roles.TargetVector; v != nil {
		k.y = v.Values
		lists := []**Vector{&roles.TargetVector, &roles.WeightVector, &roles.QueryVector, &roles.GroupVector, &roles.OffsetVector}
		for _, b := range roles.Beside() {
			lists = append(lists, b.Vector)
		}
		for _, list := range lists {
			if *list != nil && len((*list).Values) == len(k.y) {
				*list = (*list).without(k.y)
			}
		}
	} else if !r.Schema().Sparse {
		for _, ref := range append(slices.Clone(roles.Targets), roles.Target) {
			if j := r.Schema().FindColumn(ref); ref != "" && j >= 0 {
				k.targets = append(k.targets, j)
			}
		}
	}
	return k, roles, k.skipped
}

// without returns the values at the positions where the other list is not missing.
func (v *Vector) without(missing []float64) *Vector {
	to := &Vector{Name: v.Name, Column: v.Column, Categories: v.Categories}
	for i, y := range missing {
		if y == y {
			to.Values = append(to.Values, v.Values[i])
		}
	}
	return to
}

type known struct {
	Reader
	targets []int     // columns of the responses
	y       []float64 // response that is not a column of the table
	row     int
	skipped *int
}

// HasLabels reports whether the table has labels.
func (k *known) HasLabels() bool {
	l, ok := k.Reader.(interface{ HasLabels() bool })
	return ok && l.HasLabels()
}

// Next implements [Reader].
func (k *known) Next(ctx context.Context) (*Block, error) {
	for {
		b, err := k.Reader.Next(ctx)
		if err != nil {
			return nil, err
		}
		keep := make([]int, 0, b.Rows)
		width := k.Schema().Width
		for i := range b.Rows {
			y := 0.0
			switch {
			case k.targets != nil:
				y = math.NaN()
				for _, j := range k.targets {
					if v := b.Dense[i*width+j]; v == v {
						y = v
					}
				}
			case k.row+i < len(k.y):
				y = k.y[k.row+i]
			case k.y == nil && b.Label != nil:
				y = b.Label[i]
			}
			if !math.IsNaN(y) {
				keep = append(keep, i)
			}
		}
		k.row += b.Rows
		*k.skipped += b.Rows - len(keep)
		switch len(keep) {
		case b.Rows:
			return b, nil
		case 0:
			continue
		}
		return b.pick(keep, width), nil
	}
}

// pick returns the given rows of a block.
func (b *Block) pick(rows []int, width int) *Block {
	to := &Block{Rows: len(rows)}
	if b.Start != nil {
		to.Start = []int{0}
	}
	for _, i := range rows {
		if b.Line > 0 || b.Lines != nil {
			to.Lines = append(to.Lines, b.LineOf(i))
		}
		if b.Start != nil {
			to.Index = append(to.Index, b.Index[b.Start[i]:b.Start[i+1]]...)
			to.Value = append(to.Value, b.Value[b.Start[i]:b.Start[i+1]]...)
			to.Start = append(to.Start, len(to.Index))
		} else {
			to.Dense = append(to.Dense, b.Dense[i*width:(i+1)*width]...)
		}
		if b.Label != nil {
			to.Label = append(to.Label, b.Label[i])
		}
		if b.Query != nil {
			to.Query = append(to.Query, b.Query[i])
		}
	}
	to.Lines = slices.Clip(to.Lines)
	return to
}
