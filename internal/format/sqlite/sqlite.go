// Package sqlite reads tables of SQLite databases, without running SQL and without writing anything. [Query] runs a
// query by the library of SQLite, if the system has it.
// Cells are integers, floating-point numbers and texts, and NULL is a missing value.
package sqlite

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"

	"fsa/data"
	"fsa/internal/format/csv"
	"fsa/internal/format/rowwise"
)

// Options says how to read a table.
type Options struct {
	csv.Options
	// Table is its name; empty means the only table.
	Table string
}

// Sniff reports whether a file begins like a database.
func Sniff(head []byte) bool { return bytes.HasPrefix(head, []byte(magic)) }

// NewReader starts to read a table of a database; the name is for messages.
func NewReader(r io.ReaderAt, size int64, name string, o Options) (*rowwise.Reader, error) {
	f, err := openFile(r, size, name)
	if err != nil {
		return nil, err
	}
	t, err := f.find(o.Table)
	if err != nil {
		return nil, err
	}
	s := &source{table: t}
	if o.Table != "" {
		name += ":" + t.name
	}
	if s.columns, err = columns(t.sql); err != nil {
		return nil, &data.Error{File: name, Msg: fmt.Sprintf("%v, which only SQLite can read: %s", err, cure(t.name))}
	}
	if o.Columns > 0 && len(s.columns) > o.Columns {
		return nil, &csv.TooWide{Columns: len(s.columns)}
	}
	for _, c := range s.columns {
		s.names = append(s.names, c.name)
	}
	s.skip = o.Unused(s.names)
	s.cells = make([]value, len(s.columns))
	f.name = name
	if s.scan, err = newScan(f, t.root); err != nil {
		return nil, err
	}
	return rowwise.NewReader(s, name, rowwise.Options{Options: o.Options, Rows: true})
}

// cure returns the flag with which SQLite itself reads a table.
func cure(table string) string {
	return fmt.Sprintf(`read it with --sql 'select * from "%s"'`, strings.ReplaceAll(table, `"`, `""`))
}

// table is an entry of the schema.
type table struct {
	name, sql string
	root      int64
	view      bool // view or virtual table
}

// mostTables is the maximal number of tables of a database.
const mostTables = 1 << 16

// tables lists the tables and views.
func (f *file) tables() ([]table, error) {
	s, err := newScan(f, 1)
	if err != nil {
		return nil, err
	}
	var list []table
	cells := make([]value, 5)
	for len(list) < mostTables {
		_, record, err := s.next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, err
		}
		n, err := f.values(cells, record)
		if err != nil {
			return nil, err
		}
		kind, name, sql := string(cells[0].text), string(cells[1].text), string(cells[4].text)
		if n < len(cells) || kind != "table" && kind != "view" || strings.HasPrefix(name, "sqlite_") {
			continue
		}
		list = append(list, table{name, sql, cells[3].int, kind == "view" || cells[3].int == 0})
	}
	return list, nil
}

// find returns the table of a name, or the only one.
func (f *file) find(name string) (*table, error) {
	list, err := f.tables()
	if err != nil {
		return nil, err
	}
	var stored []table
	var names []string
	for _, t := range list {
		names = append(names, fmt.Sprintf("%q", t.name))
		if !t.view {
			stored = append(stored, t)
		}
	}
	i := slices.IndexFunc(list, func(t table) bool { return t.name == name })
	if i < 0 {
		i = slices.IndexFunc(list, func(t table) bool { return strings.EqualFold(t.name, name) })
	}
	switch {
	case name == "" && len(stored) == 1:
		return &stored[0], nil
	case len(list) == 0:
		return nil, &data.Error{File: f.name, Msg: "the database has no table"}
	case name == "":
		return nil, &data.Error{File: f.name, Msg: fmt.Sprintf("the database has %d tables: name one, as in %s:%s; the tables are %s", len(stored), f.name, list[0].name, strings.Join(names, ", "))}
	case i < 0:
		return nil, &data.Error{File: f.name, Msg: fmt.Sprintf("there is no table %q: the tables are %s", name, strings.Join(names, ", "))}
	case list[i].view:
		return nil, &data.Error{File: f.name, Msg: fmt.Sprintf("%q is a view or a virtual table, which only SQLite can read: %s", name, cure(name))}
	}
	return &list[i], nil
}

// source delivers the rows of a table.
type source struct {
	*scan
	table   *table
	columns []column
	names   []string
	skip    []bool
	cells   []value
	row     int
}

// Names implements [rowwise.Source].
func (s *source) Names() []string { return s.names }

// Next implements [rowwise.Source].
func (s *source) Next(row *rowwise.Row) (place int, err error) {
	id, record, err := s.next()
	if err != nil {
		return 0, err
	}
	s.row++
	n, err := s.values(s.cells, record)
	if err != nil {
		return 0, err
	}
	for j := range s.columns {
		c := &s.columns[j]
		v := s.cells[j]
		switch {
		case c.rowid:
			v = value{how: whole, int: id}
		case j >= n && !c.known:
			return 0, &data.Error{File: s.name, Row: s.row, Column: c.name, Msg: "the cell has the default value of its column, which only SQLite can compute: " + cure(s.table.name)}
		case j >= n:
			v = c.since
		}
		switch {
		case s.skip[j] || v.how == null:
			row.Missing()
		case v.how == whole:
			row.Int(v.int)
		case v.how == real:
			row.Float(v.number)
		case v.how == text:
			row.Text(v.text)
		default:
			return 0, &data.Error{File: s.name, Row: s.row, Column: c.name, Msg: "the cell is a blob of bytes; a number or a text is expected: drop this column"}
		}
	}
	return s.row, nil
}
