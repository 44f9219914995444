package rds

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"fsa/data"
	"fsa/internal/format/rowwise"
)

// na is R's missing whole number, and here also the number of a missing text.
const na = math.MinInt32

// value is an object of R.
type value struct {
	kind       int
	name       string    // of a symbol, or a text alone
	ints       []int32   // whole numbers, truth values, or the numbers of texts in words
	reals      []float64 // numbers
	words      []string  // different texts
	list       []*value
	pairs      []attribute
	attributes []attribute
}

// attribute is a value with a name.
type attribute struct {
	name  string
	value *value
}

// attribute returns an attribute, or an empty value.
func (v *value) attribute(name string) *value {
	if i := slices.IndexFunc(v.attributes, func(a attribute) bool { return a.name == name }); i >= 0 {
		return v.attributes[i].value
	}
	return &value{kind: nilItem}
}

// strings returns texts; a missing one is empty.
func (v *value) strings() []string {
	if v.kind != stringItem {
		return nil
	}
	list := make([]string, len(v.ints))
	for i, code := range v.ints {
		if code != na {
			list[i] = v.words[code]
		}
	}
	return list
}

// is reports whether an object has a class.
func (v *value) is(class string) bool { return slices.Contains(v.attribute("class").strings(), class) }

// named returns the objects of a file of save, or the elements of a plain list that have names.
func (v *value) named() []attribute {
	switch {
	case v.kind == pairsItem:
		return v.pairs
	case len(v.attribute("class").strings()) > 0:
		return nil
	}
	names := v.attribute("names").strings()
	var list []attribute
	for i, element := range v.list {
		if i < len(names) && names[i] != "" {
			list = append(list, attribute{names[i], element})
		}
	}
	return list
}

// isTable reports whether an object is a data frame or a matrix of cells.
func isTable(v *value) bool {
	return v.kind == listItem && v.is("data.frame") || isMatrix(v)
}

func isMatrix(v *value) bool {
	return slices.Contains([]int{logicalItem, integerItem, realItem, stringItem}, v.kind) && len(v.attribute("dim").ints) == 2
}

// describe says what an object is.
func (v *value) describe() string {
	if class := v.attribute("class").strings(); len(class) > 0 {
		return fmt.Sprintf("an object of the class %q", class[0])
	}
	switch v.kind {
	case listItem:
		return "a list without a table"
	case pairsItem:
		var names []string
		for _, o := range v.pairs {
			names = append(names, o.name)
		}
		return "a file of " + strings.Join(names, ", ")
	case logicalItem, integerItem, realItem, stringItem:
		return "a vector"
	}
	return "another object"
}

// column is a column of a table.
type column struct {
	name   string
	named  bool
	value  *value
	first  int // element of the first row
	words  []string
	write  func(c *column, row *rowwise.Row, i int) error // adds the cell of a row; nil for columns that are not cells
	reason string                                         // why write is nil
}

// columnsOf returns the columns of a table and the number of its rows.
func columnsOf(table *value, file string) (columns []column, rows int, err error) {
	if isMatrix(table) {
		return matrix(table, file)
	}
	names := table.attribute("names").strings()
	if len(names) != len(table.list) {
		return nil, 0, &data.Error{File: file, Msg: fmt.Sprintf("the file of R is damaged: the data frame has %d columns and %d names", len(table.list), len(names))}
	}
	for j, v := range table.list {
		c := column{name: names[j], named: true, value: v}
		if dim := v.attribute("dim").ints; len(dim) == 2 && dim[1] != 1 {
			c.reason = fmt.Sprintf("the column is a matrix of %d columns", dim[1])
		} else {
			c.decide()
		}
		if c.write != nil {
			if rows == 0 {
				rows = c.size()
			}
			if c.size() != rows {
				return nil, 0, &data.Error{File: file, Column: c.name, Msg: fmt.Sprintf("the file of R is damaged: the column has %d rows, and others have %d", c.size(), rows)}
			}
		}
		columns = append(columns, c)
	}
	return columns, rows, nil
}

