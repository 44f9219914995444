// Package rds reads tables that R has saved with saveRDS or save: data frames and matrices. Cells are
// numbers, texts, truth values, factors, dates and moments; NA is a missing value. Nothing in a file
// is evaluated. R stores a table column by column, so a table is in memory as a whole.
package rds

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"

	"fsa/data"
	"fsa/internal/format/csv"
	"fsa/internal/format/rowwise"
)

// The starts of files: a version of the format follows the kind of encoding, and files of save have
// one more line before it.
const (
	alone = "X\n\x00\x00\x00"
	saved = "RDX"
)

// Options says how to read a table.
type Options struct {
	csv.Options
	// Object is the name of an object of a file of save, or of an element of a list; empty means
	// the only table.
	Object string
	// Bytes is the memory that the contents of the file may take; 0 means any number.
	Bytes int64
}

// Sniff reports whether a file begins like one of saveRDS or save.
func Sniff(head []byte) bool {
	if bytes.HasPrefix(head, []byte(saved)) && len(head) > len(saved)+1 {
		head = head[len(saved)+2:]
	}
	return bytes.HasPrefix(head, []byte(alone))
}

// NewReader reads a table; the name is for messages.
func NewReader(r io.Reader, name string, o Options) (*rowwise.Reader, error) {
	d := &decoder{r: bufio.NewReaderSize(r, 1<<16), name: name, most: o.Bytes, stop: o.Stop}
	top, err := d.file()
	if err != nil {
		return nil, err
	}
	object, err := find(top, name, o.Object)
	if err != nil {
		return nil, err
	}
	if o.Object != "" {
		name += ":" + o.Object
	}
	s := &source{name: name}
	if s.columns, s.rows, err = columnsOf(object, name); err != nil {
		return nil, err
	}
	if o.Columns > 0 && len(s.columns) > o.Columns {
		return nil, &csv.TooWide{Columns: len(s.columns)}
	}
	for i := range s.columns {
		if s.columns[i].named {
			s.names = append(s.names, s.columns[i].name)
		}
	}
	skip := make([]bool, len(s.columns))
	if s.names != nil {
		skip = o.Unused(s.names)
	}
	for i := range s.columns {
		c := &s.columns[i]
		if skip[i] {
			c.write = missing
		}
		if c.write == nil {
			return nil, &data.Error{File: name, Column: c.name, Msg: c.reason + ": drop this column, or write its values to columns of their own in R"}
		}
	}
	return rowwise.NewReader(s, name, rowwise.Options{Options: o.Options, Rows: true})
}

// find returns the table of a name, or the only one. A file of save, and a list, have several
// objects.
func find(top *value, file, name string) (*value, error) {
	if isTable(top) {
		if name != "" {
			return nil, &data.Error{File: file, Msg: fmt.Sprintf("there is no table %q: the file is one table, without a name", name)}
		}
		return top, nil
	}
	objects := top.named()
	var tables []string
	for _, o := range objects {
		if isTable(o.value) {
			tables = append(tables, o.name)
		}
	}
	i := slices.IndexFunc(objects, func(o attribute) bool { return o.name == name })
	switch {
	case name == "" && len(tables) == 1:
		i = slices.IndexFunc(objects, func(o attribute) bool { return o.name == tables[0] })
	case len(tables) == 0:
		return nil, &data.Error{File: file, Msg: fmt.Sprintf("a data frame or a matrix of numbers is expected, but this is %s: in R, save a table with saveRDS(as.data.frame(x), FILE)", top.describe())}
	case name == "":
		return nil, &data.Error{File: file, Msg: fmt.Sprintf("the file has %d tables: name one, as in %s:%s; the tables are %s", len(tables), file, tables[0], strings.Join(tables, ", "))}
	case i < 0 || !isTable(objects[i].value):
		return nil, &data.Error{File: file, Msg: fmt.Sprintf("there is no table %q: the tables are %s", name, strings.Join(tables, ", "))}
	}
	return objects[i].value, nil
}

// source delivers the rows of a table.
type source struct {
	name    string
	columns []column
	names   []string
	rows    int
	row     int
}

// Names implements [rowwise.Source].
func (s *source) Names() []string { return s.names }

// Next implements [rowwise.Source].
func (s *source) Next(row *rowwise.Row) (place int, err error) {
	if s.row == s.rows {
		return 0, io.EOF
	}
	for j := range s.columns {
		c := &s.columns[j]
		if err := c.write(c, row, s.row); err != nil {
			return 0, &data.Error{File: s.name, Row: s.row + 1, Column: c.name, Msg: err.Error()}
		}
	}
	s.row++
	return s.row, nil
}
