package main

import (
	"bytes"
	"io"
	"strings"
	"unicode"
)

// aligned aligns cells that end with tabs, like text/tabwriter, which takes all letters for equally wide.
type aligned struct {
	w    io.Writer
	text bytes.Buffer
}

// newTable returns a table that Flush prints.
func newTable(w io.Writer) *aligned { return &aligned{w: w} }

// Write adds lines to the table.
func (t *aligned) Write(p []byte) (int, error) { return t.text.Write(p) }

// Flush prints the table. A column is as wide as its widest cell in consecutive lines that have it.
func (t *aligned) Flush() error {
	const between = 2
	text, ended := strings.CutSuffix(t.text.String(), "\n")
	t.text.Reset()
	var rows [][]string
	for line := range strings.SplitSeq(text, "\n") {
		rows = append(rows, strings.Split(line, "\t"))
	}
	for column, more := 0, true; more; column++ {
		more = false
		for i := 0; i < len(rows); i++ {
			first, widest := i, 0
			for ; i < len(rows) && column < len(rows[i])-1; i++ {
				widest = max(widest, breadth(rows[i][column]))
			}
			for _, row := range rows[first:i] {
				row[column] += strings.Repeat(" ", widest+between-breadth(row[column]))
				more = true
			}
		}
	}
	var out strings.Builder
	for i, row := range rows {
		out.WriteString(strings.Join(row, ""))
		if i < len(rows)-1 || ended {
			out.WriteByte('\n')
		}
	}
	_, err := io.WriteString(t.w, out.String())
	return err
}

// breadth returns the number of columns of a terminal that a text takes: two for a wide letter, such as those of Chinese,
// Japanese and Korean, and none for a mark on another letter.
func breadth(text string) (n int) {
	for _, r := range text {
		n += breadthOf(r)
	}
	return n
}

func breadthOf(r rune) int {
	switch {
	case r < 0x300:
		return 1
	case unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf):
		return 0
	case r >= 0x1100 && r < 0x1160, r >= 0x2e80 && r < 0xa4d0 && r != 0x303f, r >= 0xac00 && r < 0xd7a4, r >= 0xf900 && r < 0xfb00,
		r >= 0xfe30 && r < 0xfe70, r >= 0xff00 && r < 0xff61, r >= 0xffe0 && r < 0xffe7, r >= 0x1f300 && r < 0x1fb00, r >= 0x20000 && r < 0x3fffe:
		return 2
	}
	return 1
}