// matrix returns the columns of a matrix.
func matrix(table *value, file string) (columns []column, rows int, err error) {
	dim := table.attribute("dim").ints
	rows, width := int(dim[0]), int(dim[1])
	cells := column{value: table}
	if rows < 0 || width < 0 || rows*width != cells.size() {
		return nil, 0, &data.Error{File: file, Msg: fmt.Sprintf("the file of R is damaged: a matrix of %d×%d has %d cells", rows, width, cells.size())}
	}
	var names []string
	if both := table.attribute("dimnames"); len(both.list) == 2 {
		names = both.list[1].strings()
	}
	for j := range width {
		c := column{value: table, first: j * rows}
		if len(names) == width {
			c.name, c.named = names[j], true
		}
		c.decide()
		columns = append(columns, c)
	}
	return columns, rows, nil
}

// size returns the number of elements.
func (c *column) size() int { return max(len(c.value.ints), len(c.value.reals)) }

// decide chooses how cells are written.
func (c *column) decide() {
	v := c.value
	c.words = v.words
	switch {
	case v.kind == integerItem && v.is("factor"):
		c.words, c.write = v.attribute("levels").strings(), level
	case v.kind == integerItem || v.kind == realItem:
		c.write = number
		for class, write := range map[string]func(*column, *rowwise.Row, int) error{"Date": date, "POSIXct": moment, "integer64": long} {
			if v.is(class) {
				c.write = write
			}
		}
	case v.kind == logicalItem:
		c.write = truth
	case v.kind == stringItem:
		c.write = text
	default:
		c.reason = "its cells are not single values: it is " + v.describe()
	}
}

// missing writes a missing cell.
func missing(_ *column, row *rowwise.Row, _ int) error {
	row.Missing()
	return nil
}

// at returns a number, NaN if it is missing.
func (c *column) at(i int) float64 {
	if c.value.reals != nil {
		return c.value.reals[c.first+i]
	}
	if v := c.value.ints[c.first+i]; v != na {
		return float64(v)
	}
	return math.NaN()
}

func number(c *column, row *rowwise.Row, i int) error {
	row.Float(c.at(i))
	return nil
}

// long writes a whole number of 64 bits, whose bits package bit64 stores in those of a float64.
func long(c *column, row *rowwise.Row, i int) error {
	if c.value.reals == nil {
		return number(c, row, i)
	}
	if v := int64(math.Float64bits(c.value.reals[c.first+i])); v != math.MinInt64 {
		row.Int(v)
		return nil
	}
	return missing(c, row, i)
}

// truth writes a truth value as R does.
func truth(c *column, row *rowwise.Row, i int) error {
	switch c.value.ints[c.first+i] {
	case na:
		return missing(c, row, i)
	case 0:
		row.Plain([]byte("FALSE"))
	default:
		row.Plain([]byte("TRUE"))
	}
	return nil
}

func text(c *column, row *rowwise.Row, i int) error {
	code := c.value.ints[c.first+i]
	if code == na {
		return missing(c, row, i)
	}
	row.Text([]byte(c.words[code]))
	return nil
}

// level writes the text of a factor.
func level(c *column, row *rowwise.Row, i int) error {
	code := c.value.ints[c.first+i]
	switch {
	case code == na:
		return missing(c, row, i)
	case code < 1 || int(code) > len(c.words):
		return fmt.Errorf("the file of R is damaged: level %d of a factor with %d levels", code, len(c.words))
	}
	row.Text([]byte(c.words[code-1]))
	return nil
}

func date(c *column, row *rowwise.Row, i int) error {
	return when(c, row, i, 86400, "2006-01-02")
}

func moment(c *column, row *rowwise.Row, i int) error {
	return when(c, row, i, 1, "2006-01-02 15:04:05")
}

// when writes a moment in UTC, counted from 1970 in units of the given number of seconds.
func when(c *column, row *rowwise.Row, i, unit int, layout string) error {
	v := c.at(i)
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return missing(c, row, i)
	}
	at := time.Unix(int64(math.Floor(v))*int64(unit), 0).UTC()
	if math.Abs(v)*float64(unit) > 1e12 || at.Year() < 0 || at.Year() > 9999 {
		return errors.New("the date is not in the years 0 to 9999")
	}
	row.Plain(at.AppendFormat(nil, layout))
	return nil
}
