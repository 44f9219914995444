package csv

import (
	"bytes"
	"fmt"
	"slices"
	"unicode/utf8"

	"fsa/data"
	"fsa/data/kind"
	"fsa/internal/lines"
)

// layout is what is known of a table before its rows are read. It is not changed afterwards,
// because chunks are parsed on several goroutines.
type layout struct {
	file  string
	comma dialect
	width int
	names []string // nil without a header
	auto  bool     // there is no header according to a guess
	first int      // line of the first row
	named bool     // the header lacks the column of row names
	texts []int    // the text columns
	place []int    // for each column its index in texts, or its kind
	skip  map[int]bool

	tolerant bool
	doubts   map[int]data.Bad    // of a tolerant reader
	kinds    map[int]kind.Column // of columns that are not plain numbers
	parsers  map[int]func(cell string) (float64, bool)
}

// rowNames is the name of a column without a name if R has put the names of rows there.
const rowNames = "row.names"

// Column types are detected from a sample of at most sampleRows rows and about sampleCells cells, but at least one row.
const (
	sampleRows  = 1000
	sampleCells = 1 << 20
)

// newLayout detects the columns from the rows at the start of the table, whose first line is given.
// It also returns where in the head the header ends.
func newLayout(file string, comma dialect, o Options, head []byte, line int) (l *layout, body int, err error) {
	l = &layout{file: file, comma: comma, first: line, auto: o.Header != "no", tolerant: o.Tolerant, doubts: map[int]data.Bad{}, parsers: map[int]func(string) (float64, bool){}}
	width := comma.count(head, comma.rowStart(head, 0))
	if o.Columns > 0 && width > o.Columns {
		return nil, 0, &TooWide{width}
	}
	rows, starts, err := l.sample(head, width)
	if err != nil {
		return nil, 0, err
	}
	if slices.ContainsFunc(rows[0], func(c cell) bool { return !c.quoted && bytes.ContainsRune(c.text, '\r') }) {
		return nil, 0, l.errorAt(head, l.first, starts[0], "", "lines end with a carriage return only: convert them to line feeds")
	}
	l.width = len(rows[0])
	if o.Header == "yes" || l.named || o.Header != "no" && isHeader(rows) {
		if err := l.setNames(rows[0]); err != nil {
			return nil, 0, err
		}
		body = starts[1]
		rows, starts = rows[1:], starts[1:]
	}
	schema := data.Schema{Width: l.width, Names: l.names}
	l.skip = l.skipped(&schema, &o)
	if err := l.decide(head, rows, starts, &o); err != nil {
		return nil, 0, err
	}
	l.place = make([]int, l.width)
	for j := range l.width {
		l.place[j] = plainNumber
		switch k, known := l.kinds[j]; {
		case known && k.Text():
			l.place[j] = len(l.texts)
			l.texts = append(l.texts, j)
		case known && k.Layout != "":
			l.place[j] = otherNumber
			l.parsers[j] = k.Parser()
		}
	}
	return l, body, nil
}

// The values of layout.place for columns that are not text.
const (
	plainNumber = -1 // in the usual notation of programs
	otherNumber = -2 // a number or date that has a parser
)

// skipped returns the columns that are not used.
func (l *layout) skipped(s *data.Schema, o *Options) map[int]bool {
	skip := make(map[int]bool)
	for j, unused := range o.unused(s) {
		if unused {
			skip[j] = true
		}
	}
	return skip
}

// Unused says for each of the named columns whether it is not used.
func (o *Options) Unused(names []string) []bool {
	return o.unused(&data.Schema{Width: len(names), Names: names})
}

func (o *Options) unused(s *data.Schema) []bool {
	skip := make([]bool, s.Width)
	if o.Only != nil {
		for j := range skip {
			skip[j] = true
		}
		for _, ref := range o.Only {
			for _, j := range s.FindColumns(ref) {
				skip[j] = false
			}
		}
	}
	for _, ref := range o.Skip {
		for _, j := range s.FindColumns(ref) {
			skip[j] = true
		}
	}
	return skip
}

