package real

import (
	"slices"

	"fsa/data"
	"fsa/data/kind"
)

// column describes a column of a table.
type column struct {
	name string
	kind kind.Column
	// texts are the categories; cells are indices in this list. nil for numbers.
	texts []string
}

// hasTexts reports whether a column holds texts.
func (t *Table) hasTexts() bool { return len(t.textColumns()) > 0 }

// textColumns lists the columns of texts.
func (t *Table) textColumns() []int {
	out := []int{}
	for j, c := range t.columns {
		if c.texts != nil {
			out = append(out, j)
		}
	}
	return out
}

// describe adds the kinds of columns to a schema. Categories are those that occur in these rows, as
// if the rows were in a file; the cells are changed accordingly.
func (t *Table) describe(s *data.Schema, cells []float64) {
	if t.columns == nil {
		return
	}
	s.Categories, s.Kinds = map[int][]string{}, map[int]kind.Column{}
	for j, c := range t.columns {
		s.Names = append(s.Names, c.name)
		s.Kinds[j] = c.kind
		if c.texts == nil {
			continue
		}
		var present []string
		for i := j; i < len(cells); i += t.Cols {
			if cells[i] != cells[i] {
				continue
			}
			text := c.texts[int(cells[i])]
			code := slices.Index(present, text)
			if code < 0 {
				code = len(present)
				present = append(present, text)
			}
			cells[i] = float64(code)
		}
		s.Categories[j] = present
	}
}
