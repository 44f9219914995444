package kind

import (
	"fmt"
	"slices"
	"strings"
)

// rule defines a kind.
type rule struct {
	name Name
	// layouts lists the layouts with which all cells can be read. If there are none, the cells are
	// of another kind. If there are several, the cells may have a different meaning in each.
	layouts func(cells []string, h *Hints) []string
	// parse reads a cell in a layout; nil if cells remain texts.
	parse func(layout, cell string) (float64, bool)
	show  func(x float64) string // formats a number for a person
	cure  string                 // flags that decide between layouts
	parts []Part                 // the parts of a number
}

// rules lists the kinds in the order in which they are tried.
var rules = []rule{
	{name: Boolean, layouts: booleanLayouts},
	{name: Date, layouts: dateLayouts, parse: parseDate, show: showDate, cure: "say which with --date-order dmy or --date-order mdy", parts: dateParts},
	{name: Time, layouts: timeLayouts, parse: parseTime, show: showTime, parts: timeParts},
	{name: Number, layouts: numberLayouts, parse: parseNumber, show: showNumber, cure: "say which with --decimal or --thousands"},
}

func (n Name) rule() *rule {
	i := slices.IndexFunc(rules, func(r rule) bool { return r.name == n })
	if i < 0 {
		return nil
	}
	return &rules[i]
}

// Check returns an error if the fields contradict each other.
func (c Column) Check() error {
	r := c.Kind.rule()
	switch {
	case c.Kind == Category || c.Kind == Number && c.Layout == "":
		return nil
	case r == nil:
		return fmt.Errorf("unknown kind %q", c.Kind)
	case c.Kind == Boolean:
		if _, _, ok := cutBoolean(c.Layout); !ok {
			return fmt.Errorf("%q is not a layout of a boolean", c.Layout)
		}
	case c.Kind == Number && !slices.Contains(numberForms, c.Layout):
		return fmt.Errorf("%q is not a layout of a number", c.Layout)
	}
	return nil
}

// Parser returns a function that reads the cells of a column of numbers, dates or times.
func (c Column) Parser() func(cell string) (float64, bool) {
	parse := c.Kind.rule().parse
	return func(cell string) (float64, bool) { return parse(c.Layout, cell) }
}

// Show formats a value of the column for a person.
func (c Column) Show(x float64) string {
	if c.Kind == Date && !strings.Contains(c.Layout, ":") {
		return showDay(x)
	}
	if r := c.Kind.rule(); r != nil && r.show != nil {
		return r.show(x)
	}
	return showNumber(x)
}

// Parts returns the categories that a column is split into, such as the month of a date; nil
// for most kinds.
func (c Column) Parts() []Part {
	if r := c.Kind.rule(); r != nil {
		return r.parts
	}
	return nil
}

// PartOf returns the part with the given name, or nil if no kind has it.
func PartOf(kind Name, name string) *Part {
	r := kind.rule()
	if r == nil {
		return nil
	}
	for i := range r.parts {
		if r.parts[i].Name == name {
			return &r.parts[i]
		}
	}
	return nil
}
