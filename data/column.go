package data

import (
	"math"
	"slices"
)

// Column is a variable of a dataset. A dataset may have millions of them, so the fields are
// ordered to take little memory.
type Column struct {
	// Index is the position of the column in the input, counted from 0.
	Index int
	// Mean, SD, Min and Max describe the numbers of the column in the units of the input. Missing
	// values and rows of weight 0 are ignored. Mean and SD are weighted. The SD of a text is the
	// square root of the summed variances of its categories. An SD of 0 means that the variable
	// does not vary.
	Mean, SD, Min, Max float64
	// Missing is the number of missing values.
	Missing uint32

	// Text says that the variable is categorical.
	Text bool
	// Left says that the column is left out by default; see [Dataset.LeftOut].
	Left bool
	part uint8 // the part of the column; see [Dataset.Part]

	// A number x is stored as (x−shift)·2^−exponent, so that a float32 keeps its significant
	// digits.
	shifted bool // the shift has been chosen
	power
	shift float64
}

// placesOf returns, for each column, its index among the numbers or among the texts. It returns nil
// if all columns are numbers.
func placesOf(columns []Column) []int {
	if !slices.ContainsFunc(columns, func(c Column) bool { return c.Text }) {
		return nil
	}
	places := make([]int, len(columns))
	numbers, texts := 0, 0
	for j := range columns {
		if columns[j].Text {
			places[j] = texts
			texts++
		} else {
			places[j] = numbers
			numbers++
		}
	}
	return places
}

// value returns the input number that is stored as v.
func (c *Column) value(v float64) float64 {
	x := c.shift + c.ofUnits(v)
	// The largest numbers may have been rounded up to infinity.
	return min(max(x, -math.MaxFloat64), math.MaxFloat64)
}

// store returns the stored form of the input number v.
func (c *Column) store(v float64) float32 { return c.power.store(v - c.shift) }

// stored returns the stored form of an input number, without rounding.
func (c *Column) stored(x float64) float64 { return c.inUnits(x - c.shift) }
