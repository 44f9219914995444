package open

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"fsa/data"
	"fsa/data/csv"
	"fsa/data/npy"
	"fsa/internal/lines"
)

// Vector reads a file that holds one value for each row of a table: a NumPy
// vector, one in an .npz archive (FILE.npz:ARRAY), or a text with one value a
// line.
//
// The lines of a text are all numbers, or texts. A first line that is the only
// one which is not a number is a heading. Among texts a number has to be in
// quotation marks, and so has a text with a comma, semicolon, tab or bar in it,
// because a line that is not what the others are is more likely a mistake.
func Vector(path string) (*data.Vector, error) {
	in, err := open(path)
	if err != nil {
		return nil, err
	}
	defer in.closer()
	head, err := in.head()
	if err != nil {
		return nil, err
	}
	switch {
	case npy.SniffNPZ(head) || in.array != "":
		r, size, err := in.at()
		if err != nil {
			return nil, err
		}
		return archivedVector(r, size, in.path, in.array)
	case npy.Sniff(head):
		values, err := npy.ReadVector(in.stream, path)
		if err != nil {
			return nil, err
		}
		return &data.Vector{Name: path, Values: values}, nil
	case !csv.Sniff(head):
		return nil, &data.Error{File: path, Msg: "this is no list of values: a text with one value a line, or a NumPy vector, is expected"}
	}
	cells, err := readCells(in)
	if err != nil {
		return nil, err
	}
	if len(cells) == 0 {
		return nil, &data.Error{File: path, Msg: "the file is empty"}
	}
	return vector(path, cells)
}

// archivedVector reads an array of an .npz archive.
func archivedVector(r io.ReaderAt, size int64, path, array string) (*data.Vector, error) {
	values, err := npy.ReadNPZVector(r, size, path, array)
	if err != nil {
		return nil, err
	}
	if array != "" {
		path += ":" + array
	}
	return &data.Vector{Name: path, Values: values}, nil
}

// cell is the value of a line.
type cell struct {
	text   string
	quoted bool
}

// readCells returns the values of the lines of a text. Empty lines at the end
// do not count.
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
				"the line %s has several cells; one value a line is expected, a text with a separator in it in quotation marks", lines.Quote([]byte(strings.TrimSpace(line))))}
		}
		cells = append(cells, c)
		if c.text != "" || c.quoted {
			used = len(cells)
		}
	}
	return cells[:used], nil
}

// cut cuts blanks and quotation marks off a line. It also says whether the
// line holds one cell only.
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
	if words := strings.Fields(text); len(words) > 1 && !slices.ContainsFunc(words, func(w string) bool { return !isNumber(w) }) {
		return cell{}, false
	}
	return cell{text: text}, true
}

func isNumber(text string) bool {
	_, err := strconv.ParseFloat(text, 64)
	return err == nil || errors.Is(err, strconv.ErrRange)
}
