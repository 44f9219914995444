package data

import (
	"math"
	"slices"

	"fsa/internal/portable"
)

// Scale says how numbers are scaled.
type Scale string

const (
	// ScaleAuto means ScaleColumn for dense tables and ScaleRoot for sparse ones.
	ScaleAuto Scale = ""
	// ScaleColumn divides each column by its standard deviation.
	ScaleColumn Scale = "column"
	// ScaleCommon divides all columns by one number, the root mean square of
	// their standard deviations.
	ScaleCommon Scale = "common"
	// ScaleRoot divides each column by the geometric mean of both, and compares variables by the
	// standard deviation of their contribution. Rare variables are learned slowly, and variables
	// seen in a few rows do not get more weight. A column whose range is a hundred times that of
	// the others, such as a price among words, or a hundredth of it, is divided by its own standard
	// deviation.
	ScaleRoot Scale = "root"
	// ScaleNone does not change the numbers.
	ScaleNone Scale = "none"
)

// scales lists all scales.
var scales = []Scale{ScaleAuto, ScaleColumn, ScaleCommon, ScaleRoot, ScaleNone}

// autoScale is the name of the zero value for users.
const autoScale = "auto"

// ScaleNames lists the names of the scales.
func ScaleNames() []string { return names(scales, autoScale) }

// Known reports whether the scale is one of these.
func (s Scale) Known() bool { return slices.Contains(scales, s) }

// Plain returns the scale, or the zero value if s is its name for users.
func (s Scale) Plain() Scale { return unnamed(s, autoScale) }

// of returns the scale that is used for a table.
func (s Scale) of(d *Dataset) Scale {
	switch {
	case s != ScaleAuto:
		return s
	case d.Sparse():
		return ScaleRoot
	}
	return ScaleColumn
}

// scaling scales the numeric columns of a dataset.
type scaling struct {
	scale   Scale
	centred bool    // all numbers are centred
	span    float64 // geometric mean of the half ranges of the columns
	common  float64 // root mean square of the standard deviations; with ScaleRoot, without outlying columns
}

// newScaling computes the common statistics of the listed numbers.
func newScaling(d *Dataset, scale Scale, numbers []int) scaling {
	s := scaling{scale: scale, centred: !d.Sparse() && scale != ScaleNone}
	var logs, varying float64
	for _, j := range numbers {
		if d.Varies(j) {
			logs += math.Log(d.Columns[j].halfRange())
			varying++
		}
	}
	s.span = portable.Exp(logs / varying)
	counts := func(j int) bool { return d.Varies(j) && (scale != ScaleRoot || !s.outlying(&d.Columns[j])) }
	alike := 0
	for _, j := range numbers {
		if counts(j) {
			alike++
		}
	}
	root := math.Sqrt(float64(alike))
	for _, j := range numbers {
		if counts(j) {
			s.common = math.Hypot(s.common, d.Columns[j].SD/root)
		}
	}
	return s
}

// units returns the unit and the center of a column: a number x is scaled to (x−center)/unit.
func (s *scaling) units(c *Column) (unit, center float64) {
	unit = 1
	switch s.scale {
	case ScaleColumn:
		unit = c.SD
	case ScaleCommon:
		unit = s.common
	case ScaleRoot:
		if unit = c.SD; !s.outlying(c) {
			unit = math.Sqrt(c.SD) * math.Sqrt(s.common)
		}
	}
	if s.centred || s.scale == ScaleRoot && math.Abs(c.Mean) > c.SD { // hardly any of its numbers is zero
		center = c.Mean
	}
	return unit, center
}

// outlying reports whether a column has another unit than most: its range is more than a hundred
// times that of the others, or less than a hundredth of it.
func (s *scaling) outlying(c *Column) bool {
	const limit = 100.0
	ratio := c.halfRange() / s.span
	return ratio > limit || ratio < 1/limit
}

// halfRange returns half of the distance between the smallest and the largest number.
func (c *Column) halfRange() float64 { return c.Max/2 - c.Min/2 }
