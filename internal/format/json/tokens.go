package json

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"fsa/data"
	"fsa/internal/format/csv"
	"fsa/internal/lines"
)

const (
	bufferSize = 1 << 18
	// longest is the maximal length of an object in bytes.
	longest = 1 << 26
	// deepest is the maximal nesting of lists and objects that are skipped.
	deepest = 1000
)

// errShort is returned if the buffer ends within an object.
var errShort = errors.New("more bytes are needed")

// tokens splits a text into objects. Its results are valid until the next call.
type tokens struct {
	r     io.Reader // nil if the whole text is in the buffer
	name  string
	buf   []byte // buf[at:end] was read
	at    int
	end   int
	eof   bool
	line  int // line of buf[at]
	rows  int // number of objects so far
	last  int // line in which the last object ended
	state state
	keys  keys
	spare []byte // texts with escapes
}

// state is the position between objects.
type state uint8

const (
	begin  state = iota
	loose        // objects without a list
	first        // at the start of the list
	item         // after a comma
	after        // after an object of the list
	closed       // after the end of the list
)

func newTokens(r io.Reader, name string) *tokens {
	return &tokens{r: r, name: name, buf: make([]byte, bufferSize), line: 1}
}

// object reads the next object into the cells and returns its line, or io.EOF.
func (t *tokens) object() (line int, err error) {
	for {
		t.keys.row++
		t.keys.next, t.spare = 0, t.spare[:0]
		start, end, state, err := t.attempt()
		if err == nil {
			line = t.line + bytes.Count(t.buf[t.at:start], []byte("\n"))
			if state == loose && t.rows > 0 && line == t.last {
				return 0, t.wrong(start, "two objects are on one line: write one object per line, or a list such as [{…},{…}]")
			}
			t.line = line + bytes.Count(t.buf[start:end], []byte("\n"))
			t.at, t.state, t.last = end, state, t.line
			t.rows++
			return line, nil
		}
		if err != errShort {
			return 0, err
		}
		if t.r == nil {
			return 0, errShort
		}
		if err := t.more(); err != nil {
			return 0, err
		}
	}
}

// window reads the given number of bytes, or all if there are fewer.
func (t *tokens) window(size int) error {
	for t.end < size && !t.eof {
		if err := t.more(); err != nil {
			return err
		}
	}
	return nil
}

// more reads more bytes into the buffer.
func (t *tokens) more() error {
	if t.at > 0 {
		copy(t.buf, t.buf[t.at:t.end])
		t.at, t.end = 0, t.end-t.at
	}
	if t.end == len(t.buf) {
		if t.end >= longest {
			return &data.Error{File: t.name, Line: t.line, Msg: fmt.Sprintf("the object is longer than the limit of %d bytes", longest)}
		}
		t.buf = append(t.buf, make([]byte, len(t.buf))...)
	}
	for range 100 {
		n, err := t.r.Read(t.buf[t.end:])
		if t.line == 1 && t.end == 0 && bytes.HasPrefix(t.buf[:n], []byte("\xef\xbb\xbf")) {
			n = copy(t.buf, t.buf[3:n])
		}
		t.end += n
		switch {
		case err == io.EOF:
			t.eof = true
			return nil
		case errors.Is(err, data.ErrBadData):
			return err
		case err != nil:
			return fmt.Errorf("%s: %w", t.name, err)
		case n > 0:
			return nil
		}
	}
	return fmt.Errorf("%s: %w", t.name, io.ErrNoProgress)
}

// attempt reads the next object, or the part of it that the buffer holds.
func (t *tokens) attempt() (start, end int, s state, err error) {
	b := t.buf[:t.end]
	i, s := t.at, t.state
	for {
		i = blanks(b, i)
		if i == len(b) {
			switch {
			case !t.eof:
				err = errShort
			case s == first || s == item || s == after:
				err = t.wrong(i, "the list is not closed: the file is cut off")
			default:
				err = io.EOF
			}
			return 0, 0, s, err
		}
		c := b[i]
		switch {
		case s == begin && c == '[':
			s = first
		case (s == first || s == after) && c == ']':
			s = closed
		case s == after && c == ',':
			s = item
		case s == after:
			return 0, 0, s, t.wrong(i, "a comma or the end of the list is expected")
		case s == closed:
			return 0, 0, s, t.wrong(i, "text follows the end of the list")
		case c != '{':
			return 0, 0, s, t.wrong(i, `each row must be an object, such as {"age": 41, "city": "Rome"}`)
		default:
			if s == begin {
				s = loose
			} else if s != loose {
				s = after
			}
			end, err := t.members(b, i+1)
			return i, end, s, err
		}
		i++
	}
}

