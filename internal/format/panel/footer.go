package panel

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"

	"fsa/data"
	"fsa/data/kind"
)

// footer describes a table without its cells.
type footer struct {
	sparse     bool
	rows       int
	width      int
	height     int // rows of every panel except the last
	labels     bool
	queries    bool
	open       bool
	names      []string // nil without
	categories map[int][]string
	kinds      map[int]kind.Column // nil without
	groups     []group
	columns    []column // all of a dense table, those with values of a sparse one
}

// group is a panel or a group of sparse rows.
type group struct {
	offset int64
	rows   int
	cells  int // listed by a sparse group
	wide   bool
	check  uint32 // checksum of its checksums
}

// column describes a column.
type column struct {
	index uint32
	wide  uint32 // the first panel in which it is stored as float64
	data.Profile
}

const (
	groupBytes  = 32
	columnBytes = 56
)

// append appends the footer to b.
func (f *footer) append(b []byte) []byte {
	le := binary.LittleEndian
	var flags uint32
	for flag, set := range map[uint32]bool{flagNames: f.names != nil, flagLabels: f.labels, flagQueries: f.queries, flagOpen: f.open, flagKinds: len(f.kinds) > 0} {
		if set {
			flags |= flag
		}
	}
	size := 64 + groupBytes*len(f.groups) + columnBytes*len(f.columns) // of most of it
	for _, name := range f.names {
		size += 2 + len(name)
	}
	b = slices.Grow(b, size+trailerBytes)
	b = le.AppendUint64(b, uint64(f.rows))
	b = le.AppendUint64(b, uint64(f.width))
	b = le.AppendUint32(b, uint32(f.height))
	b = le.AppendUint32(b, flags)
	b = le.AppendUint32(b, uint32(len(f.groups)))
	b = le.AppendUint32(b, uint32(len(f.columns)))
	for i := range f.groups {
		b = f.groups[i].append(b)
	}
	for _, c := range f.columns {
		b = le.AppendUint32(b, c.index)
		b = le.AppendUint32(b, c.wide)
		b = le.AppendUint64(b, uint64(c.Cells))
		b = le.AppendUint64(b, uint64(c.Missing))
		for _, v := range []float64{c.Mean, c.SD, c.Min, c.Max} {
			b = le.AppendUint64(b, math.Float64bits(v))
		}
	}
	for _, name := range f.names {
		b = appendText(b, name)
	}
	b = le.AppendUint32(b, uint32(len(f.categories)))
	for _, j := range slices.Sorted(maps.Keys(f.categories)) {
		b = le.AppendUint32(b, uint32(j))
		b = le.AppendUint32(b, uint32(len(f.categories[j])))
		for _, text := range f.categories[j] {
			b = appendText(b, text)
		}
	}
	if len(f.kinds) > 0 {
		text, err := json.Marshal(f.kinds)
		if err != nil {
			panic(err) // of names and texts only
		}
		b = appendText(b, string(text))
	}
	return b
}

func (g *group) append(b []byte) []byte {
	le := binary.LittleEndian
	wide := uint32(0)
	if g.wide {
		wide = 1
	}
	b = le.AppendUint64(b, uint64(g.offset))
	b = le.AppendUint64(b, uint64(g.cells))
	b = le.AppendUint32(b, uint32(g.rows))
	b = le.AppendUint32(b, wide)
	b = le.AppendUint32(b, g.check)
	return le.AppendUint32(b, 0)
}

func appendText(b []byte, text string) []byte {
	return append(binary.AppendUvarint(b, uint64(len(text))), text...)
}

// cursor parses a footer. After an error everything it returns is zero.
type cursor struct {
	b      []byte
	failed bool
}

func (c *cursor) take(n uint64) []byte {
	if c.failed || n > uint64(len(c.b)) {
		c.failed = true
		return nil
	}
	b := c.b[:n]
	c.b = c.b[n:]
	return b
}

func (c *cursor) u32() uint32 {
	if b := c.take(4); b != nil {
		return binary.LittleEndian.Uint32(b)
	}
	return 0
}

func (c *cursor) u64() uint64 {
	if b := c.take(8); b != nil {
		return binary.LittleEndian.Uint64(b)
	}
	return 0
}

// size returns a number that must be at most most.
func (c *cursor) size(most uint64) int {
	n := c.u64()
	if n > most {
		c.failed, n = true, 0
	}
	return int(n)
}

// count returns the number of things that follow, of at least the given size.
func (c *cursor) count(size int) int {
	n := int(c.u32())
	if n > len(c.b)/size {
		c.failed, n = true, 0
	}
	return n
}

func (c *cursor) group() group {
	g := group{offset: int64(c.size(1 << 62)), cells: c.size(1 << 48), rows: int(c.u32()), wide: c.u32() == 1, check: c.u32()}
	c.u32()
	return g
}

func (c *cursor) text() string {
	n, used := binary.Uvarint(c.b)
	if used <= 0 {
		c.failed = true
		return ""
	}
	c.take(uint64(used))
	return string(c.take(n))
}

