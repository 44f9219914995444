package data

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Collector collects the target, weights, queries and groups from blocks of rows.
type Collector struct {
	name   string
	schema *Schema
	roles  Roles
	rows   int

	resolved                             bool
	taken                                map[int]bool // columns that are not variables
	target, weight, query, group, offset int          // columns, or −1
	others                               []Beside
	beside                               besideColumns
	targets                              []int       // columns of several targets,
	several                              [][]float64 // and what they hold

	labels, weights, groups, offsets []float64
	ids                              []int64
}

// NewCollector returns a collector for tables of the given schema, which may grow as blocks are
// added.
func NewCollector(name string, s *Schema, roles Roles) *Collector {
	c := &Collector{name: name, schema: s, roles: roles, taken: map[int]bool{}}
	c.others = c.roles.Beside()
	c.beside.lists = make([][]float64, len(c.others))
	return c
}

// Check returns an error if a column with a role does not exist or has two roles. It is called
// before the first block.
func (c *Collector) Check() error {
	if c.resolved {
		return nil
	}
	return c.resolve()
}

// resolve finds the columns that have a role.
func (c *Collector) resolve() error {
	var errs [5]error
	c.target, errs[0] = c.find(c.roles.Target, "target")
	c.weight, errs[1] = c.find(c.roles.Weight, "weights")
	c.query, errs[2] = c.find(c.roles.Query, "queries")
	c.group, errs[3] = c.find(c.roles.Group, "groups of rows")
	c.offset, errs[4] = c.find(c.roles.Offset, c.roles.offsetWord())
	if _, text := c.schema.Categories[c.offset]; text {
		errs[4] = &Error{File: c.name, Column: c.schema.Name(c.offset), Msg: "the column holds text, but offsets must be numbers"}
	}
	if _, text := c.schema.Categories[c.weight]; text {
		errs[1] = &Error{File: c.name, Column: c.schema.Name(c.weight), Msg: "the column holds text, but weights must be numbers"}
	}
	err := errors.Join(append(errs[:], c.findTargets())...)
	c.beside.columns = nil
	for _, role := range c.others {
		j, e := c.find(*role.Column, role.Plural)
		c.beside.columns, err = append(c.beside.columns, j), errors.Join(err, e)
	}
	for _, ref := range c.roles.Drop {
		if _, e := c.find(ref, "columns to drop"); e != nil {
			err = errors.Join(err, e)
		}
		for _, j := range c.schema.FindColumns(ref) {
			c.taken[j] = true
		}
	}
	c.resolved = err == nil
	return err
}

func (c *Collector) find(ref, role string) (int, error) {
	if ref == "" {
		return -1, nil
	}
	j := c.schema.FindColumn(ref)
	if j < 0 || c.schema.Sparse {
		return -1, &Error{File: c.name, Msg: fmt.Sprintf("there is no column %q for the %s; %s", ref, role, c.schema.Suggest(ref))}
	}
	if c.taken[j] {
		return -1, &Error{File: c.name, Msg: fmt.Sprintf("column %q cannot have two roles", ref)}
	}
	c.taken[j] = true
	return j, nil
}

// unique returns an error if two variables have the same name, or a name is not valid UTF-8.
func (s *Schema) unique(taken map[int]bool) *Error {
	seen := make(map[string]int, len(s.Names))
	var twice []string
	for j, name := range s.Names {
		if taken[j] {
			continue
		}
		if !utf8.ValidString(name) { // it could not be saved in a model
			return &Error{Column: strconv.Quote(name), Msg: "the name is not UTF-8: rename the column, or save the table in UTF-8"}
		}
		if seen[name]++; seen[name] == 2 {
			twice = append(twice, name)
		}
	}
	switch {
	case len(twice) == 1:
		return &Error{Column: twice[0], Msg: "two columns have this name: rename one, or drop them"}
	case len(twice) > 1:
		return &Error{Msg: fmt.Sprintf("several columns share each of the names %s: rename them, or drop them", quoted(twice[:min(len(twice), 8)]))}
	}
	return nil
}