// members reads the keys and values of the object whose inside starts at i.
func (t *tokens) members(b []byte, i int) (end int, err error) {
	k := &t.keys
	i = blanks(b, i)
	if i < len(b) && b[i] == '}' {
		return i + 1, nil
	}
	for {
		if i == len(b) {
			return 0, t.short(i)
		}
		if b[i] != '"' {
			return 0, t.wrong(i, "a key in quotation marks is expected")
		}
		name, next, _, err := t.text(b, i+1)
		if err != nil {
			return 0, err
		}
		j, err := k.find(name)
		if err != nil {
			if _, wide := errors.AsType[*csv.TooWide](err); wide {
				return 0, err
			}
			return 0, t.wrong(i, err.Error())
		}
		if k.cells[j].row == k.row {
			return 0, t.wrong(i, fmt.Sprintf("the object has the key %s twice", lines.Quote(name)))
		}
		if i = blanks(b, next); i == len(b) {
			return 0, t.short(i)
		}
		if b[i] != ':' {
			return 0, t.wrong(i, fmt.Sprintf("a colon is expected after the key %s", lines.Quote(name)))
		}
		if i = blanks(b, i+1); i == len(b) {
			return 0, t.short(i)
		}
		if i, err = t.value(b, i, j); err != nil {
			return 0, err
		}
		k.cells[j].row = k.row
		if i = blanks(b, i); i == len(b) {
			return 0, t.short(i)
		}
		switch b[i] {
		case '}':
			return i + 1, nil
		case ',':
			i = blanks(b, i+1)
		default:
			return 0, t.wrong(i, "a comma or the end of the object is expected")
		}
	}
}

// value reads the value at i of column j and returns the position after it.
func (t *tokens) value(b []byte, i, j int) (next int, err error) {
	cell := &t.keys.cells[j]
	switch c := b[i]; {
	case c == '"':
		cell.text, next, cell.how, err = t.text(b, i+1)
		return next, err
	case c == '{' || c == '[':
		if t.keys.closed && !t.keys.skip[j] {
			return 0, t.nested(i, j, c)
		}
		cell.how = missing
		return t.skip(b, i)
	}
	next = i
	for next < len(b) && literal[b[next]] {
		next++
	}
	if next == len(b) {
		return 0, t.short(next)
	}
	cell.text, cell.how = b[i:next], plain
	switch word := string(cell.text); word {
	case "true", "false":
	case "null", "NaN":
		cell.how = missing
	case "Infinity", "-Infinity": // written by Python; the rules for texts refuse it
	default:
		if !isNumber(cell.text) {
			return 0, t.wrong(i, fmt.Sprintf("%s of the key %q is not a JSON value: a number, a text in quotation marks, true, false or null is expected", lines.Quote(b[i:min(next+1, len(b))]), t.keys.names[j]))
		}
	}
	return next, nil
}

// nested returns the error for a list or an object as a cell.
func (t *tokens) nested(i, j int, c byte) error {
	what := map[byte]string{'[': "a list", '{': "an object"}[c]
	msg := fmt.Sprintf("the value is %s, but a cell must be a single number, text, true, false or null: drop this key, or write its parts as separate keys", what)
	if t.state == begin {
		msg += "; a table that is stored by columns can be written as rows in Python with DataFrame.to_json(NEW, orient=\"records\", lines=True)"
	}
	e := t.wrong(i, msg).(*data.Error)
	e.Column = t.keys.names[j]
	return e
}

// short returns the error if the buffer ends at i.
func (t *tokens) short(i int) error {
	if t.eof {
		return t.wrong(i, "the file ends within an object: it is cut off")
	}
	return errShort
}

// wrong returns an error at position i of the buffer.
func (t *tokens) wrong(i int, msg string) error {
	e := &data.Error{File: t.name, Line: t.line + bytes.Count(t.buf[t.at:i], []byte("\n")), Msg: msg}
	if t.state == after {
		e.Row = t.rows + 1
	}
	return e
}
