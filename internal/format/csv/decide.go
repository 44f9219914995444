package csv

import (
	"bytes"
	"errors"

	"fsa/data"
	"fsa/data/kind"
	"fsa/internal/lines"
)

// decide decides what columns hold, from the rows at the start of the table. Other columns help an
// ambiguous one; if ambiguity remains, all such columns are named at once.
func (l *layout) decide(head []byte, rows [][]cell, starts []int, o *Options) error {
	l.kinds = map[int]kind.Column{}
	if o.Numeric {
		return nil
	}
	schema := &data.Schema{Width: l.width, Names: l.names}
	categorical := map[int]bool{}
	for _, ref := range o.Categorical {
		categorical[schema.FindColumn(ref)] = true
	}
	hints := o.Hints
	var unclear []int // columns
	for j := range l.width {
		if o.Stop != nil && j%256 == 0 {
			if err := o.Stop(); err != nil {
				return err
			}
		}
		if l.skip[j] {
			continue
		}
		if given, ok := o.Kinds[schema.Name(j)]; ok {
			if given.Kind != kind.Number || !given.Plain() {
				l.kinds[j] = given
			}
			continue
		}
		if categorical[j] {
			l.kinds[j] = kind.Column{Kind: kind.Category, Why: "declared"}
			continue
		}
		cells, plain := columnCells(rows, j)
		if plain && o.Hints.Decimal != ',' && o.Hints.Thousands == "" {
			continue
		}
		k, err := kind.Sniff(cells, o.Hints)
		if err != nil {
			unclear = append(unclear, j)
			continue
		}
		hints.Learn(k)
		if k.Kind != kind.Number || !k.Plain() {
			l.kinds[j] = k
		}
	}
	if o.Hints.Decimal == 0 && (hints.Decimal == ',' || len(unclear) > 0) {
		switch points := l.points(rows); {
		case points && hints.Decimal == ',': // columns disagree, so each speaks for itself
			hints.Decimal = 0
		case points:
			hints.Decimal = '.'
		case hints.Decimal == ',':
			l.review(rows, o, schema, hints)
		}
	}
	var failed []error
	for _, j := range unclear {
		cells, _ := columnCells(rows, j)
		k, err := kind.Sniff(cells, hints)
		if err != nil && o.Tolerant {
			l.doubts[j] = data.Bad{Column: j, Count: 1, Msg: err.Error()}
			k = kind.Column{Kind: kind.Category, Why: "texts whose meaning is unclear"}
		} else if err != nil {
			failed = append(failed, l.doubt(head, rows, starts, j, err))
			continue
		}
		l.kinds[j] = k
	}
	return errors.Join(failed...)
}

// points reports whether a column of plain numbers has a point that can only be a decimal mark.
func (l *layout) points(rows [][]cell) bool {
	for j := range l.width {
		if _, other := l.kinds[j]; other || l.skip[j] {
			continue
		}
		if cells, plain := columnCells(rows, j); plain && kind.HasPoint(cells) {
			return true
		}
	}
	return false
}

// review checks plain numbers again if other columns have shown that a comma is the decimal mark:
// then the points in 1.234 separate thousands.
func (l *layout) review(rows [][]cell, o *Options, schema *data.Schema, hints kind.Hints) {
	for j := range l.width {
		_, other := l.kinds[j]
		_, given := o.Kinds[schema.Name(j)]
		if other || given || l.skip[j] {
			continue
		}
		cells, plain := columnCells(rows, j)
		if k, err := kind.Sniff(cells, hints); plain && err == nil && k.Kind == kind.Number {
			k.Why = ""
			l.kinds[j] = k
		}
	}
}

// columnCells returns the cells of a column that are not missing, and whether all are
// plain numbers.
func columnCells(rows [][]cell, j int) (cells []string, plain bool) {
	plain = true
	for _, row := range rows {
		if text := row[j].text; !lines.Missing(text) {
			_, ok := number(text)
			plain = plain && ok
			cells = append(cells, string(text))
		}
	}
	return cells, plain
}

// doubt returns the error of an ambiguous column, at its first ambiguous cell.
func (l *layout) doubt(head []byte, rows [][]cell, starts []int, j int, err error) error {
	at := 0
	if d, ok := errors.AsType[*kind.Doubt](err); ok {
		for i, row := range rows {
			if string(row[j].text) == d.Cell {
				at = i
				break
			}
		}
	}
	return l.errorAt(head, l.first, starts[at], l.name(j), err.Error()+l.hint(l.first+bytes.Count(head[:starts[at]], []byte("\n"))))
}
