package csv

import (
	"bytes"
	"fmt"
	"math"
	"slices"

	"fsa/data"
	"fsa/data/kind"
	"fsa/internal/lines"
)

// rows is a parsed chunk. The codes of its text columns count the texts of this chunk.
type rows struct {
	block *data.Block
	texts [][]string // for each text column the texts of the chunk, in order
	bad   map[int]data.Bad
}

// chunk is a chunk while it is parsed.
type chunk struct {
	*layout
	text  []byte
	line  int
	feeds int // line feeds in cells of the current row
	codes []codes
	short *recent // nil without text columns
	bad   map[int]data.Bad
}

// parse turns the text of whole rows into a block, which has no rows if the
// text is blank.
func (l *layout) parse(text []byte, line int) (*rows, error) {
	c := &chunk{layout: l, text: text, line: line, codes: make([]codes, len(l.texts))}
	if len(l.texts) > 0 || len(l.parsers) > 0 {
		c.short = new(recent)
	}
	for t, j := range l.texts {
		if k := l.kinds[j]; k.Kind == kind.Boolean {
			c.codes[t].spell = k.Spelling()
		}
	}
	// Every row takes a line and every cell a byte, whatever the first row promised.
	cells := make([]float64, min(bytes.Count(text, []byte("\n"))*l.width, len(text)))
	var numbers lines.Numbers
	count, end := 0, 0 // of the rows read so far
	for {
		i := l.comma.rowStart(text, end)
		if i > end {
			line += bytes.Count(text[end:i], []byte("\n"))
		}
		if i == len(text) {
			break
		}
		numbers.Add(line)
		var err error
		if end, err = c.row(cells[count*l.width:], i); err != nil {
			return nil, err
		}
		count++
		line += 1 + c.feeds
		c.feeds = 0
	}
	done := &rows{block: &data.Block{
		Rows:  count,
		Line:  numbers.First,
		Lines: numbers.List,
		Dense: cells[:count*l.width],
	}, bad: c.bad}
	for _, codes := range c.codes {
		done.texts = append(done.texts, codes.texts)
	}
	return done, nil
}

// row reads the row at start into dst and returns the position after it.
func (c *chunk) row(dst []float64, start int) (int, error) {
	text, last := c.text, c.width-1
	i, stop := start, byte(c.comma)
	for j, place := range c.place {
		if j == last {
			stop = '\n'
		}
		// Nearly all cells are a number with nothing around it, and most others are empty.
		if place == plainNumber {
			if text[i] == stop && c.comma != ' ' {
				dst[j] = math.NaN()
				i++
				continue
			}
			v, end := lines.Float(text, i)
			if text[end] == stop && end > i && math.Abs(v) <= math.MaxFloat64 {
				dst[j] = v
				i = end + 1
				continue
			}
		} else if key, n, ok := shortCell(text, i, stop); ok {
			if v, ok := c.short.get(key, j); ok {
				dst[j] = v
				i += n + 1
				continue
			}
		}
		if c.comma == ' ' && text[c.comma.skip(text, i)] == '\n' {
			return 0, c.ragged(start)
		}
		v, end, err := c.cell(i, j)
		if err != nil {
			// A cell that does not fit its column is often in a row that lacks another cell.
			if row, _, problem := c.comma.row(nil, text, start); problem == "" && len(row) != c.width {
				err = c.ragged(start)
			}
			return 0, err
		}
		next, more := c.comma.after(text, end)
		if more != (j < last) {
			return 0, c.ragged(start)
		}
		dst[j] = v
		if place != plainNumber {
			c.remember(i, end, j, stop, v)
		}
		i = next
	}
	return i, nil
}

// remember records that the text cell of column j between i and end stands for v. Quotation marks
// may make a cell end elsewhere the next time.
func (c *chunk) remember(i, end, j int, stop byte, v float64) {
	key, n, ok := shortCell(c.text, i, stop)
	if ok && i+n == end && bytes.IndexByte(c.text[i:end], '"') < 0 {
		c.short.put(key, j, v)
	}
}

