package rowwise

import (
	"bytes"
	"strconv"

	"fsa/internal/lines"
)

// mostRow is the largest text of a row in bytes.
const mostRow = 1 << 26

// Row is a row of cells that is being built as a line of text.
type Row struct {
	text          []byte
	cells         int   // cells of the row
	feeds         int   // line feeds in its cells
	empty, filled int64 // cells of all rows
}

// Missing adds a missing cell.
func (r *Row) Missing() {
	r.next()
	r.empty++
}

// Plain adds a text without quotation marks, commas and control characters, such as a number.
func (r *Row) Plain(text []byte) {
	r.next()
	r.text = append(r.text, text...)
	r.filled++
}

// Text adds a text.
func (r *Row) Text(text []byte) {
	if bytes.ContainsAny(text, ",\"\n\r") {
		r.next()
		r.quoted(text)
		r.filled++
		return
	}
	r.Plain(text)
}

// Int adds a whole number.
func (r *Row) Int(v int64) {
	r.next()
	r.text = strconv.AppendInt(r.text, v, 10)
	r.filled++
}

// Float adds a number; NaN is a missing one.
func (r *Row) Float(v float64) {
	if v != v {
		r.Missing()
		return
	}
	r.next()
	r.text = lines.AppendFloat(r.text, v)
	r.filled++
}

// Bool adds a truth value.
func (r *Row) Bool(v bool) {
	r.next()
	r.text = strconv.AppendBool(r.text, v)
	r.filled++
}

// name adds the name of a column, which may look like a missing cell.
func (r *Row) name(text string) {
	r.next()
	r.quoted([]byte(text))
}

func (r *Row) next() {
	if r.cells > 0 {
		r.text = append(r.text, ',')
	}
	r.cells++
}

func (r *Row) quoted(text []byte) {
	r.text = append(r.text, '"')
	for _, c := range text {
		switch c {
		case '"':
			r.text = append(r.text, '"')
		case '\n':
			r.feeds++
		}
		r.text = append(r.text, c)
	}
	r.text = append(r.text, '"')
}

// end ends the row, which starts at the given position of the text.
func (r *Row) end(start int) {
	if r.cells == 1 && len(bytes.TrimLeft(r.text[start:], " \t\r")) == 0 {
		r.text = append(r.text, `""`...) // a blank line would be skipped
	}
	r.text = append(r.text, '\n')
	r.cells, r.feeds = 0, 0
}
