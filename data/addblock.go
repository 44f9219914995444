package data

import (
	"slices"
	"sort"

	"fsa/internal/kernel"
	"fsa/internal/matrix"
	"fsa/internal/parallel"
)

// columnsAtATime is the number of columns of a block that a thread stores at a time.
const columnsAtATime = 256

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

// finiteCells returns an error if a sparse block has infinite cells, which cannot be scaled.
func (b *Builder) finiteCells(block *Block) error {
	if p := slices.IndexFunc(block.Value, infinite); p >= 0 {
		return b.infinite(block, sort.SearchInts(block.Start, p+1)-1, int(block.Index[p]))
	}
	return nil
}

// finite returns an error if the largest number of a column of a dense block is infinite.
func (b *Builder) finite(block *Block, largest []float64, index []int) error {
	p := slices.IndexFunc(largest, infinite)
	if p < 0 {
		return nil
	}
	b.rows -= block.Rows // the rows of this block are not counted
	i := 0
	for !infinite(block.Dense[i*b.schema.Width+index[p]]) {
		i++
	}
	return b.infinite(block, i, index[p])
}

func (b *Builder) infinite(block *Block, row, column int) error {
	return b.place(block, row, &Error{Column: b.schema.Name(column), Msg: infiniteCell})
}

// begin creates the variables of the columns without a role.
func (b *Builder) begin() error {
	if b.schema.Sparse {
		b.sparse = matrix.NewSparse(0) // the columns are counted at the end
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

// storeDense appends the numbers of a block. They are read once and stored minus their shift. The
// numbers of the few columns with another unit are then stored again in that unit.
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

// sideBySide reports whether columns are adjacent.
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
