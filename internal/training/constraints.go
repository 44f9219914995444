package training

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"fsa/data"
	"fsa/internal/search"
	"fsa/model"
)

// CheckConstraints checks constraints as far as possible without the data.
func CheckConstraints(list []model.Constraint) error {
	limits := map[string]search.Limit{}
	for _, c := range list {
		lower, upper := c.Range()
		switch {
		case !slices.Contains(model.ConstraintKinds(), c.Kind):
			return optionError("the constraint of %q is %q: it must be %s", c.Column, c.Kind, strings.Join(model.ConstraintKinds(), ", "))
		case c.Kind != model.Bounds && (c.Lower != nil || c.Upper != nil):
			return optionError("%s: only the kind bounds has bounds", c)
		case c.Levels != nil && (c.Column == model.AllColumns || !c.Ordering()):
			return optionError("%s: an order of categories is for one column that is increasing or decreasing", c)
		case c.Kind == model.Bounds && c.Lower == nil && c.Upper == nil:
			return optionError("the bounds of %q are missing: give a lower or an upper one, or both", c.Column)
		case !(lower <= upper) || math.IsInf(lower, 1) || math.IsInf(upper, -1):
			return optionError("%s: the lower bound must be a number that is not above the upper one", c)
		}
		l, known := limits[c.Column]
		if !known {
			l = search.Free
		}
		l, ok := l.And(limitOf(c))
		if !ok {
			return optionError("%s: no effect satisfies this and the other constraints of the column: leave one of them out, or drop the column", c)
		}
		limits[c.Column] = l
	}
	return nil
}

// limitOf returns the effects that a constraint allows.
func limitOf(c model.Constraint) search.Limit {
	l := search.Free
	if c.Coefficient() {
		l.Lower, l.Upper = c.Range()
	}
	switch c.Kind {
	case model.Increasing:
		l.Slope = 1
	case model.Decreasing:
		l.Slope = -1
	case model.Convex:
		l.Bend = 1
	case model.Concave:
		l.Bend = -1
	}
	return l
}

// limits converts the constraints to limits of the columns of a dataset; nil if there are none.
func (o *Options) limits(d *data.Dataset, r *model.Response) (*search.Limits, error) {
	if len(o.Constraints) == 0 {
		return nil, nil
	}
	if r.Learned.Outputs() > 1 {
		return nil, optionError("constraints are for models with one output, and the %s loss has several here: choose two classes or one quantile, or leave the constraints out", r.Name)
	}
	limits := &search.Limits{Of: map[int]search.Limit{}, Others: search.Free, Orders: map[int][]int{}, Unit: r.Unit()}
	for _, c := range o.Constraints {
		if c.Column == model.AllColumns {
			limits.Others, _ = limits.Others.And(limitOf(c))
		}
	}
	dates := datesOf(d)
	for column := range dates {
		limits.Of[column] = search.Free
	}
	for _, c := range o.Constraints {
		column := d.Lookup(c.Column)
		switch {
		case c.Column == model.AllColumns, d.Empty(c.Column):
			continue
		case column < 0:
			return nil, optionError("%s: there is no variable %q in %s", c, c.Column, d.Name)
		case dates[column]:
			return nil, optionError("%s: this column holds dates, which have several effects, and constraints are for numbers", c)
		case c.Levels != nil && !d.Columns[column].Text:
			return nil, optionError("%s: this column holds numbers, which have an order: leave the categories out, or read the column as texts, as with --categorical %s", c, c.Column)
		}
		l, known := limits.Of[column]
		if !known && !d.Columns[column].Text {
			l = limits.Others
		} else if !known {
			l = search.Free
		}
		l, ok := l.And(limitOf(c))
		if !ok {
			return nil, optionError("%s: no effect satisfies this and the constraints of all columns: leave one of them out, or drop the column", c)
		}
		if d.Columns[column].Text {
			order, err := orderOf(c, d.Categories(column))
			if err != nil {
				return nil, err
			}
			if other, found := limits.Orders[column]; found && !slices.Equal(other, order) {
				return nil, optionError("%s: another constraint of this column has another order of its categories: give one order", c)
			}
			limits.Orders[column] = order
		}
		if limits.Of[column] = l; (l.Lower > 0 || l.Upper < 0) && !o.forced(d, column) {
			return nil, optionError("%s: this excludes 0, the effect of a variable that is not selected: force the variable, too", c)
		}
	}
	return limits, nil
}

// orderOf returns the categories of a text from the lowest to the highest, by their numbers.
func orderOf(c model.Constraint, categories []string) ([]int, error) {
	order := make([]int, 0, len(categories))
	some := strings.Join(categories[:min(len(categories), 5)], ", ")
	switch {
	case !c.Ordering():
		return nil, optionError("%s: this column holds texts, whose constraints are increasing and decreasing", c)
	case c.Levels == nil:
		return nil, optionError("%s: this column holds texts (%s): give them from the lowest to the highest, as with --levels %s=low,mid,high", c, some, c.Column)
	}
	for _, name := range c.Levels {
		at := slices.Index(categories, name)
		if at < 0 {
			return nil, optionError("%s: the order names the category %q, but the column has %s: correct the order", c, name, some)
		}
		if slices.Contains(order, at) {
			return nil, optionError("%s: the order names the category %q twice", c, name)
		}
		order = append(order, at)
	}
	for i, name := range categories {
		if !slices.Contains(order, i) {
			return nil, optionError("%s: the order misses the category %q: add it, or leave its rows out", c, name)
		}
	}
	return order, nil
}

// Ordered gives constraints of texts the order of their categories, unless they have one: that of numbers, or that of the table.
// It returns the dataset with the rare categories of these texts on their own, because merged ones have no place in an order.
func (o *Options) Ordered(d *data.Dataset) *data.Dataset {
	var texts []int
	o.Constraints = slices.Clone(o.Constraints)
	for i := range o.Constraints {
		c := &o.Constraints[i]
		if j := d.Lookup(c.Column); j >= 0 && c.Column != model.AllColumns && d.Columns[j].Text {
			if texts = append(texts, j); c.Levels == nil && c.Ordering() {
				c.Levels = ascending(d.Categories(j), d.Order(j))
			}
		}
	}
	if texts == nil {
		return d
	}
	return d.Separated(texts)
}

// ascending returns categories in the order of numbers, or in the given order; nil if they have none.
func ascending(categories, order []string) []string {
	at := map[string]float64{}
	for _, name := range categories {
		if v, err := strconv.ParseFloat(name, 64); err == nil && !math.IsNaN(v) {
			at[name] = v
		}
	}
	if len(at) == len(categories) {
		return slices.SortedFunc(maps.Keys(at), func(a, b string) int { return cmp.Or(cmp.Compare(at[a], at[b]), cmp.Compare(a, b)) })
	}
	return slices.DeleteFunc(slices.Clone(order), func(name string) bool { return !slices.Contains(categories, name) })
}

// forced reports whether a column must be selected.
func (o *Options) forced(d *data.Dataset, column int) bool {
	return slices.ContainsFunc(o.Force, func(name string) bool { return d.Lookup(name) == column })
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