// sample returns the cells of the first rows, and where each row starts; the last start is that of
// the row after them. It ends before an invalid row, unless that is the first: parsing will find it
// again.
//
// Width is about the number of cells of the first row.
func (l *layout) sample(head []byte, width int) (rows [][]cell, starts []int, err error) {
	i := 0
	for len(rows) < 2 || len(rows) <= sampleRows && len(rows)*len(rows[0]) <= sampleCells {
		i = l.comma.rowStart(head, i)
		if i == len(head) {
			break
		}
		row, next, problem := l.comma.row(make([]cell, 0, width), head, i)
		if len(rows) == 0 && problem != "" {
			return nil, nil, l.errorAt(head, l.first, i, "", problem)
		}
		if len(rows) == 1 && l.auto && problem == "" && len(row) == len(rows[0])+1 && len(row[len(row)-1].text) > 0 && !slices.ContainsFunc(rows[0], func(c cell) bool { return !c.quoted && numeric(c.text) }) {
			// R writes row names with a header that lacks the first column.
			rows[0] = append([]cell{{text: []byte(rowNames), quoted: true}}, rows[0]...)
			l.named = true
		}
		if problem != "" || len(rows) > 0 && len(row) != len(rows[0]) {
			break
		}
		rows, starts = append(rows, row), append(starts, i)
		i = next
	}
	return rows, append(starts, i), nil
}

// isHeader applies the rule of Options.Header.
func isHeader(rows [][]cell) bool {
	first, below := rows[0], rows[1:min(len(rows), 101)]
	names, texts := true, true // all cells could be names, all are texts
	for _, c := range first {
		isNumber := numeric(c.text)
		names = names && (!isNumber || c.quoted || digitsOnly(c.text))
		texts = texts && !isNumber && !lines.Missing(c.text)
	}
	numbers := false
	for j, name := range first {
		at := slices.IndexFunc(below, func(row []cell) bool { return !lines.Missing(row[j].text) })
		if at < 0 {
			continue
		}
		c := below[at][j]
		if !numeric(c.text) {
			continue
		}
		numbers = true
		// A quoted number above an unquoted one is a name.
		isNumber := numeric(name.text)
		isName := !isNumber && !lines.Missing(name.text) || isNumber && name.quoted && !c.quoted
		if names && isName {
			return true
		}
	}
	return !numbers && texts && len(first) > 1 && allDifferent(first) && !foundBelow(first, below)
}

func allDifferent(row []cell) bool {
	seen := make(map[string]bool, len(row))
	for _, c := range row {
		seen[string(c.text)] = true
	}
	return len(seen) == len(row)
}

// foundBelow reports whether a cell of the first row occurs below, in the same column.
func foundBelow(first []cell, below [][]cell) bool {
	for _, row := range below {
		for j, c := range row {
			if bytes.Equal(c.text, first[j].text) {
				return true
			}
		}
	}
	return false
}

// setNames takes the names of the columns from a header. A column without a name gets the one that
// it would have without a header.
func (l *layout) setNames(header []cell) error {
	var nameless data.Schema
	l.names = make([]string, 0, len(header))
	for j, c := range header {
		if !utf8.Valid(c.text) {
			return &data.Error{File: l.file, Line: l.first, Msg: fmt.Sprintf("the name %s of column %d is not UTF-8: give the encoding of the file, such as --encoding cp1252, or convert it with iconv -f CP1252 -t UTF-8 OLD > NEW", lines.Quote(c.text), j+1)}
		}
		if bytes.IndexByte(c.text, 0) >= 0 {
			return &data.Error{File: l.file, Line: l.first, Msg: fmt.Sprintf("the name %s of column %d has a zero byte: this is no text", lines.Quote(c.text), j+1)}
		}
		name := string(c.text)
		if name == "" {
			name = nameless.Name(j)
		}
		l.names = append(l.names, name)
	}
	return nil
}

// name returns the name of column j, given or generated.
func (l *layout) name(j int) string {
	return (&data.Schema{Names: l.names}).Name(j)
}

// errorAt returns an error at position i of a text whose first line is given.
func (l *layout) errorAt(text []byte, line, i int, column, msg string) error {
	return &data.Error{File: l.file, Line: line + bytes.Count(text[:i], []byte("\n")), Column: column, Msg: msg}
}
