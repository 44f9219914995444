package main

import (
	"fmt"

	"fsa/data"
)

// kept holds columns of a table that are copied into its predictions.
type kept struct {
	schema  *data.Schema
	columns []int
}

func newKept(s *data.Schema, file string, names []string) (*kept, error) {
	k := &kept{schema: s}
	for _, name := range names {
		j := s.FindColumn(name)
		if j < 0 || s.Sparse {
			return nil, &data.Error{File: file, Msg: fmt.Sprintf("there is no column %q to keep; %s", name, s.Suggest(name))}
		}
		k.columns = append(k.columns, j)
	}
	return k, nil
}

// cells returns the cells of a block, column by column.
func (k *kept) cells(b *data.Block) [][]string {
	all := make([][]string, len(k.columns))
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
			all[at] = append(all[at], cell)
		}
	}
	return all
}
