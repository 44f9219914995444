package open

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"strconv"
	"strings"

	"fsa/data"
	"fsa/data/npy"
	"fsa/data/panel"
	"fsa/internal/matrix/paged"
)

// MemoryError says that a promise about memory cannot be kept.
type MemoryError struct {
	File         string
	Need, Memory int64 // Need is 0 where it is not known
	Cure         string
}

func (e *MemoryError) Error() string {
	if e.Need == 0 {
		return fmt.Sprintf("%s does not fit into memory, of which %s may be used: %s", e.File, Size(e.Memory), e.Cure)
	}
	return fmt.Sprintf("%s needs at least %s of memory, but only %s may be used: %s", e.File, Size(e.Need), Size(e.Memory), e.Cure)
}

// What learning takes besides the table: vectors over the columns, blocks that
// are being read, and the program itself.
const (
	perColumn = 400
	perRow    = 64
	program   = 128 << 20
)

// fixed returns what learning from a table of this size takes besides its
// numbers. Texts is the number of text columns.
func fixed(rows, cols, texts int) int64 {
	return int64(cols)*perColumn + int64(rows)*(perRow+4*int64(texts)) + program
}

// room returns how much memory is left for the numbers of a table; 0 allows
// any. It refuses a table whose last o.Least columns alone take more.
func (o *Options) room(path string, rows, cols, texts int) (int64, error) {
	if o.Memory == 0 {
		return math.MaxInt64, nil
	}
	need := fixed(rows, cols, texts)
	if need > o.Memory {
		return 0, &MemoryError{path, need, o.Memory, "allow more"}
	}
	if least := need + 4*int64(rows)*int64(min(o.Least, cols)); least > o.Memory {
		return 0, &MemoryError{path, least, o.Memory, fmt.Sprintf("allow more, or select fewer than %d columns", o.Least)}
	}
	return o.Memory - need, nil
}

// raw returns a table that lies in its file as it would in memory: a .npy file
// of float32 numbers in C order. It is read as it is, and may be larger than
// memory. Others that are known not to fit are reported as [tooLarge].
func raw(path string, r *reader, o *Options) (*paged.Dense, error) {
	if r.format != "npy" {
		return nil, nil
	}
	array := r.Reader.(*npy.Reader)
	h := array.Header()
	rows, cols := h.Shape[0], array.Schema().Width
	room, err := o.room(path, rows, cols, 0)
	if err != nil {
		return nil, err
	}
	little := binary.NativeEndian.Uint16([]byte{1, 0}) == 1
	if h.Type != npy.Float32 || h.Big == little || h.Fortran || !r.plain {
		if need := 4 * int64(rows) * int64(cols); need > room {
			return nil, &tooLarge{need}
		}
		return nil, nil
	}
	f, err := os.Open(path) // it stays open as long as the dataset is used
	if err != nil {
		return nil, err
	}
	_, offset, err := npy.ReadHeader(f, path)
	if err != nil {
		f.Close()
		return nil, err
	}
	return paged.NewPlain(bare{f}, int64(offset), rows, cols, room), nil
}

// stored returns a table that lies in the layout of fsa. It may be larger than
// memory.
func stored(ctx context.Context, path string, r *reader, roles data.Roles, o *Options) (*data.Dataset, error) {
	t := r.Reader.(*panel.Reader).Table
	if r.plain {
		f, err := os.Open(path) // it stays open as long as the dataset is used
		if err != nil {
			return nil, err
		}
		if t, err = openTable(f, path); err != nil {
			f.Close()
			return nil, err
		}
	}
	return fromTable(ctx, path, t, roles, o)
}

// openTable opens a file in the layout of fsa.
func openTable(f *os.File, path string) (*panel.Table, error) {
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	return panel.Open(bare{f}, info.Size(), path)
}

// fromTable returns the dataset of a table in the layout of fsa.
func fromTable(ctx context.Context, path string, t *panel.Table, roles data.Roles, o *Options) (*data.Dataset, error) {
	rows, cols := t.Dims()
	limit := *o
	if t.Schema().Sparse {
		cols, limit.Least = len(t.Occurring()), 0 // its columns are not full
	}
	room, err := limit.room(path, rows, cols, len(t.Schema().Levels))
	if err != nil {
		return nil, err
	}
	if err := o.checkStored(path, t, &roles, room); err != nil {
		return nil, err
	}
	return data.FromStore(ctx, path, t, roles, room)
}

// limited is a reader of tables that are kept in memory, which stops when they
// take more than is allowed, or soon will.
type limited struct {
	*reader
	used, memory int64
}

// tooLarge says that a table does not fit into memory, and how much it takes,
// as far as is known.
type tooLarge struct{ need int64 }

func (e *tooLarge) Error() string { return "the table takes " + Size(e.need) }

// Next implements [data.Reader].
func (l *limited) Next(ctx context.Context) (*data.Block, error) {
	b, err := l.reader.Next(ctx)
	if err != nil {
		return nil, err
	}
	l.used += 4*int64(len(b.Dense)) + 8*int64(len(b.Index)) + perRow*int64(b.Rows)
	cols := min(int64(l.Schema().Width), l.used/4) // of a sparse table those that occur
	rest := cols*perColumn + program
	if l.used+rest > l.memory {
		return nil, &tooLarge{l.used}
	}
	// A guess has to be clear, and made of something.
	const clear, something = 1.5, 16 << 20
	if share := l.progress(); l.used > something && share > 0 {
		if all := float64(l.used) / share; all > clear*float64(l.memory) {
			return nil, &tooLarge{int64(all)}
		}
	}
	return b, nil
}

// ParseSize reads a number of bytes such as 8GiB, 500MB or 1e9.
func ParseSize(text string) (int64, error) {
	number, unit := text, 1.0
	for _, u := range []struct {
		name string
		size float64
	}{{"KiB", 1 << 10}, {"MiB", 1 << 20}, {"GiB", 1 << 30}, {"TiB", 1 << 40}, {"KB", 1e3}, {"MB", 1e6}, {"GB", 1e9}, {"TB", 1e12}, {"K", 1 << 10}, {"M", 1 << 20}, {"G", 1 << 30}, {"T", 1 << 40}, {"B", 1}} {
		if cut, ok := strings.CutSuffix(text, u.name); ok {
			number, unit = strings.TrimSpace(cut), u.size
			break
		}
	}
	n, err := strconv.ParseFloat(number, 64)
	if err != nil || !(n*unit >= 1) || n*unit > 1<<60 {
		return 0, fmt.Errorf("%q is not a size: write for example 8GiB or 500MB", text)
	}
	return int64(n * unit), nil
}

// Size writes a number of bytes for a person.
func Size(n int64) string {
	for _, u := range []struct {
		name string
		size int64
	}{{"TiB", 1 << 40}, {"GiB", 1 << 30}, {"MiB", 1 << 20}} {
		if n >= u.size {
			return fmt.Sprintf("%.1f %s", float64(n)/float64(u.size), u.name)
		}
	}
	return fmt.Sprintf("%d bytes", n)
}
