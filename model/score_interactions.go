package model

import (
	"fmt"

	"fsa/data"
)

// pairColumns are the columns of an interaction in a table.
type pairColumns struct {
	column [2]int
	levels map[string]int // number of each category of the second variable; nil if it is a number
}

// findInteractions finds the columns of the interactions, with a function that finds a column by its name and adds it to
// what the table lacks otherwise.
func (sc *Scorer) findInteractions(find func(name string) (int, bool)) error {
	if len(sc.spec.Interactions) > 0 && sc.schema.Sparse {
		return &data.Error{Msg: "the model has interactions, which need a dense table: convert the table, as with fsa convert"}
	}
	for i := range sc.spec.Interactions {
		p := &sc.spec.Interactions[i]
		var to pairColumns
		for k, v := range p.Sides {
			j, ok := find(v.Name)
			if !ok {
				continue
			}
			to.column[k] = j
			if _, text := sc.schema.Categories[j]; text != (v.Levels != nil) {
				if text {
					return &data.Error{Column: v.Name, Msg: "it has texts, but had numbers in training"}
				}
				return &data.Error{Column: v.Name, Msg: "it has numbers, but had texts in training"}
			}
		}
		for l, text := range p.Sides[1].Levels {
			if to.levels == nil {
				to.levels = map[string]int{}
			}
			to.levels[text] = l
		}
		sc.pairs = append(sc.pairs, to)
	}
	return nil
}

// pair returns what interaction k adds to the decision values of a row, output after output.
func (sc *Scorer) pair(to []float64, k int, row []float64) error {
	p, at := &sc.spec.Interactions[k], &sc.pairs[k]
	a, b := row[at.column[0]], row[at.column[1]]
	if at.levels != nil {
		level := -1
		if b == b {
			texts := sc.schema.Categories[at.column[1]]
			if b < 0 || b >= float64(len(texts)) {
				return &data.Error{Column: p.Sides[1].Name, Msg: fmt.Sprintf("%v is not the number of one of the column's %d texts", b, len(texts))}
			}
			if l, known := at.levels[texts[int(b)]]; known {
				level = l
			} else if p.Sides[1].Rare {
				level = len(at.levels) - 1
			}
		}
		if level < 0 {
			clear(to)
			return nil
		}
		b = float64(level)
	}
	for c := range to {
		to[c] = p.part(a, b, c)
	}
	return nil
}
