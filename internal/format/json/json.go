// Package json reads and writes tables in JSON: one object per line, or a list of objects. A column
// is a key, in order of first appearance. A key that an object lacks is a missing cell, and so are
// null, NaN and the texts that are missing in CSV. Values are numbers, texts, true and false. Texts
// are interpreted by the rules of CSV, for example as dates.
package json

import (
	"bytes"
	"fmt"
	"io"

	"fsa/data"
	"fsa/internal/format/csv"
	"fsa/internal/format/rowwise"
)

// Options says how to read a table.
type Options struct {
	csv.Options
	// Names has the names of the columns; nil means to detect them.
	Names []string
	// Again opens the same text again. All keys are collected before the rows are read; if the text
	// is longer than Window, this requires reading it twice. If Again is nil, objects after the
	// window must not have new keys.
	Again func() (io.ReadCloser, error)
	// Window is the number of bytes that are searched for keys without reading again.
	Window int
}

// NewReader starts to read r; the name is for messages.
func NewReader(r io.Reader, name string, o Options) (*rowwise.Reader, error) {
	s := &source{tokens: newTokens(r, name)}
	s.keys.most = o.Columns
	if err := s.window(1 << 16); err != nil {
		return nil, err
	}
	s.list = bytes.HasPrefix(bytes.TrimLeft(s.buf[:s.end], " \t\r\n"), []byte("["))
	if o.Names == nil {
		if err := s.find(&o); err != nil {
			return nil, err
		}
	} else {
		for _, n := range o.Names {
			s.keys.add([]byte(n))
		}
	}
	s.keys.closed = true
	s.keys.skip = o.Unused(s.keys.names)
	return rowwise.NewReader(s, name, rowwise.Options{Options: o.Options, Rows: s.list})
}

// source delivers the objects as rows. The place of an object is its line, or its number in a list,
// which is often a single line.
type source struct {
	*tokens
	list bool
}

// Names implements [rowwise.Source].
func (s *source) Names() []string { return s.keys.names }

// Next implements [rowwise.Source].
func (s *source) Next(row *rowwise.Row) (place int, err error) {
	place, err = s.object()
	if err != nil {
		return 0, err
	}
	if s.list {
		place = s.rows
	}
	for j := range s.keys.cells {
		c := &s.keys.cells[j]
		switch {
		case c.row != s.keys.row || c.how == missing:
			row.Missing()
		case c.how == plain:
			row.Plain(c.text)
		default:
			row.Text(c.text)
		}
	}
	return place, nil
}

// find collects the keys.
func (s *source) find(o *Options) error {
	if err := s.window(o.Window); err != nil {
		return err
	}
	look := &tokens{name: s.name, buf: s.buf, end: s.end, eof: s.eof, line: 1}
	look.keys.most = o.Columns
	if !s.eof && o.Again != nil {
		r, err := o.Again()
		if err != nil {
			return err
		}
		defer r.Close()
		look = newTokens(r, s.name)
		look.keys.most = o.Columns
	} else if !s.eof {
		s.keys.cure = "; no earlier object has that key, and a stream is read only once: save it to a file, and give that"
	}
	rows := 0
	for ; ; rows++ {
		if o.Stop != nil && rows%1024 == 0 {
			if err := o.Stop(); err != nil {
				return err
			}
		}
		if _, err := look.object(); err == io.EOF || err == errShort {
			break
		} else if err != nil {
			return err
		}
	}
	if len(look.keys.names) == 0 {
		return &data.Error{File: s.name, Line: 1, Msg: "there is no object with keys: a table has one object per row"}
	}
	for _, n := range look.keys.names {
		s.keys.add([]byte(n))
	}
	return nil
}

// keys holds the columns, and the cells of the current object.
type keys struct {
	names  []string
	cells  []value
	place  map[string]int
	next   int // the column that is expected next
	row    int
	most   int // maximal number of columns; 0 means no limit
	closed bool
	cure   string // advice for an unknown key
	skip   []bool
}

// value is a cell. It belongs to the current object if it has the object's number.
type value struct {
	text []byte
	row  int
	how  how
}

// how a value is written.
type how uint8

const (
	missing how = iota
	plain       // a number, a truth value, or a text without special characters
	quoted
)

func (k *keys) add(name []byte) int {
	if k.place == nil {
		k.place = map[string]int{}
	}
	text := string(name)
	k.place[text] = len(k.names)
	k.names = append(k.names, text)
	k.cells = append(k.cells, value{})
	return len(k.names) - 1
}

// find returns the column of a key.
func (k *keys) find(name []byte) (int, error) {
	j := k.next
	if j >= len(k.names) {
		j = 0
	}
	if j >= len(k.names) || string(name) != k.names[j] {
		var known bool
		if j, known = k.place[string(name)]; !known {
			switch {
			case k.closed:
				return 0, fmt.Errorf("the key %q is new%s", name, k.cure)
			case k.most > 0 && len(k.names) == k.most:
				return 0, &csv.TooWide{Columns: len(k.names) + 1}
			}
			j = k.add(bytes.Clone(name))
		}
	}
	k.next = j + 1
	return j, nil
}
