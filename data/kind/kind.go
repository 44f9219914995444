// Package kind tells what the cells of a column are: numbers, however they are written,
// dates, times of day, booleans or categories. A kind is decided once, from the first
// rows; it then stands in the schema of a table and in a model, so that new rows are
// read as those were that the model learned from.
//
// A kind is a file and a line in the table of rules.
package kind

import (
	"fmt"
	"slices"
	"strings"
)

// Name is the name of a kind.
type Name string

// The kinds.
const (
	Number   Name = "number"
	Date     Name = "date"
	Time     Name = "time" // of day
	Boolean  Name = "boolean"
	Category Name = "category"
)

// Column is what was decided about a column. The zero value is a plain number.
type Column struct {
	Kind Name `json:"kind"`
	// Layout is how cells are written: that of a number is how 1234.5 would be, that of
	// a date or time is one of package time, that of a boolean is the text that stands
	// for true and the one for false.
	Layout string `json:"layout,omitempty"`
	// Missing lists texts that were found among numbers and stand for missing ones.
	Missing []string `json:"missing,omitempty"`
	// Why says what spoke for the kind.
	Why string `json:"-"`

	decimal byte // mark of a number, where its cells tell; else 0
}

// Plain reports that the cells are numbers as programs write them, or texts as they are:
// then nothing has to be known to read them.
func (c Column) Plain() bool { return c.Layout == "" && len(c.Missing) == 0 }

// Text reports that cells stay texts.
func (c Column) Text() bool { return c.Kind == Category || c.Kind == Boolean }

// Hints are what a user says of all columns of a table, or what its other columns tell.
type Hints struct {
	// Decimal is the decimal mark, '.' or ','; 0 if nothing says.
	Decimal byte
	// Thousands is the mark between thousands; empty if nothing says, "none" for no mark.
	Thousands string
	// DateOrder is dmy or mdy; empty if nothing says.
	DateOrder string
}

// Check refuses hints that make no sense.
func (h *Hints) Check() error {
	switch {
	case h.Decimal != 0 && h.Decimal != '.' && h.Decimal != ',':
		return fmt.Errorf("the decimal mark is %q: it must be . or ,", h.Decimal)
	case !slices.Contains(thousandsMarks, h.Thousands):
		return fmt.Errorf("the mark between thousands is %q: it must be one of . , ' _ a blank, or none", h.Thousands)
	case h.Decimal != 0 && h.Thousands == string(h.Decimal):
		return fmt.Errorf("the decimal mark and that between thousands are both %q", h.Thousands)
	case h.DateOrder != "" && h.DateOrder != "dmy" && h.DateOrder != "mdy":
		return fmt.Errorf("the order of dates is %q: it must be dmy or mdy", h.DateOrder)
	}
	return nil
}

// Doubt says that cells can be read in several ways, or in none although they look like
// numbers. Its message names what would decide.
type Doubt struct {
	Cell string // one that is in doubt
	Msg  string
}

func (d *Doubt) Error() string { return d.Msg }

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
