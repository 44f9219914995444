package csv

import (
	"bytes"
	"slices"
)

// Sniff reports whether the start of an input looks like lines of text. It is the last format to
// try, because every other text format looks like this too.
func Sniff(head []byte) bool {
	for _, c := range head {
		if c < ' ' && (c < '\t' || c > '\r') || c == 0x7f {
			return false
		}
	}
	return len(head) > 0
}

// candidates are the delimiters in the order of preference: the comma comes late because it is the
// decimal mark of many countries, the blank last because texts contain it.
var candidates = [...]dialect{'\t', ';', '|', ',', ' '}

// counts has the number of each candidate in one row.
type counts [len(candidates)]int

// sniffDialect detects the delimiter: one that occurs equally often in every row; otherwise one
// that occurs in every row; otherwise the most frequent one of the first row. Blanks delimit only
// numbers, because words have blanks between them anyway.
func sniffDialect(head []byte) dialect {
	head = head[:min(len(head), 1<<16)]
	rows := countDelimiters(head, 50)
	if !hasNumbers(head) {
		for i := range rows {
			rows[i][len(candidates)-1] = 0
		}
	}
	least, most := rows[0], rows[0]
	for _, row := range rows[1:] {
		for c, n := range row {
			least[c], most[c] = min(least[c], n), max(most[c], n)
		}
	}
	for c, d := range candidates {
		if least[c] > 0 && least[c] == most[c] {
			return d
		}
	}
	for _, n := range []counts{least, rows[0]} {
		if best := slices.Max(n[:]); best > 0 {
			return candidates[slices.Index(n[:], best)]
		}
	}
	return ','
}

// hasNumbers reports whether one of the first two lines has a number with blanks around it.
func hasNumbers(head []byte) bool {
	lines := bytes.SplitN(head, []byte("\n"), 3)
	for _, line := range lines[:min(len(lines), 2)] {
		for field := range bytes.FieldsSeq(line) {
			if _, ok := number(field); ok {
				return true
			}
		}
	}
	return false
}

// countDelimiters counts the delimiters outside quotation marks in the first whole rows that are
// not blank, at most the given number of them. If not even one is complete, it counts in the part
// that is there.
func countDelimiters(head []byte, most int) []counts {
	var rows []counts
	var row counts
	quoted, blank, filled := false, false, false
	for _, c := range head {
		switch {
		case c == '"':
			quoted = !quoted
		case quoted:
			continue
		case c == '\n':
			if filled {
				if rows = append(rows, row); len(rows) == most {
					return rows
				}
			}
			row, blank, filled = counts{}, false, false
			continue
		}
		if c == ' ' || c == '\t' || c == '\r' {
			blank = true
		} else {
			if blank && filled {
				row[len(candidates)-1]++
			}
			blank, filled = false, true
		}
		if i := slices.Index(candidates[:len(candidates)-1], dialect(c)); i >= 0 {
			row[i]++
		}
	}
	if len(rows) == 0 {
		rows = append(rows, row)
	}
	return rows
}
