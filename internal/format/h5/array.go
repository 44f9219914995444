package h5

import (
	"fmt"
	"math"
)

const (
	mostBand = 1 << 30 // bytes of the rows of chunks that lie side by side
	someBand = 1 << 20 // bytes of the rows that are read at once, if they are contiguous
)

// Array is a dataset of one or two dimensions, of which ranges of rows are read.
type Array struct {
	o           *Object
	Rows, Width int
	grid        []int64
	stored      []place
	tall        int // rows of a band
	band        int // the band that raw holds, or −1
	raw         []byte
}

// Array opens a dataset of one or two dimensions.
func (o *Object) Array() (*Array, error) {
	dims := o.space.dims
	if o.layout.how == nowhere || len(dims) < 1 || len(dims) > 2 {
		return nil, o.f.bad(fmt.Sprintf("a dataset has %d dimensions, and one or two are expected", len(dims)))
	}
	cells := o.space.cells()
	if cells < 0 || o.kind.size < 1 {
		return nil, o.f.bad("a dataset is damaged")
	}
	a := &Array{o: o, Rows: int(dims[0]), Width: 1, band: -1}
	if len(dims) == 2 {
		a.Width = int(dims[1])
	}
	row := int64(a.Width) * int64(o.kind.size)
	if int64(a.Width) > mostBand || row > mostBand || cells > math.MaxInt64/int64(o.kind.size) {
		return nil, o.f.bad("the rows of a dataset are too large")
	}
	bytes := cells * int64(o.kind.size)
	switch l := &o.layout; l.how {
	case compact:
		a.tall, a.band, a.raw = a.Rows, 0, l.inside
		if bytes > int64(len(l.inside)) {
			return nil, o.f.bad("a dataset is damaged")
		}
	case contiguous:
		a.tall = int(max(1, someBand/max(row, 1)))
		if bytes > 0 && (l.at > uint64(o.f.size) || bytes > l.length || bytes > o.f.size-int64(l.at)) {
			return nil, o.f.bad("the file is cut off, or a dataset is damaged")
		}
	case chunked:
		if len(l.chunk) != len(dims) {
			return nil, o.f.bad("a dataset is damaged")
		}
		a.tall = int(l.chunk[0])
		if cells == 0 {
			return a, nil
		}
		for d, n := range dims {
			a.grid = append(a.grid, (n+l.chunk[d]-1)/l.chunk[d])
		}
		chunk := int64(o.kind.size)
		for _, n := range l.chunk {
			if chunk *= n; chunk > mostBand {
				return nil, o.f.bad("a chunk of a dataset is larger than 1 GB: write the file with smaller chunks")
			}
		}
		if int64(min(a.tall, a.Rows))*row > mostBand {
			return nil, o.f.bad(fmt.Sprintf("%d rows are compressed together, which take more than 1 GB: write the file with smaller chunks", a.tall))
		}
		var err error
		if a.stored, err = o.chunks(a.grid); err != nil {
			return nil, err
		}
	}
	return a, nil
}

// Numeric reports whether the elements are numbers, and Textual whether they are texts.
func (a *Array) Numeric() bool { return a.o.kind.class == whole || a.o.kind.class == real }

// Textual reports whether the elements are texts.
func (a *Array) Textual() bool { return a.o.kind.class == text || a.o.kind.class == fixedText }

// Floats sets to to the numbers of the rows from lo on, as many as fit.
func (a *Array) Floats(to []float64, lo int) error {
	if !a.Numeric() {
		return a.o.f.bad("a dataset has no numbers that can be read")
	}
	return a.each(lo, len(to)/max(a.Width, 1), func(at int, raw []byte) {
		n := len(raw) / a.o.kind.size
		a.o.kind.floats(to[at*a.Width:at*a.Width+n], raw)
	})
}

// Texts returns all texts of a dataset.
func (a *Array) Texts() ([]string, error) {
	if !a.Textual() {
		return nil, a.o.f.bad("a dataset has no texts")
	}
	var all []string
	var failed error
	err := a.each(0, a.Rows, func(_ int, raw []byte) {
		texts, err := a.o.f.texts(a.o.kind, raw, len(raw)/a.o.kind.size)
		all = append(all, texts...)
		if failed == nil {
			failed = err
		}
	})
	if err == nil {
		err = failed
	}
	return all, err
}

// each calls a function with the elements of n rows from lo on, band by band; at counts rows from lo.
func (a *Array) each(lo, n int, use func(at int, raw []byte)) error {
	if lo < 0 || n < 0 || n > a.Rows-lo {
		return a.o.f.bad("a dataset is shorter than another that belongs to it")
	}
	row := a.Width * a.o.kind.size
	for at := lo; at < lo+n; {
		band := at / a.tall
		if err := a.load(band); err != nil {
			return err
		}
		first := band * a.tall
		end := min(lo+n, first+a.tall)
		use(at-lo, a.raw[(at-first)*row:(end-first)*row])
		at = end
	}
	return nil
}

// load reads a band of rows.
func (a *Array) load(band int) (err error) {
	if a.band == band {
		return nil
	}
	a.band = -1
	size := a.o.kind.size
	row := a.Width * size
	first := band * a.tall
	rows := min(a.tall, a.Rows-first)
	l := &a.o.layout
	if l.how == contiguous {
		a.raw, err = a.o.f.at(int64(l.at)+int64(first)*int64(row), int64(rows)*int64(row))
	} else {
		err = a.unpack(band, rows)
	}
	if err == nil {
		a.band = band
	}
	return err
}

// unpack reads the chunks of a band side by side.
func (a *Array) unpack(band, rows int) error {
	size := a.o.kind.size
	row := a.Width * size
	wide, across := a.Width, 1
	if len(a.grid) == 2 {
		wide, across = int(a.o.layout.chunk[1]), int(a.grid[1])
	}
	want := int64(a.tall) * int64(wide) * int64(size)
	var raw []byte
	for j := range across {
		b, err := a.o.unpacked(a.stored[band*across+j], want)
		if err != nil {
			return err
		}
		if across == 1 && wide == a.Width {
			raw = b[:rows*row]
			break
		}
		if raw == nil {
			raw = make([]byte, rows*row)
		}
		from := j * wide * size
		n := min(wide*size, row-from)
		for i := range rows {
			copy(raw[i*row+from:i*row+from+n], b[i*wide*size:])
		}
	}
	a.raw = raw
	return nil
}
