package open

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"fsa/data"
	"fsa/internal/format/npy"
	"fsa/internal/lines"
)

func npyVector(in *input) (*data.Vector, error) {
	if head, err := in.head(); err == nil {
		if h, _, err := npy.ReadHeader(bytes.NewReader(head), in.path); err == nil && npy.IsText(&h) {
			texts, err := npy.ReadTexts(in.stream, in.path)
			if err != nil {
				return nil, err
			}
			return labels(in.path, texts)
		}
	}
	values, of, err := npy.ReadSealedVector(in.stream, in.path)
	if err != nil {
		return nil, err
	}
	in.of = of
	return &data.Vector{Name: in.path, Values: values}, nil
}

func npzVector(in *input) (*data.Vector, error) {
	r, size, err := in.at()
	if err != nil {
		return nil, err
	}
	return npzArray(r, size, in.path, in.array)
}

// npzArray reads an array of an .npz archive.
func npzArray(r io.ReaderAt, size int64, path, array string) (*data.Vector, error) {
	texts, err := npy.ReadNPZTexts(r, size, path, array)
	if err != nil {
		return nil, err
	}
	name := path
	if array != "" {
		name += ":" + array
	}
	if texts != nil {
		return labels(name, texts)
	}
	values, err := npy.ReadNPZVector(r, size, path, array)
	if err != nil {
		return nil, err
	}
	return &data.Vector{Name: name, Values: values}, nil
}

// labels returns texts as categories.
func labels(path string, texts []string) (*data.Vector, error) {
	cells := make([]cell, len(texts))
	for i, text := range texts {
		cells[i] = cell{text, true}
	}
	return categories(path, cells)
}

func textVector(in *input) (*data.Vector, error) {
	cells, err := readCells(in)
	if err != nil {
		return nil, err
	}
	if len(cells) == 0 {
		return nil, &data.Error{File: in.path, Msg: "the file is empty"}
	}
	return vector(in.path, cells)
}

// cell is the value of a line.
type cell struct {
	text   string
	quoted bool
}

// readCells returns the values of the lines of a text. Empty lines at the end are ignored.
func readCells(in *input) ([]cell, error) {
	var cells []cell
	used := 0
	for end := false; !end; {
		line, err := in.stream.ReadString('\n')
		if end = errors.Is(err, io.EOF); err != nil && !end {
			return nil, in.named(err)
		}
		if len(cells) == 0 {
			line = strings.TrimPrefix(line, "\ufeff")
		}
		c, single := cut(line)
		if !single {
			return nil, &data.Error{File: in.path, Line: len(cells) + 1, Msg: fmt.Sprintf(
				"the line %s has several cells: one value per line is expected; put a text that contains a separator in quotation marks", lines.Quote([]byte(strings.TrimSpace(line))))}
		}
		cells = append(cells, c)
		if c.text != "" || c.quoted {
			used = len(cells)
		}
	}
	return cells[:used], nil
}

// cut removes blanks and quotation marks from a line. single reports whether the line has only one
// cell.
func cut(line string) (c cell, single bool) {
	text := strings.TrimSpace(line)
	if n := len(text); n > 1 && text[0] == '"' && text[n-1] == '"' {
		text = text[1 : n-1]
		single = !strings.Contains(strings.ReplaceAll(text, `""`, ""), `"`)
		return cell{strings.ReplaceAll(text, `""`, `"`), true}, single
	}
	if strings.ContainsAny(text, ",;\t|") {
		return cell{}, false
	}
	words := strings.Fields(text)
	isText := func(word string) bool { _, ok := number(word); return !ok }
	return cell{text: text}, len(words) < 2 || slices.ContainsFunc(words, isText)
}

// number returns the number that text represents; an empty text is a missing value.
func number(text string) (v float64, ok bool) {
	if text == "" {
		return math.NaN(), true
	}
	v, err := strconv.ParseFloat(text, 64)
	return v, err == nil || errors.Is(err, strconv.ErrRange)
}

// vector turns values into numbers, or into categories if they are texts.
func vector(path string, cells []cell) (*data.Vector, error) {
	var numbers, texts, lastNumber, lastText int // a number in quotation marks can be a number or a text
	for i, c := range cells {
		v, ok := number(c.text)
		switch {
		case !ok:
			texts, lastText = texts+1, i
		case v == v && !c.quoted:
			numbers, lastNumber = numbers+1, i
		}
	}
	first := 0
	bad := func(i int, format string) (*data.Vector, error) {
		return nil, &data.Error{File: path, Line: i + 1, Msg: fmt.Sprintf(format, lines.Quote([]byte(cells[i].text)))}
	}
	switch {
	case texts == 1 && lastText == 0 && len(cells) > 1:
		first = 1 // after the heading
	case texts > 0 && numbers >= texts:
		return bad(lastText, "%s is not a number, but other lines are: correct it, or put the numbers in quotation marks if all lines are texts")
	case texts > 0 && numbers > 0:
		return bad(lastNumber, "%s is a number, but other lines are texts: correct it, or put it in quotation marks if it is a text")
	case texts > 0:
		return categories(path, cells)
	}
	values := make([]float64, len(cells)-first)
	for i := range values {
		values[i], _ = number(cells[first+i].text)
		if math.IsInf(values[i], 0) {
			return bad(first+i, "%s is infinite; numbers up to 1.8e308 can be read")
		}
	}
	return &data.Vector{Name: path, Values: values}, nil
}

// categories numbers the texts in order of first appearance.
func categories(path string, cells []cell) (*data.Vector, error) {
	v := &data.Vector{Name: path, Values: make([]float64, len(cells))}
	code := map[string]int{}
	for i, c := range cells {
		if c.text == "" || !c.quoted && lines.Missing([]byte(c.text)) {
			return nil, &data.Error{File: path, Line: i + 1, Msg: "the value is missing: every row needs one"}
		}
		if !utf8.ValidString(c.text) {
			return nil, &data.Error{File: path, Line: i + 1, Msg: fmt.Sprintf("the text %s is not UTF-8; convert the file, such as with iconv -f CP1252 -t UTF-8 OLD > NEW", lines.Quote([]byte(c.text)))}
		}
		at, known := code[c.text]
		if !known {
			at = len(v.Categories)
			code[c.text] = at
			v.Categories = append(v.Categories, c.text)
		}
		v.Values[i] = float64(at)
	}
	return v, nil
}
