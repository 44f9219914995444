package main

import (
	"fmt"

	"fsa/data"
)

// kept are columns of a table that are copied into its predictions.
type kept struct {
	schema  *data.Schema
	names   []string
	columns []int
	cells   [][]string // of each column
}

func newKept(s *data.Schema, file string, names []string) (*kept, error) {
	k := &kept{schema: s, names: names, cells: make([][]string, len(names))}
	for _, name := range names {
		j := s.FindColumn(name)
		if j < 0 || s.Sparse {
			return nil, &data.Error{File: file, Msg: fmt.Sprintf("there is no column %q to keep; %s", name, s.Suggest(name))}
		}
		k.columns = append(k.columns, j)
	}
	return k, nil
}

// add copies the cells of a block.
func (k *kept) add(b *data.Block) {
	for at, j := range k.columns {
		texts, text := k.schema.Categories[j]
		kind := k.schema.KindOf(j)
		for i := range b.Rows {
			cell, x := "", b.Dense[i*k.schema.Width+j]
			switch {
			case x != x: // missing
			case text:
				cell = texts[int(x)]
			case kind.Parts() != nil:
				cell = kind.Show(x)
			default:
				cell = exactly(x)
			}
			k.cells[at] = append(k.cells[at], cell)
		}
	}
}

// row returns the cells of row i.
func (k *kept) row(i int) []string {
	row := make([]string, len(k.columns))
	for at := range row {
		row[at] = k.cells[at][i]
	}
	return row
}

// byName returns the columns; nil without any.
func (k *kept) byName() map[string][]string {
	if len(k.names) == 0 {
		return nil
	}
	all := map[string][]string{}
	for at, name := range k.names {
		all[name] = k.cells[at]
	}
	return all
}
