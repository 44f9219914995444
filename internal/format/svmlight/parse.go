package svmlight

import (
	"bytes"
	"fmt"
	"math"
	"strconv"

	"fsa/data"
	"fsa/internal/lines"
)

// format is what parsing a chunk needs. It is not changed while chunks are parsed on several
// goroutines.
type format struct {
	file      string
	limit     int    // largest index, counted from 1
	shift     uint64 // added to an index of the file, so that it counts from 1
	unlabeled bool
	ones      bool
}

// rows is a parsed chunk.
type rows struct {
	block *data.Block
	width int // largest index
}

// chunk is a chunk while it is parsed.
type chunk struct {
	*format
	text []byte // ends in a line feed, as all chunks do
	line int
	rows
}

// parse turns whole lines into a block, which has no rows if all are blank.
func (f *format) parse(text []byte, line int) (*rows, error) {
	// Every row takes a line, every cell a colon or, without one, a digit and
	// a blank.
	most, cells := bytes.Count(text, []byte("\n")), bytes.Count(text, []byte(":"))
	if f.ones {
		cells = min(most+bytes.Count(text, []byte(" ")), len(text)/2)
	}
	c := &chunk{format: f, text: text, line: line}
	c.block = &data.Block{
		Start: make([]int, 1, most+1),
		Index: make([]uint32, 0, cells),
		Value: make([]float64, 0, cells),
	}
	if !f.unlabeled {
		c.block.Label = make([]float64, 0, most)
	}
	row := c.pairs
	if f.ones {
		row = c.indices
	}
	var numbers lines.Numbers
	for i := 0; i < len(text); line++ {
		start := skip(text, i)
		if ends(text[start]) && !(f.unlabeled && text[start] == '\n') {
			i = nextLine(text, start)
			continue
		}
		end, err := start, error(nil)
		if !f.unlabeled {
			end, err = c.label(start)
		}
		if err == nil {
			end, err = row(end)
		}
		if err != nil {
			return nil, err
		}
		numbers.Add(line)
		c.block.Rows++
		c.block.Start = append(c.block.Start, len(c.block.Index))
		i = nextLine(text, end)
	}
	c.block.Line, c.block.Lines = numbers.First, numbers.List
	return &c.rows, nil
}

// pairs reads the cells of a row at i, each an index with a value, and returns the position of the
// line feed or the comment that ends them.
func (c *chunk) pairs(i int) (end int, err error) {
	b, text, limit, shift := c.block, c.text, uint64(c.limit), c.shift
	index, value := b.Index, b.Value
	last := uint64(0)
	for {
		if i = skip(text, i); ends(text[i]) {
			break
		}
		at, colon := lines.Uint(text, i)
		at += shift
		if text[colon] != ':' || colon == i || at <= last || at > limit {
			return 0, c.badIndex(i, last)
		}
		v, end := lines.Float(text, colon+1)
		if !closes(text[end]) || end == colon+1 || math.Abs(v) > math.MaxFloat64 {
			if end = word(text, colon+1); !isNaN(text[colon+1 : end]) {
				return 0, c.badValue(at-shift, i, text[colon+1:end])
			}
			v = math.NaN()
		}
		index = append(index, uint32(at-1))
		value = append(value, v)
		last = at
		i = end
	}
	b.Index, b.Value = index, value
	c.width = max(c.width, int(last))
	return i, nil
}

// indices is pairs for cells that are only an index.
func (c *chunk) indices(i int) (end int, err error) {
	b, last := c.block, uint64(0)
	for {
		if i = skip(c.text, i); ends(c.text[i]) {
			break
		}
		at, end := lines.Uint(c.text, i)
		at += c.shift
		if end == i || !closes(c.text[end]) || at <= last || at > uint64(c.limit) {
			return 0, c.badIndex(i, last)
		}
		b.Index = append(b.Index, uint32(at-1))
		b.Value = append(b.Value, 1)
		last = at
		i = end
	}
	c.width = max(c.width, int(last))
	return i, nil
}

