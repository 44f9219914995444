package fsa

import (
	"math"
	"slices"
	"strings"

	"fsa/data"
	"fsa/internal/plan"
	"fsa/internal/search"
	"fsa/model"
)

// checkConstraints checks the constraints as far as possible without the data.
func (o *Options) checkConstraints() error {
	list := o.Objective.Constraints
	if len(list) == 0 {
		return nil
	}
	limits := map[string]search.Limit{}
	for _, c := range list {
		lower, upper := c.Range()
		switch {
		case !slices.Contains(model.ConstraintKinds(), c.Kind):
			return optionError("the constraint of %q is %q: it must be %s", c.Column, c.Kind, strings.Join(model.ConstraintKinds(), ", "))
		case c.Kind != model.Bounds && (c.Lower != nil || c.Upper != nil):
			return optionError("%s: only the kind bounds has bounds", c)
		case c.Kind == model.Bounds && c.Lower == nil && c.Upper == nil:
			return optionError("the bounds of %q are missing: give a lower or an upper one, or both", c.Column)
		case !(lower <= upper) || math.IsInf(lower, 1) || math.IsInf(upper, -1):
			return optionError("%s: the lower bound must be a number that is not above the upper one", c)
		case c.Coefficient() && o.Bins > 0:
			return optionError("%s: this is for the coefficient of a straight line, and bins asks for curves: use increasing or decreasing, or leave bins out", c)
		}
		l, known := limits[c.Column]
		if !known {
			l = search.Free
		}
		l, ok := both(l, c)
		if !ok {
			return optionError("%s: no effect satisfies this and the other constraints of the column", c)
		}
		limits[c.Column] = l
	}
	switch {
	case len(o.Objective.CurvePriors) > 0:
		return optionError("constraints do not work together with priors on curves: leave one of them out")
	case o.Validation.Calibrate && slices.ContainsFunc(list, func(c Constraint) bool { return c.Kind == model.Bounds }):
		return optionError("calibration multiplies coefficients, which would move them out of their bounds: leave out the bounds or the calibration")
	case o.Run.Device != "" && o.Run.Device != DeviceCPU && o.Run.Device != DeviceAuto:
		return optionError("device %s does not keep constraints: use the CPU", o.Run.Device)
	}
	return nil
}

// both returns a limit with one more constraint. It returns false if only the zero effect, or none, is left.
func both(l search.Limit, c Constraint) (search.Limit, bool) {
	lower, upper := c.Range()
	if c.Coefficient() {
		l.Lower, l.Upper = max(l.Lower, lower), min(l.Upper, upper)
	}
	slope := map[string]int{model.Increasing: 1, model.Decreasing: -1}[c.Kind]
	bend := map[string]int{model.Convex: 1, model.Concave: -1}[c.Kind]
	ok := l.Slope*slope >= 0 && l.Bend*bend >= 0
	if slope != 0 {
		l.Slope = slope
	}
	if bend != 0 {
		l.Bend = bend
	}
	lower, upper = l.Lower, l.Upper
	switch l.Slope {
	case 1:
		lower = max(lower, 0)
	case -1:
		upper = min(upper, 0)
	}
	return l, ok && lower <= upper
}

// limits converts the constraints to limits of the columns of a dataset; nil if there are none.
func (j *Job) limits() (*search.Limits, error) {
	list, d, r := j.options.Objective.Constraints, j.data, j.response
	if len(list) == 0 {
		return nil, nil
	}
	if r.Learned.Outputs() > 1 {
		return nil, optionError("constraints are for models with one output, and the %s loss has several here: choose two classes or one quantile, or leave the constraints out", r.Name)
	}
	limits := &search.Limits{Of: map[int]search.Limit{}, Others: search.Free, Unit: r.Unit()}
	for _, c := range list {
		if c.Column == model.AllColumns {
			limits.Others, _ = both(limits.Others, c)
		}
	}
	dates := datesOf(d)
	for column := range dates {
		limits.Of[column] = search.Free
	}
	for _, c := range list {
		column := d.Lookup(c.Column)
		switch {
		case c.Column == model.AllColumns, d.Empty(c.Column):
			continue
		case column < 0:
			return nil, optionError("%s: there is no variable %q in %s", c, c.Column, d.Name)
		case d.Columns[column].Text:
			return nil, optionError("%s: this column holds texts, and constraints are for numbers", c)
		case dates[column]:
			return nil, optionError("%s: this column holds dates, which have several effects, and constraints are for numbers", c)
		}
		l, known := limits.Of[column]
		if !known {
			l = limits.Others
		}
		l, ok := both(l, c)
		if !ok {
			return nil, optionError("%s: no effect satisfies this and the constraints of all columns", c)
		}
		if limits.Of[column] = l; (l.Lower > 0 || l.Upper < 0) && !j.forced(column) {
			return nil, optionError("%s: this excludes 0, the effect of a variable that is not selected: force the variable, too", c)
		}
	}
	return limits, nil
}

// forced reports whether a column must be selected.
func (j *Job) forced(column int) bool {
	return slices.ContainsFunc(j.options.Selection.Force, func(name string) bool { return j.data.Lookup(name) == column })
}

// datesOf returns the columns that have parts besides the indicator of missing values.
func datesOf(d *data.Dataset) map[int]bool {
	dates := map[int]bool{}
	parts := d.Parts()
	for j := range d.Columns {
		if d.Part(j) != "" {
			break
		}
		for _, part := range parts[d.Columns[j].Index] {
			if d.Part(part) != data.MissingPart {
				dates[j] = true
			}
		}
	}
	return dates
}

// constrained returns what a plan needs to know about the constraints.
func (o *Options) constrained() (c plan.Constrained) {
	for i, of := range o.Objective.Constraints {
		if i > 0 {
			c.What += ", "
		}
		const named = 5 // number of constraints that are named
		if i == named {
			c.What += "and others"
		}
		if i < named {
			c.What += of.String()
		}
		c.Lines = c.Lines || of.Coefficient()
	}
	return c
}
