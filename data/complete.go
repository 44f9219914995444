package data

import (
	"context"
	"fmt"

	"fsa/internal/matrix"
)

// Dataset returns the complete table.
func (b *Builder) Dataset(ctx context.Context) (*Dataset, error) {
	if b.rows == 0 {
		return nil, &Error{File: b.name, Msg: "there are no rows"}
	}
	d := &Dataset{Name: b.name, schema: b.schema, rows: b.rows}
	if b.schema.Sparse {
		b.sortColumns()
		d.width = b.schema.Width
		d.numbers = b.sparse
		if 2*b.sparse.Cells() >= b.rows*b.schema.Width {
			d.numbers = b.sparse.Dense() // smaller, and treated as dense from here on
		}
	} else {
		d.numbers = b.dense
	}
	if err := b.complete(d); err != nil {
		return nil, err
	}
	if err := d.measure(ctx); err != nil {
		return nil, err
	}
	return d, d.addIndicators(ctx)
}

// complete sets the columns, texts and target of a dataset.
func (b *Builder) complete(d *Dataset) error {
	d.Columns, d.places, d.whole = b.columns, placesOf(b.columns), b.whole
	if b.schema.Sparse {
		d.whole = len(b.columns)
	} else if err := b.oneHot(d); err != nil {
		return err
	}
	b.leaveOut(d)
	if !b.schema.Sparse {
		d.width = b.whole - len(d.left)
	}
	var err error
	d.Target, err = b.Target()
	return err
}

// MaxCategories is the largest number of categories of a text variable.
const MaxCategories = 100_000

// oneHot sets the text variables. Missing texts get their own category, the last.
func (b *Builder) oneHot(d *Dataset) error {
	if len(b.texts) == 0 {
		return nil
	}
	d.levels, d.pools = map[int][]string{}, map[int]*pool{}
	categories := make([]int, len(b.texts))
	text := 0
	for k := range b.columns {
		if !b.columns[k].Text {
			continue
		}
		source := b.texts[text]
		levels := b.schema.Categories[source.column]
		switch {
		case source.part != nil:
			levels = source.part.Levels
			d.levels[k] = levels
		case b.used(source.column):
		case NearlyUnique(len(levels), b.rows): // the column will be left out, so its texts are not needed
			for i := text; i < len(b.codes); i += len(b.texts) {
				b.codes[i] = 0
			}
			levels = levels[:1]
			d.levels[k] = levels
		}
		if n := len(levels); n > MaxCategories {
			return &Error{File: b.name, Column: b.schema.Name(source.column), Msg: fmt.Sprintf("%d different texts are too many categories for a variable (at most %d): drop the column", n, MaxCategories)}
		}
		categories[text] = len(levels)
		count := make([]int, len(levels))
		for i := text; i < len(b.codes); i += len(b.texts) {
			if b.codes[i] == noCode {
				categories[text] = len(levels) + 1
				b.codes[i] = uint32(len(levels))
			} else {
				count[b.codes[i]]++
			}
		}
		if source.part == nil && !b.used(source.column) {
			d.pools[k] = newPool(levels, count)
		}
		text++
	}
	d.texts = matrix.NewOneHot(categories, b.codes)
	return nil
}
