package model

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Constraint limits the effect of a column.
type Constraint struct {
	// Column is the name of a column, or [AllColumns].
	Column string `json:"column"`
	// Kind is one of [ConstraintKinds].
	Kind string `json:"kind"`
	// Lower and Upper are the bounds of the kind "bounds"; nil means none.
	Lower *float64 `json:"lower,omitempty"`
	Upper *float64 `json:"upper,omitempty"`
	// Levels are the categories of a text from the lowest to the highest, for the kinds "increasing" and "decreasing". Nil means
	// that the column holds numbers, or texts that are numbers or whose order the table has; then the model has it.
	Levels []string `json:"levels,omitempty"`
}

// AllColumns is the Column of a constraint of all numbers. A column of this name can be given by its position.
const AllColumns = "all"

// The kinds of a constraint. The first three limit the coefficient of a line, the others the shape of a line or a curve.
const (
	Nonnegative = "nonnegative"
	Nonpositive = "nonpositive"
	Bounds      = "bounds"
	Increasing  = "increasing"
	Decreasing  = "decreasing"
	Convex      = "convex"
	Concave     = "concave"
)

// ConstraintKinds lists the kinds of a constraint.
func ConstraintKinds() []string {
	return []string{Nonnegative, Nonpositive, Bounds, Increasing, Decreasing, Convex, Concave}
}

// Coefficient reports whether the constraint is about the coefficient of a line.
func (c Constraint) Coefficient() bool {
	return c.Kind == Nonnegative || c.Kind == Nonpositive || c.Kind == Bounds
}

// Ordering reports whether the constraint is about an order, so that it is also for texts with ordered categories.
func (c Constraint) Ordering() bool { return c.Kind == Increasing || c.Kind == Decreasing }

// Range returns the bounds of the coefficient of a line; they are infinite where there are none.
func (c Constraint) Range() (lower, upper float64) {
	lower, upper = math.Inf(-1), math.Inf(1)
	switch c.Kind {
	case Nonnegative, Increasing:
		lower = 0
	case Nonpositive, Decreasing:
		upper = 0
	}
	if c.Lower != nil {
		lower = *c.Lower
	}
	if c.Upper != nil {
		upper = *c.Upper
	}
	return lower, upper
}

// String describes a constraint, such as "income nonnegative", "age between 0 and 2" or "grade increasing (low < high)".
func (c Constraint) String() string {
	switch {
	case c.Levels != nil:
		return c.Column + " " + c.Kind + " (" + strings.Join(c.Levels, " < ") + ")"
	case c.Kind != Bounds:
		return c.Column + " " + c.Kind
	case c.Lower == nil && c.Upper == nil:
		return c.Column + " unbounded"
	case c.Upper == nil:
		return c.Column + " at least " + digits(*c.Lower)
	case c.Lower == nil:
		return c.Column + " at most " + digits(*c.Upper)
	}
	return c.Column + " between " + digits(*c.Lower) + " and " + digits(*c.Upper)
}

func digits(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

// checkConstraints returns an error if the record of constraints in a file is damaged.
func (t *Training) checkConstraints() error {
	for i, c := range t.Constraints {
		if !slices.Contains(ConstraintKinds(), c.Kind) {
			return fmt.Errorf("constraint %d has the kind %q", i+1, c.Kind)
		}
		if lower, upper := c.Range(); !(lower <= upper) {
			return fmt.Errorf("constraint %d has the bounds %v and %v", i+1, lower, upper)
		}
		if len(c.Levels) > 0 && !c.Ordering() {
			return fmt.Errorf("constraint %d is %s and has levels", i+1, c.Kind)
		}
	}
	return nil
}
