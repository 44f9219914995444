package open

import (
	"context"

	"fsa/data"
)

// strategy is a way to create a dataset from an opened table.
type strategy struct {
	name string
	run  func(t *opened, ctx context.Context) (*data.Dataset, error)
}

var (
	stored       = &strategy{"stored table", (*opened).readStored}
	inPlace      = &strategy{"read in place", (*opened).readInPlace}
	load         = &strategy{"load into memory", (*opened).load}
	spool        = &strategy{"spool to a paging file", (*opened).spool}
	loadAndCopy  = &strategy{"load into memory, and copy to a paging file", (*opened).loadAndCopy}
	refuse       = &strategy{"refuse what does not fit", (*opened).refuse}
	loadOrRefuse = &strategy{"load into memory what fits", (*opened).loadOrRefuse}
	loadOrSpool  = &strategy{"load into memory, or if that fails copy to a paging file", (*opened).loadOrSpool}
)

// inPlacer is a reader of numbers that may be stored in the file as in memory, row after row,
// starting at an offset.
type inPlacer interface {
	InPlace() (offset int64, ok bool)
}

// facts are the properties of a table that are known before its rows are read.
type facts struct {
	rows, cells int64 // numbers of rows and cells; −1 if the header does not have them
	bytes       int64 // size of the contents; −1 if it is unknown
	width       int   // number of columns
	sparse      bool
	pipe        bool // it can be read only once
	stored      bool // columns are known and can be read one by one
	inPlace     bool // its numbers are stored in the file as in memory

	vectors bool  // no column has a role
	drops   bool  // some columns are left out
	memory  int64 // memory that may be used; 0 means no limit
	assumed bool  // the memory was not given but is that of the machine
	whole   bool  // the whole table must be in memory
}

// facts returns the facts.
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

// strategy chooses a strategy.
func (f *facts) strategy() *strategy {
	switch {
	case f.stored:
		return stored
	case f.inPlace && f.vectors:
		return inPlace
	case f.memory == 0:
		return load
	case f.pipe && !f.assumed: // whatever size it claims, its models are those of a paging file
		return spool
	case f.fits():
		return load
	case f.whole && !f.drops && f.rows >= 0:
		return refuse
	case f.whole && !f.drops, f.pipe: // without the columns that are left out, a copy may fit
		return loadOrRefuse
	case f.rows >= 0:
		return spool
	case f.assumed:
		return loadOrSpool
	}
	return loadAndCopy
}

// fits reports whether a table is certain to fit into memory.
func (f *facts) fits() bool {
	n := f.bytes + 1 // the last line of a text may lack its line feed
	switch {
	case f.rows >= 0:
		return needs(f.rows, f.cells, f.width, f.sparse) <= f.memory
	case f.bytes < 0 || n > mostCells:
		return false
	case f.sparse: // a row takes at least one byte of text, a cell two
		return needs(n, n/2, int(n/2), true) <= f.memory
	}
	return needs(n/int64(max(f.width, 1)), n, f.width, false) <= f.memory
}

// numbers returns the number of bytes that the numbers of a table take, or 0 if it is unknown.
func (f *facts) numbers() int64 {
	size := int64(4)
	if f.sparse {
		size = 8
	}
	return size * min(max(f.cells, 0), mostCells)
}

// mostCells is more than any file has; larger claims would overflow.
const mostCells = 1 << 50

// needs returns the memory needed to train on the given numbers of rows and cells.
func needs(rows, cells int64, width int, sparse bool) int64 {
	size := int64(4)
	if sparse {
		size = 8
	}
	used := size*min(cells, mostCells) + perRow*min(rows, mostCells)
	return used + min(int64(width), used/4)*perColumn + program // for a sparse table, the columns with values
}

// meter adds up the memory of rows as they are read.
type meter struct {
	rows, cells, memory int64
}

// exceeds adds a block. It returns 0 if the rows fit into memory so far. Otherwise it returns the
// memory they take, or will take according to the share of the input that has been read.
func (m *meter) exceeds(b *data.Block, width int, share float64) int64 {
	m.rows += int64(b.Rows)
	m.cells += int64(len(b.Dense) + len(b.Index))
	sparse := b.Start != nil
	used := needs(m.rows, m.cells, 0, sparse) - program
	if needs(m.rows, m.cells, width, sparse) > m.memory {
		return used
	}
	// An estimate must exceed the limit clearly, and must be based on enough data.
	const clear, something = 1.5, 16 << 20
	if share > 0 && used > something {
		if all := float64(used) / share; all > clear*float64(m.memory) {
			return int64(all)
		}
	}
	return 0
}