// label reads the label at i, and the query if there is one, and returns the position after them.
func (c *chunk) label(i int) (int, error) {
	b := c.block
	end := word(c.text, i)
	v, stop := lines.Float(c.text, i)
	switch {
	case isNaN(c.text[i:end]):
		v = math.NaN()
	case stop != end:
		return 0, c.errorAt(i, "", "the label %s is not a number; number the classes, for example -1 and 1", lines.Quote(c.text[i:end]))
	case math.IsInf(v, 0):
		return 0, c.errorAt(i, "", "the label %s is infinite", lines.Quote(c.text[i:end]))
	}
	b.Label = append(b.Label, v)
	i = skip(c.text, end)
	hasQuery := bytes.HasPrefix(c.text[i:], []byte("qid:"))
	if b.Rows > 0 && hasQuery != (b.Query != nil) {
		return 0, queryError(c.file, c.lineAt(i), b.Query != nil)
	}
	if !hasQuery {
		return i, nil
	}
	end = word(c.text, i)
	query, err := strconv.ParseInt(string(c.text[i+len("qid:"):end]), 10, 64)
	if err != nil {
		return 0, c.errorAt(i, "", "the query in %s is not a whole number of 64 bits", lines.Quote(c.text[i:end]))
	}
	b.Query = append(b.Query, query)
	return end, nil
}

// badIndex says what is wrong with the cell at i, which follows index last, counted from 1.
func (c *chunk) badIndex(i int, last uint64) error {
	token := c.text[i:word(c.text, i)]
	digits, _, pair := bytes.Cut(token, []byte(":"))
	number := len(digits) > 0 && len(bytes.Trim(digits, "0123456789")) == 0
	switch {
	case bytes.HasPrefix(token, []byte("qid:")):
		return c.errorAt(i, "", "%s is out of place; the query comes once, right after the label", lines.Quote(token))
	case c.ones && (pair || !number):
		return c.errorAt(i, "", "%s is not an index, a whole number from %d", lines.Quote(token), 1-c.shift)
	case !c.ones && !(pair && number):
		return c.errorAt(i, "", "%s is not index:value with an index from %d", lines.Quote(token), 1-c.shift)
	}
	column := string(digits[:min(len(digits), 20)])
	largest := uint64(c.limit) - c.shift
	switch at, err := strconv.ParseUint(string(digits), 10, 64); {
	case err != nil || at > largest:
		return c.errorAt(i, column, "the index is beyond %d, the largest that can be", largest)
	case at+c.shift == 0 && c.unlabeled:
		return c.errorAt(i, column, "indices count from 1")
	case at+c.shift == 0:
		return c.errorAt(i, column, "indices count from 1; give --index-base 0 if they count from 0")
	case at+c.shift == last:
		return c.errorAt(i, column, "the index occurs twice")
	}
	return c.errorAt(i, column, "the index comes after %d; the indices of a row must ascend", last-c.shift)
}

// badValue says what is wrong with the value text of index at.
func (c *chunk) badValue(at uint64, i int, text []byte) error {
	column := strconv.FormatUint(at, 10)
	unsigned := bytes.TrimLeft(text, "+-")
	v, end := lines.Float(text, 0)
	if end == len(text) && math.IsInf(v, 0) || bytes.EqualFold(unsigned, []byte("inf")) || bytes.EqualFold(unsigned, []byte("infinity")) {
		return c.errorAt(i, column, "the value %s is infinite; numbers up to 1.8e308 can be read, nan is a missing value", lines.Quote(text))
	}
	return c.errorAt(i, column, "the value %s is not a number; nan is a missing value", lines.Quote(text))
}

// queryError says that a row differs from earlier ones, which have queries or have none.
func queryError(file string, line int, before bool) error {
	msg := "the row has a qid and those before it have none"
	if before {
		msg = "the row has no qid and those before it have one"
	}
	return &data.Error{File: file, Line: line, Msg: msg + "; give a qid to all rows or to none"}
}

func (c *chunk) errorAt(i int, column, format string, args ...any) error {
	return &data.Error{File: c.file, Line: c.lineAt(i), Column: column, Msg: fmt.Sprintf(format, args...)}
}

func (c *chunk) lineAt(i int) int {
	return c.line + bytes.Count(c.text[:i], []byte("\n"))
}