// parseFooter parses a footer, for a file whose groups end before end.
func parseFooter(b []byte, sparse bool, end int64) (*footer, error) {
	c := &cursor{b: b}
	f := &footer{sparse: sparse}
	f.rows = c.size(1 << 48)
	f.width = c.size(1 << 32)
	f.height = int(c.u32())
	flags := c.u32()
	f.labels, f.queries, f.open = flags&flagLabels != 0, flags&flagQueries != 0, flags&flagOpen != 0
	groups, columns := c.count(groupBytes), int(c.u32())
	f.groups = make([]group, groups)
	for i := range f.groups {
		f.groups[i] = c.group()
	}
	if columns > len(c.b)/columnBytes {
		return nil, fmt.Errorf("%d columns are only partly in it", columns)
	}
	f.columns = make([]column, columns)
	for i := range f.columns {
		col := &f.columns[i]
		col.index, col.wide = c.u32(), c.u32()
		col.Cells = c.size(uint64(f.rows))
		col.Missing = c.size(uint64(col.Cells))
		for _, v := range []*float64{&col.Mean, &col.SD, &col.Min, &col.Max} {
			*v = math.Float64frombits(c.u64())
		}
	}
	if flags&flagNames != 0 && f.width <= len(c.b) {
		f.names = make([]string, f.width)
		for j := range f.names {
			f.names[j] = c.text()
		}
	} else if flags&flagNames != 0 {
		return nil, fmt.Errorf("there are no names for %d columns", f.width)
	}
	if n := c.count(8); n > 0 {
		f.categories = map[int][]string{}
		for range n {
			j := int(c.u32())
			texts := make([]string, c.count(1))
			for k := range texts {
				texts[k] = c.text()
			}
			f.categories[j] = texts
		}
	}
	if flags&flagKinds != 0 {
		if err := json.Unmarshal([]byte(c.text()), &f.kinds); err != nil {
			return nil, fmt.Errorf("it does not have the kinds of columns: %w", err)
		}
	}
	if c.failed || len(c.b) > 0 {
		return nil, fmt.Errorf("it ends too soon or too late")
	}
	return f, f.validate(end)
}

// validate checks that the parts of a footer agree.
func (f *footer) validate(end int64) error {
	if f.width < 1 && !f.sparse || !f.sparse && (len(f.columns) != f.width || f.height < 1) {
		return fmt.Errorf("%d columns in panels of %d rows, but %d columns are described", f.width, f.height, len(f.columns))
	}
	if f.height > max(f.rows, runBytes/4) { // a small table may have less than a panel, but no panel is higher
		return fmt.Errorf("panels of %d rows in a table of %d", f.height, f.rows)
	}
	rows, last := 0, int64(page)
	for i := range f.groups {
		g := &f.groups[i]
		if g.rows < 1 || !f.sparse && g.rows != min(f.height, f.rows-rows) || g.offset < last || g.offset%page != 0 || f.groupSize(i) > end-g.offset {
			return fmt.Errorf("group %d of %d rows at %d is impossible", i, g.rows, g.offset)
		}
		rows += g.rows
		last = g.offset + f.groupSize(i)
	}
	if rows != f.rows {
		return fmt.Errorf("%d rows are listed of %d", rows, f.rows)
	}
	before := -1
	for i, c := range f.columns {
		ascending := int(c.index) > before && int(c.index) < f.width && (f.sparse || int(c.index) == i)
		before = int(c.index)
		described := !math.IsInf(c.Min, 0) && !math.IsInf(c.Max, 0) && c.Min <= c.Max && (c.SD >= 0 || c.SD == -1) && !math.IsInf(c.SD, 0) && c.Mean >= c.Min && c.Mean <= c.Max
		if !ascending || !described || !f.sparse && c.Cells != f.rows || !plausible(&c.Profile, f.rows) {
			return fmt.Errorf("the description of column %d is impossible", c.index)
		}
	}
	for j := range f.categories {
		if f.sparse || j >= f.width {
			return fmt.Errorf("column %d has texts and does not exist", j)
		}
	}
	for j, k := range f.kinds {
		_, text := f.categories[j]
		if err := k.Check(); err != nil || j < 0 || j >= f.width || f.sparse || text != k.Text() {
			return fmt.Errorf("the kind of column %d is impossible", j)
		}
	}
	return nil
}

// plausible reports whether numbers can be distributed like this: n of them, of which one is the
// smallest and one the largest, have at least that standard deviation, and at most that of numbers
// at the two extremes.
func plausible(p *data.Profile, rows int) bool {
	span := p.Max - p.Min
	if p.SD < 0 || math.IsInf(span, 0) {
		return true
	}
	n := float64(max(rows-p.Missing, 1))
	return p.SD >= 0.9*span/math.Sqrt(2*n) && p.SD <= 0.51*span
}

// checks returns the number of checksums of a group.
func (f *footer) checks() int {
	n := f.width
	if f.sparse {
		n = 3
	}
	for _, more := range []bool{f.labels, f.queries} {
		if more {
			n++
		}
	}
	return n
}

// groupSize returns the bytes of a group.
func (f *footer) groupSize(i int) int64 {
	g := &f.groups[i]
	rows := int64(g.rows)
	size := 4 * int64(f.checks())
	if f.labels {
		size += 8 * rows
	}
	if f.queries {
		size += 8 * rows
	}
	if f.sparse {
		return size + 4*rows + int64(g.cells)*(4+int64(g.valueSize()))
	}
	return size + 4*rows*int64(f.width+f.wideBefore(i, f.width))
}

// valueSize returns the bytes of a value in a sparse group.
func (g *group) valueSize() int {
	if g.wide {
		return 8
	}
	return 4
}

// wideBefore returns how many of the first n columns are stored as float64 in panel i.
func (f *footer) wideBefore(i, n int) int {
	wide := 0
	for _, c := range f.columns[:n] {
		if c.wide <= uint32(i) {
			wide++
		}
	}
	return wide
}

// schema returns the schema of the table.
func (f *footer) schema() *data.Schema {
	return &data.Schema{Width: f.width, Names: f.names, Categories: f.categories, Kinds: f.kinds, Sparse: f.sparse, Open: f.open}
}
