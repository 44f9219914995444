package data

import (
	"context"
	"fmt"
	"math"
	"slices"
	"sort"

	"fsa/data/kind"
	"fsa/internal/kernel"
	"fsa/internal/matrix"
	"fsa/internal/parallel"
)

// Load reads everything into a dataset.
func Load(ctx context.Context, r Reader, name string, roles Roles) (*Dataset, error) {
	b := NewBuilder(name, r.Schema(), roles)
	if s, ok := r.(Sized); ok {
		rows, _ := s.Size()
		b.expected = int(rows)
	}
	if c, ok := r.(ByColumn); ok {
		if err := b.readColumns(ctx, c); err != nil {
			return nil, err
		}
		return b.Dataset(ctx)
	}
	for block, err := range Blocks(ctx, r) {
		if err != nil {
			return nil, err
		}
		if err := b.Add(block); err != nil {
			return nil, err
		}
		if block.Reuse != nil {
			block.Reuse()
		}
	}
	return b.Dataset(ctx)
}

// Builder collects blocks of rows into a [Dataset].
type Builder struct {
	*Collector
	columns  []Column
	expected int // rows, if somebody said so

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

// columnsAtATime is how many columns of a block a thread stores at a time.
const columnsAtATime = 256

// MaxCategories bounds those of a text variable: with more it is hardly categorical.
const MaxCategories = 100_000

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
	if err := b.finiteCells(block); err != nil {
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
		return nil
	}
	return b.addDense(block)
}

// finiteCells refuses a sparse block with infinite cells: they have no place on any scale.
func (b *Builder) finiteCells(block *Block) error {
	if p := slices.IndexFunc(block.Value, infinite); p >= 0 {
		return b.infinite(block, sort.SearchInts(block.Start, p+1)-1, int(block.Index[p]))
	}
	return nil
}

// finite refuses a dense block in which the largest number of a column is infinite.
func (b *Builder) finite(block *Block, largest []float64, index []int) error {
	p := slices.IndexFunc(largest, infinite)
	if p < 0 {
		return nil
	}
	b.rows -= block.Rows // which are not among them
	i := 0
	for !infinite(block.Dense[i*b.schema.Width+index[p]]) {
		i++
	}
	return b.infinite(block, i, index[p])
}

func infinite(v float64) bool { return math.IsInf(v, 0) }

func (b *Builder) infinite(block *Block, row, column int) error {
	return b.place(block, row, &Error{Column: b.schema.Name(column), Msg: infiniteCell})
}

const infiniteCell = "the value is infinite: it must be a finite number or missing"

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
	b.dense.Reserve(b.expected)
	return nil
}

func (b *Builder) addDense(block *Block) error {
	b.fitShifts(block)
	if err := b.storeDense(block); err != nil {
		return err
	}
	for i := 0; len(b.texts) > 0 && i < block.Rows; i++ {
		cells := block.Dense[i*b.schema.Width : (i+1)*b.schema.Width]
		for t := range b.texts {
			b.codes = append(b.codes, b.texts[t].code(cells[b.texts[t].column]))
		}
	}
	for k := range b.probes {
		b.probes[k].addBlock(block.Dense, b.schema.Width)
	}
	return nil
}

// storeDense appends the numbers of a block. They are read once, and stored as they are
// less their shift; those of the few columns that have a unit are stored again with it.
func (b *Builder) storeDense(block *Block) error {
	var (
		numbers []*Column
		index   []int
		shift   []float64
	)
	for k := range b.columns {
		if c := &b.columns[k]; !c.Text {
			numbers, index, shift = append(numbers, c), append(index, c.Index), append(shift, c.shift)
		}
	}
	first, _ := b.dense.Dims()
	for range block.Rows {
		b.dense.Grow()
	}
	width, largest := b.schema.Width, make([]float64, len(numbers))
	parallel.Each((len(index)+columnsAtATime-1)/columnsAtATime, func(stripe int) {
		lo, hi := stripe*columnsAtATime, min((stripe+1)*columnsAtATime, len(index))
		side, cells := sideBySide(index[lo:hi]), make([]float64, hi-lo)
		for i := range block.Rows {
			row := block.Dense[i*width : (i+1)*width]
			if side {
				cells = row[index[lo] : index[lo]+hi-lo]
			} else {
				for p, j := range index[lo:hi] {
					cells[p] = row[j]
				}
			}
			kernel.ToFloat32(b.dense.Row(first + i)[lo:hi], largest[lo:hi], cells, shift[lo:hi])
		}
	})
	if err := b.finite(block, largest, index); err != nil {
		return err
	}
	b.fitUnits(first, numbers, largest)
	for p, c := range numbers {
		if c.power.exponent() == 0 {
			continue
		}
		for i := range block.Rows {
			b.dense.Row(first + i)[p] = c.store(block.Dense[i*width+c.Index])
		}
	}
	return nil
}

// sideBySide says whether columns lie one after the other.
func sideBySide(index []int) bool {
	for p, j := range index {
		if j != index[0]+p {
			return false
		}
	}
	return true
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
