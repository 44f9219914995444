package svmlight

import "bytes"

// skip returns the position after the blanks at i.
func skip(text []byte, i int) int {
	for text[i] == ' ' || text[i] == '\t' || text[i] == '\r' {
		i++
	}
	return i
}

// ends reports whether c ends the cells of a row.
func ends(c byte) bool { return c == '\n' || c == '#' }

// closes reports whether c ends a cell.
func closes(c byte) bool { return c == ' ' || c == '\t' || c == '\r' || ends(c) }

// word returns the position after the text at i without blanks.
func word(text []byte, i int) int {
	for !closes(text[i]) {
		i++
	}
	return i
}

// nextLine returns the position after the line feed at or after i.
func nextLine(text []byte, i int) int {
	return i + bytes.IndexByte(text[i:], '\n') + 1
}

func isNaN(text []byte) bool { return len(text) == 3 && bytes.EqualFold(text, []byte("nan")) }
