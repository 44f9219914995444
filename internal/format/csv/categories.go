package csv

import (
	"fmt"
	"math"
	"unicode/utf8"

	"fsa/internal/lines"
)

// codes numbers the texts of one column of a chunk in order of appearance.
type codes struct {
	place map[string]int
	texts []string
	spell func(text string) string // maps a text to its canonical one; nil for none
}

// value returns the value of a cell of the column in a block, or what is wrong with it.
func (c *codes) value(cell cell) (v float64, problem string) {
	if len(cell.text) == 0 || !cell.quoted && lines.Missing(cell.text) {
		return math.NaN(), ""
	}
	if code, ok := c.place[string(cell.text)]; ok {
		return float64(code), ""
	}
	if !utf8.Valid(cell.text) {
		return 0, fmt.Sprintf("the text %s is not UTF-8: give the encoding of the file, such as --encoding cp1252, or convert it with iconv -f CP1252 -t UTF-8 OLD > NEW", lines.Quote(cell.text))
	}
	if c.place == nil {
		c.place = make(map[string]int)
	}
	text := string(cell.text)
	given := text
	if c.spell != nil {
		text = c.spell(text)
	}
	code, known := c.place[text]
	if !known {
		code = len(c.texts)
		c.texts = append(c.texts, text)
	}
	c.place[text], c.place[given] = code, code
	return float64(code), ""
}

// categories maps a text of a column to its index among all texts.
type categories map[string]int

// merge converts the codes of a chunk to codes of the whole table. The cells of the column are
// column[0], column[width] and so on; texts are those of the chunk. It returns known with the new
// texts. Chunks are merged in the order of the input, so the categories do not depend on which of
// them was parsed first.
func (l categories) merge(known []string, column []float64, width int, texts []string) []string {
	code := make([]float64, len(texts))
	for t, text := range texts {
		at, ok := l[text]
		if !ok {
			at = len(known)
			known = append(known, text)
			l[text] = at
		}
		code[t] = float64(at)
	}
	for i := 0; i < len(column); i += width {
		if v := column[i]; v == v {
			column[i] = code[int(v)]
		}
	}
	return known
}
