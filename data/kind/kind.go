// Package kind decides what the cells of a column are: numbers in any notation, dates, times of
// day, booleans or categories. The decision is based on the first rows. The kind is then stored in
// the schema of the table and in the model, so that new rows are read like the training rows.
//
// A new kind needs a file and a line in the table of rules.
package kind

import (
	"fmt"
	"slices"
)

// Name is the name of a kind.
type Name string

// The kinds.
const (
	Number   Name = "number"
	Date     Name = "date"
	Time     Name = "time" // time of day
	Boolean  Name = "boolean"
	Category Name = "category"
)

// Column is the kind of a column and how its cells are written. The zero value is a plain
// number.
type Column struct {
	Kind Name `json:"kind"`
	// Layout is how cells are written. For a number, it is how 1234.5 would be written; for a date
	// or time, a layout of package time; for a boolean, the text for true and the text for false.
	Layout string `json:"layout,omitempty"`
	// Missing lists texts that occur among numbers and mean a missing value.
	Missing []string `json:"missing,omitempty"`
	// Why is the reason for the kind.
	Why string `json:"-"`

	decimal byte // decimal mark of a number, if its cells determine it; otherwise 0
}

// Plain reports whether the cells are plain numbers or plain texts, which can be read without
// further information.
func (c Column) Plain() bool { return c.Layout == "" && len(c.Missing) == 0 }

// Text reports whether the cells stay texts.
func (c Column) Text() bool { return c.Kind == Category || c.Kind == Boolean }

// Hints say how the numbers and dates of a table are written. They are given by the user or
// inferred from other columns.
type Hints struct {
	// Decimal is the decimal mark, '.' or ','; 0 if it is unknown.
	Decimal byte
	// Thousands is the mark between thousands; empty if it is unknown, "none" if there is no mark.
	Thousands string
	// DateOrder is dmy or mdy; empty if it is unknown.
	DateOrder string
}

// thousandsMarks are the valid values of Thousands.
var thousandsMarks = []string{"", "none", ".", ",", " ", "'", "_"}

// Check returns an error if a hint is invalid.
func (h *Hints) Check() error {
	switch {
	case h.Decimal != 0 && h.Decimal != '.' && h.Decimal != ',':
		return fmt.Errorf("the decimal mark is %q: it must be . or ,", h.Decimal)
	case !slices.Contains(thousandsMarks, h.Thousands):
		return fmt.Errorf("the thousands mark is %q: it must be one of . , ' _ a blank, or none", h.Thousands)
	case h.Decimal != 0 && h.Thousands == string(h.Decimal):
		return fmt.Errorf("the decimal mark and the thousands mark are both %q", h.Thousands)
	case h.DateOrder != "" && h.DateOrder != "dmy" && h.DateOrder != "mdy":
		return fmt.Errorf("the order of dates is %q: it must be dmy or mdy", h.DateOrder)
	}
	return nil
}

// Doubt is the error for cells that can be read in several ways, or that look like numbers but
// cannot be read. The message names the flags that resolve it.
type Doubt struct {
	Cell string // an ambiguous cell
	Msg  string
}

func (d *Doubt) Error() string { return d.Msg }
