package csv

import "bytes"

// dialect is the delimiter of a table. The blank stands for any run of blanks and tabs.
//
// Its methods work on texts that end in a line feed, as all chunks do, so they need no other bounds
// check.
type dialect byte

// cell is the text between two delimiters.
type cell struct {
	text   []byte
	quoted bool
}

// blank reports whether c is dropped around a cell. The carriage return is one: it precedes the
// line feed in the files of some systems.
func (d dialect) blank(c byte) bool {
	return c == ' ' || c == '\r' || c == '\t' && d != '\t'
}

// delimits reports whether c ends a cell within a row.
func (d dialect) delimits(c byte) bool {
	return c == byte(d) || d == ' ' && d.blank(c)
}

// ends reports whether a cell ends at i.
func (d dialect) ends(text []byte, i int) bool {
	return i < len(text) && (text[i] == '\n' || d.delimits(text[i]))
}

// skip returns the position after the blanks at i.
func (d dialect) skip(text []byte, i int) int {
	for d.blank(text[i]) {
		i++
	}
	return i
}

// cell reads the cell at i and returns it with the position of the delimiter or line feed after it.
// If something is wrong with the cell, problem says what.
func (d dialect) cell(text []byte, i int) (c cell, next int, problem string) {
	i = d.skip(text, i)
	if text[i] == '"' {
		return d.quoted(text, i)
	}
	start := i
	for text[i] != '\n' && !d.delimits(text[i]) {
		i++
	}
	end := i
	for end > start && d.blank(text[end-1]) {
		end--
	}
	return cell{text: text[start:end]}, i, ""
}

func (d dialect) quoted(text []byte, i int) (c cell, next int, problem string) {
	start := i + 1
	end, closed := closing(text, start)
	if !closed {
		return c, end, "the quotation mark that opens this cell is never closed"
	}
	c = cell{text: text[start:end], quoted: true}
	if bytes.IndexByte(c.text, '"') >= 0 {
		c.text = bytes.ReplaceAll(c.text, []byte(`""`), []byte(`"`))
	}
	i = end + 1
	if d != ' ' {
		i = d.skip(text, i)
	}
	if text[i] != '\n' && !d.delimits(text[i]) {
		return c, i, "text follows the closing quotation mark; double the marks inside a quoted cell"
	}
	return c, i, ""
}

// closing returns the position of the quotation mark that closes the cell whose inside starts at i.
func closing(text []byte, i int) (end int, closed bool) {
	for {
		n := bytes.IndexByte(text[i:], '"')
		if n < 0 {
			return len(text), false
		}
		i += n
		if i+1 == len(text) || text[i+1] != '"' {
			return i, true
		}
		i += 2
	}
}

// after returns the position after the delimiter or line feed at i, and whether the row continues
// there.
func (d dialect) after(text []byte, i int) (next int, more bool) {
	if d == ' ' {
		i = d.skip(text, i)
		if text[i] != '\n' {
			return i, true
		}
	}
	return i + 1, text[i] != '\n'
}

// count returns the number of cells of the row at i, up to the first error.
func (d dialect) count(text []byte, i int) int {
	n := 0
	for more := i < len(text); more; n++ {
		_, next, problem := d.cell(text, i)
		if problem != "" {
			return n
		}
		i, more = d.after(text, next)
	}
	return n
}

// row appends the cells of the row at i and returns them with the position of the next row.
func (d dialect) row(cells []cell, text []byte, i int) (_ []cell, next int, problem string) {
	for more := true; more; {
		var c cell
		if c, i, problem = d.cell(text, i); problem != "" {
			return cells, i, problem
		}
		cells = append(cells, c)
		i, more = d.after(text, i)
	}
	return cells, i, ""
}

// rowStart returns the position of the first row at or after i that is not blank, or the length of
// the text.
func (d dialect) rowStart(text []byte, i int) int {
	for i < len(text) && text[i] <= ' ' {
		end := d.skip(text, i)
		if text[end] != '\n' {
			if d == ' ' {
				return end
			}
			return i
		}
		i = end + 1
	}
	return i
}

// end returns the length of the longest prefix of text that consists of whole rows: up to the last
// line feed that is not in a quoted cell.
func (d dialect) end(text []byte) int {
	whole, i := 0, 0
	for {
		n := bytes.IndexByte(text[i:], '"')
		outside := text[i:]
		if n >= 0 {
			outside = text[i : i+n]
		}
		if at := bytes.LastIndexByte(outside, '\n'); at >= 0 {
			whole = i + at + 1
		}
		if n < 0 {
			return whole
		}
		i += n
		if !d.opens(text, i) {
			i++
			continue
		}
		mark, closed := closing(text, i+1)
		if !closed || mark+1 == len(text) {
			return whole // the text may continue with the other half of a doubled mark
		}
		i = mark + 1
	}
}

// opens reports whether the quotation mark at i is the start of a cell. Any other outside a quoted
// cell is an ordinary character.
func (d dialect) opens(text []byte, i int) bool {
	if d == ' ' && i > 0 {
		return text[i-1] == '\n' || d.blank(text[i-1])
	}
	for i > 0 && d.blank(text[i-1]) {
		i--
	}
	return i == 0 || text[i-1] == '\n' || text[i-1] == byte(d)
}
