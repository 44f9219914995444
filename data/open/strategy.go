package open

import (
	"context"

	"fsa/data"
)

// strategy is a way to make a dataset of an opened table.
type strategy struct {
	name string
	run  func(t *opened, ctx context.Context) (*data.Dataset, error)
}

var (
	stored       = &strategy{"stored table", (*opened).readStored}
	inPlace      = &strategy{"read in place", (*opened).readInPlace}
	load         = &strategy{"load into memory", (*opened).load}
	spool        = &strategy{"spool to a paging file", (*opened).spool}
	loadAndCopy  = &strategy{"load into memory, with a copy in a paging file", (*opened).loadAndCopy}
	refuse       = &strategy{"refuse what does not fit", (*opened).refuse}
	loadOrRefuse = &strategy{"load into memory what fits", (*opened).loadOrRefuse}
	loadOrSpool  = &strategy{"load into memory, or else spool to a paging file", (*opened).loadOrSpool}
)

// inPlacer is a reader of numbers that may lie in the file as they would in memory, row
// after row, from an offset on.
type inPlacer interface {
	InPlace() (offset int64, ok bool)
}

// facts are what is known of a table before its rows are read.
type facts struct {
	rows, cells int64 // that will come; −1 where the header does not tell
	bytes       int64 // of the contents; −1 where nobody knows
	width       int   // columns
	sparse      bool
	pipe        bool // what was read of it is gone
	stored      bool // it knows its columns and reads them one by one
	inPlace     bool // its numbers lie in the file as they would in memory

	vectors bool  // no column has a role,
	drops   bool  // or some are left out
	memory  int64 // that may be used; 0 for any
	assumed bool  // nobody asked for that: it is what the machine has
	whole   bool  // all of it has to be in memory
}

// facts lists them.
func (t *opened) facts() *facts {
	s := t.Schema()
	f := &facts{
		rows: -1, cells: -1, bytes: -1, width: s.Width, sparse: s.Sparse, pipe: t.in.isPipe(),
		vectors: t.roles.VectorsOnly(), drops: len(t.roles.Drop) > 0, memory: t.o.Memory, assumed: t.o.Assumed, whole: t.o.Whole != "",
	}
	size, plain := t.in.regular()
	plain = plain && !t.several && !t.format.terse
	if plain {
		f.bytes = size
	}
	if r, ok := t.Reader.(data.Sized); ok {
		f.rows, f.cells = r.Size()
	}
	_, f.stored = t.Reader.(data.Store)
	if r, ok := t.Reader.(inPlacer); ok && plain && t.in.file != nil {
		_, f.inPlace = r.InPlace()
	}
	return f
}

// strategy chooses one.
func (f *facts) strategy() *strategy {
	switch {
	case f.stored:
		return stored
	case f.inPlace && f.vectors:
		return inPlace
	case f.memory == 0:
		return load
	case f.pipe && !f.assumed: // whatever it says of its size, its models are those of a paging file
		return spool
	case f.fits():
		return load
	case f.whole && !f.drops && f.rows >= 0:
		return refuse
	case f.whole && !f.drops, f.pipe: // without some columns a copy may fit
		return loadOrRefuse
	case f.rows >= 0:
		return spool
	case f.assumed:
		return loadOrSpool
	}
	return loadAndCopy
}

// fits reports whether a table is sure to fit into memory.
func (f *facts) fits() bool {
	n := f.bytes + 1 // a text may lack the end of its last line
	switch {
	case f.rows >= 0:
		return needs(f.rows, f.cells, f.width, f.sparse) <= f.memory
	case f.bytes < 0 || n > mostCells:
		return false
	case f.sparse: // a row takes a byte of text at least, a cell two
		return needs(n, n/2, int(n/2), true) <= f.memory
	}
	return needs(n/int64(max(f.width, 1)), n, f.width, false) <= f.memory
}

// numbers returns how many bytes the numbers of a table take, 0 where that is not known.
func (f *facts) numbers() int64 {
	size := int64(4)
	if f.sparse {
		size = 8
	}
	return size * min(max(f.cells, 0), mostCells)
}

// mostCells is more than any file holds; what claims to have more would overflow.
const mostCells = 1 << 50

// needs returns how much memory it takes to learn from so many rows and cells.
func needs(rows, cells int64, width int, sparse bool) int64 {
	size := int64(4)
	if sparse {
		size = 8
	}
	used := size*min(cells, mostCells) + perRow*min(rows, mostCells)
	return used + min(int64(width), used/4)*perColumn + program // of a sparse table the columns that occur
}

// meter counts the memory that rows take as they come in.
type meter struct {
	rows, cells, memory int64
}

// exceeds counts a block. It returns 0 if the rows fit into memory so far, else how
// much they take, or will take if the share of the input that was read tells.
func (m *meter) exceeds(b *data.Block, width int, share float64) int64 {
	m.rows += int64(b.Rows)
	m.cells += int64(len(b.Dense) + len(b.Index))
	sparse := b.Start != nil
	used := needs(m.rows, m.cells, 0, sparse) - program
	if needs(m.rows, m.cells, width, sparse) > m.memory {
		return used
	}
	// A guess has to be clear, and made of something.
	const clear, something = 1.5, 16 << 20
	if share > 0 && used > something {
		if all := float64(used) / share; all > clear*float64(m.memory) {
			return int64(all)
		}
	}
	return 0
}
