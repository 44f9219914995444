package csv

import (
	"bytes"
	"fmt"
	"slices"
	"unicode/utf8"

	"fsa/data"
	"fsa/internal/lines"
)

// layout is what is known of a table before its rows are read. It is not
// changed afterwards, because chunks are parsed on several goroutines.
type layout struct {
	file  string
	comma dialect
	width int
	names []string // nil without a header
	auto  bool     // that there is no header is a guess
	first int      // line of the first row
	texts []int    // the text columns
	place []int    // for each column its place in texts, -1 for numbers
	skip  map[int]bool
}

// The rows that decide what a column holds are at most sampleRows, and fewer,
// but one, of tables so wide that these would have more than sampleCells.
const (
	sampleRows  = 1000
	sampleCells = 1 << 20
)

// newLayout finds out the columns from the rows at the start of the table,
// whose first line is given. It also returns where in the head the header ends.
func newLayout(file string, comma dialect, o Options, head []byte, line int) (l *layout, body int, err error) {
	l = &layout{file: file, comma: comma, first: line, auto: o.Header != "no"}
	rows, starts, err := l.sample(head)
	if err != nil {
		return nil, 0, err
	}
	if slices.ContainsFunc(rows[0], func(c cell) bool { return !c.quoted && bytes.ContainsRune(c.text, '\r') }) {
		return nil, 0, l.errorAt(head, l.first, starts[0], "", "lines end with a carriage return alone; they have to end with a line feed: save or convert the table so")
	}
	l.width = len(rows[0])
	if o.Header == "yes" || o.Header != "no" && isHeader(rows) {
		if err := l.setNames(rows[0]); err != nil {
			return nil, 0, err
		}
		body = starts[1]
		rows, starts = rows[1:], starts[1:]
	}
	forced := make(map[int]bool)
	schema := data.Schema{Width: l.width, Names: l.names}
	for _, ref := range o.Categorical {
		forced[schema.FindColumn(ref)] = true
	}
	l.skip = make(map[int]bool)
	for _, ref := range o.Skip {
		l.skip[schema.FindColumn(ref)] = true
	}
	for j := range l.width {
		isText := forced[j] && !l.skip[j]
		if !isText && !o.Numeric && !l.skip[j] {
			if isText, err = l.holdsText(head, rows, starts, j, o.Lenient); err != nil {
				return nil, 0, err
			}
		}
		l.place = append(l.place, -1)
		if isText {
			l.place[j] = len(l.texts)
			l.texts = append(l.texts, j)
		}
	}
	return l, body, nil
}

// sample returns the cells of the first rows, and where each row starts; the
// last start is that of the row after them. It ends before a row that is
// wrong, unless that is the first: parsing will find it again.
func (l *layout) sample(head []byte) (rows [][]cell, starts []int, err error) {
	i := 0
	for len(rows) < 2 || len(rows) <= sampleRows && len(rows)*len(rows[0]) <= sampleCells {
		i = l.comma.rowStart(head, i)
		if i == len(head) {
			break
		}
		row, next, problem := l.comma.row(nil, head, i)
		if len(rows) == 0 && problem != "" {
			return nil, nil, l.errorAt(head, l.first, i, "", problem)
		}
		if problem != "" || len(rows) > 0 && len(row) != len(rows[0]) {
			break
		}
		rows, starts = append(rows, row), append(starts, i)
		i = next
	}
	return rows, append(starts, i), nil
}

// isHeader applies the rule that is told at Options.Header.
func isHeader(rows [][]cell) bool {
	first, below := rows[0], rows[1:min(len(rows), 101)]
	names, texts := true, true // all cells could be names, all are texts
	for _, c := range first {
		_, isNumber := number(c.text)
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
		if _, ok := number(c.text); !ok {
			continue
		}
		numbers = true
		// A quoted number above one without quotation marks is a name.
		_, isNumber := number(name.text)
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

// foundBelow says whether a cell of the first row is in a row below, in the
// same column.
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

// setNames takes the names of the columns from a header. A column without a
// name gets the one that it would have in a table without a header.
func (l *layout) setNames(header []cell) error {
	var nameless data.Schema
	place := make(map[string]int, l.width)
	for j, c := range header {
		if !utf8.Valid(c.text) {
			return &data.Error{File: l.file, Line: l.first, Msg: fmt.Sprintf("the name %s of column %d is not UTF-8; convert the file", lines.Quote(c.text), j+1)}
		}
		name := string(c.text)
		if name == "" {
			name = nameless.Name(j)
		}
		if k, ok := place[name]; ok {
			return &data.Error{File: l.file, Line: l.first, Column: name,
				Msg: fmt.Sprintf("columns %d and %d have the same name; each needs one of its own", k+1, j+1)}
		}
		place[name] = j
		l.names = append(l.names, name)
	}
	return nil
}

// holdsText says whether column j has cells that are not missing and none of
// these is a number. Numbers in another dress, such as 2,5 or $1,200 or 3%, are
// refused rather than taken for texts, unless one is lenient.
func (l *layout) holdsText(head []byte, rows [][]cell, starts []int, j int, lenient bool) (bool, error) {
	first, numbers := -1, true
	for i, row := range rows {
		text := row[j].text
		if lines.Missing(text) {
			continue
		}
		if _, ok := number(text); ok {
			return false, nil
		}
		numbers = numbers && dressed(text)
		if first < 0 {
			first = i
		}
	}
	if first >= 0 && numbers && !lenient {
		return false, l.errorAt(head, l.first, starts[first], l.name(j), fmt.Sprintf(
			"%s looks like a number; write it with a decimal point and without other signs, as 1234.5, or drop the column or declare it as categorical",
			lines.Quote(rows[first][j].text)))
	}
	return first >= 0, nil
}

// name returns the name of column j, given or made up.
func (l *layout) name(j int) string {
	return (&data.Schema{Names: l.names}).Name(j)
}

// errorAt says what is wrong at place i of a text whose first line is given.
func (l *layout) errorAt(text []byte, line, i int, column, msg string) error {
	return &data.Error{File: l.file, Line: line + bytes.Count(text[:i], []byte("\n")), Column: column, Msg: msg}
}