// cell reads the cell of column j at i, whatever it is, and returns its value with the position of
// the delimiter after it.
func (c *chunk) cell(i, j int) (v float64, end int, err error) {
	if c.place[j] == plainNumber {
		// A number with blanks around it is tried before the cell is cut.
		start := c.comma.skip(c.text, i)
		v, end := lines.Float(c.text, start)
		if end > start && math.Abs(v) <= math.MaxFloat64 {
			if c.comma != ' ' {
				end = c.comma.skip(c.text, end)
			}
			if c.text[end] == '\n' || c.comma.delimits(c.text[end]) {
				return v, end, nil
			}
		}
	}
	cell, end, problem := c.comma.cell(c.text, i)
	if cell.quoted {
		c.feeds += bytes.Count(c.text[i:end], []byte("\n"))
	}
	if problem == "" {
		v, problem = c.value(cell, j)
	}
	if problem != "" && c.tolerant && c.comma.ends(c.text, end) {
		c.noteBad(i, j, problem)
		return math.NaN(), end, nil
	}
	if problem != "" {
		return 0, 0, c.errorAt(c.text, c.line, i, c.name(j), problem+c.hint(c.line+bytes.Count(c.text[:i], []byte("\n"))))
	}
	return v, end, nil
}

// noteBad counts the bad cell of column j at i, which is then missing.
func (c *chunk) noteBad(i, j int, problem string) {
	if c.bad == nil {
		c.bad = map[int]data.Bad{}
	}
	b, known := c.bad[j]
	if !known {
		b = data.Bad{Column: j, Line: c.line + bytes.Count(c.text[:i], []byte("\n")), Msg: problem}
	}
	b.Count++
	c.bad[j] = b
}

// value returns the value of a cell of column j in a block, or what is wrong with it.
func (c *chunk) value(cell cell, j int) (v float64, problem string) {
	if place := c.place[j]; place >= 0 {
		return c.codes[place].value(cell)
	}
	if lines.Missing(cell.text) {
		return math.NaN(), ""
	}
	var ok bool
	if parse := c.parsers[j]; parse != nil {
		v, ok = parse(string(cell.text))
	} else {
		v, ok = number(cell.text)
	}
	switch {
	case c.skip[j] && (!ok || math.IsInf(v, 0)), !ok && c.missing(string(cell.text), j):
		return math.NaN(), ""
	case !ok:
		return 0, c.notNumber(cell.text, j)
	}
	if math.IsInf(v, 0) {
		return 0, fmt.Sprintf("%s is infinite; numbers up to 1.8e308 can be read, an empty cell is a missing value", lines.Quote(cell.text))
	}
	return v, ""
}

// missing reports whether a text stands for a missing number of column j.
func (c *chunk) missing(text string, j int) bool {
	return kind.MissingWord(text) || slices.Contains(c.kinds[j].Missing, text)
}

// notNumber says what is wrong with a text in column j of numbers.
func (c *chunk) notNumber(text []byte, j int) string {
	const cure = "; correct it or leave it empty, or declare the column as categorical"
	switch k := c.kinds[j]; {
	case k.Layout != "" && k.Kind == kind.Number:
		return fmt.Sprintf("%s is not a number written like %s, as those above it are%s", lines.Quote(text), k.Layout, cure)
	case k.Layout != "":
		return fmt.Sprintf("%s is not a %s written as those above it are (%s)%s", lines.Quote(text), k.Kind, k.Layout, cure)
	case kind.Looks(string(text)):
		return fmt.Sprintf("%s is written differently from the numbers above it: describe the numbers with --decimal or --thousands", lines.Quote(text))
	}
	return fmt.Sprintf("%s is not a number%s", lines.Quote(text), cure)
}

// ragged says that the row at start has the wrong number of cells.
func (c *chunk) ragged(start int) error {
	row, next, problem := c.comma.row(nil, c.text, start)
	if problem != "" {
		return c.errorAt(c.text, c.line, next, "", problem)
	}
	return c.errorAt(c.text, c.line, start, "", fmt.Sprintf("the row has %d cells where the first row has %d", len(row), c.width))
}

// hint is added to an error in a line that may be a header.
func (l *layout) hint(line int) string {
	if l.auto && l.names == nil && line == l.first {
		return " (if this row has the names of the columns, give --header yes)"
	}
	return ""
}