// List returns the names of the columns for a message. If there are many, it returns their number
// and the first names.
func (s *Schema) List() string {
	switch {
	case s.Sparse:
		return "all columns of a sparse table are variables: give a file"
	case s.Width == 1:
		return "the table has only one column, number 0; in a text table, cells are separated by commas, semicolons, tabs, | or blanks"
	case s.Names == nil:
		return fmt.Sprintf("columns are numbered from 0 to %d", s.Width-1)
	case len(s.Names) > 12:
		return fmt.Sprintf("the table has %d columns: %s and so on", len(s.Names), quoted(s.Names[:8]))
	}
	return "the columns are " + quoted(s.Names)
}

// quoted returns the names in quotation marks, separated by commas.
func quoted(names []string) string {
	var list []string
	for _, name := range names {
		list = append(list, fmt.Sprintf("%.40q", name))
	}
	return strings.Join(list, ", ")
}

// Add collects the rows of a block.
func (c *Collector) Add(b *Block) error {
	if err := b.Check(c.schema); err != nil {
		return err
	}
	if err := c.Check(); err != nil {
		return err
	}
	if c.target < 0 {
		c.labels = append(c.labels, b.Label...)
	}
	if c.query < 0 {
		c.ids = append(c.ids, b.Query...)
	}
	if len(c.roles.Columns()) > 0 {
		for i := range b.Rows {
			if err := c.row(b.Dense[i*c.schema.Width : (i+1)*c.schema.Width]); err != nil {
				return c.place(b, i, err)
			}
		}
	}
	c.rows += b.Rows
	return nil
}

func (c *Collector) row(cells []float64) *Error {
	if c.target >= 0 {
		v := cells[c.target]
		if err := checkResponse(v); err != nil {
			err.Column = c.schema.Name(c.target)
			if words := c.schema.KindOf(c.target).Missing; math.IsNaN(v) && len(words) > 0 {
				err.Msg = fmt.Sprintf("the target is not a number or is missing; the column has %.40q among its numbers: correct such cells, or leave the rows out with --skip-missing-target", words[0])
			}
			return err
		}
		c.labels = append(c.labels, v)
	}
	if err := c.rowOfTargets(cells); err != nil {
		return err
	}
	if c.weight >= 0 {
		v := cells[c.weight]
		if err := checkWeight(v); err != nil {
			err.Column = c.schema.Name(c.weight)
			return err
		}
		c.weights = append(c.weights, v)
	}
	if c.query >= 0 {
		v := cells[c.query]
		if err := checkQuery(v); err != nil {
			err.Column = c.schema.Name(c.query)
			return err
		}
		c.ids = append(c.ids, int64(v))
	}
	if c.group >= 0 {
		v := cells[c.group]
		if err := checkGroup(v); err != nil {
			err.Column = c.schema.Name(c.group)
			return err
		}
		c.groups = append(c.groups, v)
	}
	if err := c.beside.row(c.schema, c.others, cells); err != nil {
		return err
	}
	if c.offset >= 0 {
		v, err := OffsetOf(cells[c.offset], c.roles.Exposure)
		if err != nil {
			err.Column = c.schema.Name(c.offset)
			return err
		}
		c.offsets = append(c.offsets, v)
	}
	return nil
}

// place adds the location of row i of a block to an error.
func (c *Collector) place(b *Block, i int, e *Error) error {
	e.File = c.name
	if e.Line = b.LineOf(i); e.Line == 0 {
		e.Row = c.rows + i + 1
	}
	return e
}

