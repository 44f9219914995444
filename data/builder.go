package data

import (
	"context"
	"fmt"
	"math"
	"slices"
	"sort"

	"fsa/data/kind"
	"fsa/internal/matrix"
	"fsa/internal/parallel"
)

// Load reads everything into a dataset.
func Load(ctx context.Context, r Reader, name string, roles Roles) (*Dataset, error) {
	b := NewBuilder(name, r.Schema(), roles)
	for block, err := range Blocks(ctx, r) {
		if err != nil {
			return nil, err
		}
		if err := b.Add(block); err != nil {
			return nil, err
		}
	}
	return b.Dataset(ctx)
}

// Builder collects blocks of rows into a [Dataset].
type Builder struct {
	*Collector
	columns []Column

	dense  *matrix.Dense
	sparse *matrix.Sparse
	found  []uint32    // columns of a sparse table, by their first appearance; see occurring
	powers []power     // of these
	places numberTable // where they are in found
	codes  []uint32    // of the text variables, row after row
	texts  []textSource
	whole  int       // how many of columns are columns of the input
	probes []idProbe // columns that may be identifiers
}

// textSource says where the categories of a text variable come from.
type textSource struct {
	column int        // of the input
	part   *kind.Part // that its numbers are taken apart into; nil for texts
}

// code returns the category of a cell.
func (t *textSource) code(cell float64) uint32 {
	switch {
	case cell != cell:
		return noCode
	case t.part != nil:
		return uint32(t.part.Level(cell))
	}
	return uint32(cell)
}

// noCode marks a missing text until the number of texts is known.
const noCode = math.MaxUint32

// rowsAtATime is how many rows of a block a thread stores at a time.
const rowsAtATime = 16

// maxCategories bounds those of a text variable: with more it is hardly categorical.
const maxCategories = 100_000

// NewBuilder returns a builder for tables of the given schema, which may grow
// while blocks come in.
func NewBuilder(name string, s *Schema, roles Roles) *Builder {
	return &Builder{Collector: NewCollector(name, s, roles)}
}

// Add appends the rows of a block.
func (b *Builder) Add(block *Block) error {
	if err := block.Check(b.schema); err != nil {
		return err
	}
	if err := b.finite(block); err != nil {
		return err
	}
	before := b.rows
	if err := b.Collector.Add(block); err != nil {
		return err
	}
	if before == 0 {
		if err := b.begin(); err != nil {
			return err
		}
	}
	if b.schema.Sparse {
		b.addSparse(block)
	} else {
		b.addDense(block)
	}
	return nil
}

// finite refuses infinite cells: they have no place on any scale.
func (b *Builder) finite(block *Block) error {
	refuse := func(row, column int) error {
		return b.place(block, row, &Error{Column: b.schema.Name(column), Msg: "the value is infinite: it must be a finite number or missing"})
	}
	infinite := func(v float64) bool { return math.IsInf(v, 0) }
	if p := slices.IndexFunc(block.Dense, infinite); p >= 0 {
		return refuse(p/b.schema.Width, p%b.schema.Width)
	}
	if p := slices.IndexFunc(block.Value, infinite); p >= 0 {
		return refuse(sort.SearchInts(block.Start, p+1)-1, int(block.Index[p]))
	}
	return nil
}

// begin makes the variables of the columns that have no role.
func (b *Builder) begin() error {
	if b.schema.Sparse {
		b.sparse = matrix.NewSparse(0) // columns are counted in the end
		return nil
	}
	if err := b.schema.unique(b.taken); err != nil {
		err.File = b.name
		return err
	}
	numbers := 0
	for j := range b.schema.Width {
		if b.taken[j] {
			continue
		}
		c := Column{Index: j}
		if _, c.Text = b.schema.Categories[j]; c.Text {
			b.texts = append(b.texts, textSource{column: j})
		} else {
			numbers++
		}
		b.columns = append(b.columns, c)
	}
	if len(b.columns) == 0 {
		return &Error{File: b.name, Msg: "there is no column left to select from"}
	}
	b.whole = len(b.columns)
	b.addParts()
	b.probeIDs()
	b.dense = matrix.GrowDense(numbers)
	return nil
}

func (b *Builder) addDense(block *Block) {
	b.fitDense(block)
	b.storeDense(block)
	for i := 0; len(b.texts) > 0 && i < block.Rows; i++ {
		cells := block.Dense[i*b.schema.Width : (i+1)*b.schema.Width]
		for t := range b.texts {
			b.codes = append(b.codes, b.texts[t].code(cells[b.texts[t].column]))
		}
	}
	for k := range b.probes {
		b.probes[k].addBlock(block.Dense, b.schema.Width)
	}
}

// storeDense appends the numbers of a block.
func (b *Builder) storeDense(block *Block) {
	var (
		numbers []*Column
		index   []int
		shift   []float64
		scaled  []int // those of numbers that have units of their own
	)
	for k := range b.columns {
		c := &b.columns[k]
		if c.Text {
			continue
		}
		if c.power.exponent() != 0 {
			scaled = append(scaled, len(numbers))
		}
		numbers, index, shift = append(numbers, c), append(index, c.Index), append(shift, c.shift)
	}
	first, _ := b.dense.Dims()
	for range block.Rows {
		b.dense.Grow()
	}
	parallel.Each((block.Rows+rowsAtATime-1)/rowsAtATime, func(run int) {
		for i := run * rowsAtATime; i < min((run+1)*rowsAtATime, block.Rows); i++ {
			cells, row := block.Dense[i*b.schema.Width:(i+1)*b.schema.Width], b.dense.Row(first+i)
			for p, j := range index {
				row[p] = float32(cells[j] - shift[p])
			}
			for _, p := range scaled {
				row[p] = numbers[p].store(cells[index[p]])
			}
		}
	})
}

func (b *Builder) addSparse(block *Block) {
	at, plain := b.fitSparse(block)
	value := make([]float32, len(at))
	for p, v := range block.Value {
		if plain {
			value[p] = float32(v)
		} else {
			value[p] = b.powers[at[p]].store(v)
		}
	}
	for i := range block.Rows {
		lo, hi := block.Start[i], block.Start[i+1]
		b.sparse.Add(at[lo:hi], value[lo:hi])
	}
}

// Dataset completes the table.
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
			d.numbers = b.sparse.Dense() // smaller, and to be treated as dense
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

// complete gives a dataset its columns, texts and target.
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

// oneHot sets the text variables. Missing texts get a category of their own, the last.
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
		case NearlyUnique(len(levels), b.rows): // it will be left out, so nobody needs its texts
			for i := text; i < len(b.codes); i += len(b.texts) {
				b.codes[i] = 0
			}
			levels = levels[:1]
			d.levels[k] = levels
		}
		if n := len(levels); n > maxCategories {
			return &Error{File: b.name, Column: b.schema.Name(source.column), Msg: fmt.Sprintf("%d different texts are too many categories for a variable (at most %d): drop the column", n, maxCategories)}
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
