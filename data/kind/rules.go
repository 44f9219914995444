package kind

import (
	"fmt"
	"slices"
	"strings"
)

// rule is a kind.
type rule struct {
	name Name
	// layouts lists those by which all cells can be read. None means that the cells are
	// of another kind, and several that they may be different numbers in each.
	layouts func(cells []string, h *Hints) []string
	// parse reads a cell by a layout; nil where cells stay texts.
	parse func(layout, cell string) (float64, bool)
	show  func(x float64) string // of a number, for a person
	cure  string                 // what decides between layouts
	parts []Part                 // what a number is taken apart into
}

// rules lists kinds in the order in which they are tried.
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

// Check refuses a column that nobody could have decided on.
func (c Column) Check() error {
	r := c.Kind.rule()
	switch {
	case c.Kind == Category || c.Kind == Number && c.Layout == "":
		return nil
	case r == nil:
		return fmt.Errorf("unknown kind %q", c.Kind)
	case c.Kind == Boolean:
		if _, _, ok := cutBoolean(c.Layout); !ok {
			return fmt.Errorf("%q is no layout of a boolean", c.Layout)
		}
	case c.Kind == Number && !slices.Contains(numberForms, c.Layout):
		return fmt.Errorf("%q is no layout of a number", c.Layout)
	}
	return nil
}

// Parser returns what reads the cells of a column that become numbers.
func (c Column) Parser() func(cell string) (float64, bool) {
	parse := c.Kind.rule().parse
	return func(cell string) (float64, bool) { return parse(c.Layout, cell) }
}

// Show writes a number of a column for a person.
func (c Column) Show(x float64) string {
	if c.Kind == Date && !strings.Contains(c.Layout, ":") {
		return showDay(x)
	}
	if r := c.Kind.rule(); r != nil && r.show != nil {
		return r.show(x)
	}
	return showNumber(x)
}

// Parts returns what numbers of a column are taken apart into; nil for most kinds.
func (c Column) Parts() []Part {
	if r := c.Kind.rule(); r != nil {
		return r.parts
	}
	return nil
}

// PartOf returns the part of a name, which some kind has; nil if none does.
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