// Target returns the collected target, or nil if there is none.
func (c *Collector) Target() (*Target, error) {
	t := &Target{Y: c.labels, Weight: c.weights, Group: c.groups}
	if c.resolved && c.target >= 0 {
		t.Name, t.Categories = c.schema.Name(c.target), c.schema.Categories[c.target]
	}
	if c.resolved && c.weight >= 0 {
		t.WeightName = c.schema.Name(c.weight)
	}
	if c.resolved && c.offset >= 0 {
		t.OffsetName = c.schema.Name(c.offset)
	}
	t.Offset, t.Exposure = c.offsets, c.roles.Exposure
	if v := c.roles.OffsetVector; v != nil {
		var err error
		if t.Offset, err = c.roles.offsets(v); err != nil {
			return nil, err
		}
	}
	if err := c.check("offset", t.Offset, c.roles.OffsetVector, checkOffset); err != nil {
		return nil, err
	}
	if err := c.setBeside(t); err != nil {
		return nil, err
	}
	if c.resolved && c.query >= 0 {
		t.QueryName = c.schema.Name(c.query)
	}
	if v := c.roles.TargetVector; v != nil {
		t.Y, t.Categories = v.Values, v.Categories
		if v.Column {
			t.Name = v.Name
		}
	}
	if err := c.setTargets(t); err != nil {
		return nil, err
	}
	if err := c.check("response", t.Y, c.roles.TargetVector, checkResponse); err != nil {
		return nil, err
	}
	if v := c.roles.WeightVector; v != nil {
		if t.Weight = v.Values; v.Categories != nil {
			return nil, &Error{File: v.Name, Msg: "weights must be numbers"}
		}
	}
	if err := c.check("weight", t.Weight, c.roles.WeightVector, checkWeight); err != nil {
		return nil, err
	}
	if err := t.divide(c.name); err != nil {
		return nil, err
	}
	if len(t.Weight) > 0 && slices.Max(t.Weight) == 0 {
		return nil, &Error{File: c.name, Msg: "all weights are zero"}
	}
	t.Weight = rescaled(t.Weight)
	if c.resolved && c.group >= 0 {
		t.GroupName = c.schema.Name(c.group)
	}
	if v := c.roles.GroupVector; v != nil {
		t.Group = v.Values
	}
	if err := c.check("group", t.Group, c.roles.GroupVector, checkGroup); err != nil {
		return nil, err
	}
	ids := c.ids
	if v := c.roles.QueryVector; v != nil {
		if err := c.check("query", v.Values, v, checkQuery); err != nil {
			return nil, err
		}
		ids = nil
		for _, x := range v.Values {
			ids = append(ids, int64(x))
		}
	}
	if len(ids) > 0 {
		if len(ids) != c.rows {
			return nil, &Error{File: c.name, Msg: fmt.Sprintf("%d of %d rows have a query: either all rows or none must have one", len(ids), c.rows)}
		}
		var err *Error
		if t.Query, err = queries(ids); err != nil {
			err.File = c.name
			return nil, err
		}
	}
	if len(t.Y) == 0 && t.Weight == nil && t.Query == nil && t.Offset == nil {
		return nil, nil
	}
	return t, nil
}

// check returns an error unless a list has a valid number for every row.
func (c *Collector) check(what string, list []float64, from *Vector, good func(float64) *Error) error {
	file := c.name
	if from != nil {
		file = from.Name
	}
	if len(list) != c.rows && (len(list) > 0 || from != nil) {
		return &Error{File: file, Msg: fmt.Sprintf("there are %d numbers (one %s a row), but %s has %d rows", len(list), what, c.name, c.rows)}
	}
	for i, v := range list {
		if err := good(v); err != nil {
			err.File, err.Row = file, i+1
			return err
		}
	}
	return nil
}

// rescaled returns weights in another unit if their sums or products would overflow or underflow.
// Only the ratios of weights matter.
func rescaled(w []float64) []float64 {
	if len(w) == 0 {
		return nil
	}
	exponent := math.Ilogb(slices.Max(w))
	if max(exponent, -exponent) < 100 {
		return w
	}
	out := make([]float64, len(w))
	for i, v := range w {
		out[i] = math.Ldexp(v, -exponent)
	}
	return out
}
