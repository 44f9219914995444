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
)

// MemoryError says that a promise about memory cannot be kept.
type MemoryError struct {
	File         string
	Need, Memory int64
	Cure         string
}

func (e *MemoryError) Error() string {
	return fmt.Sprintf("%s needs at least %s of memory, but only %s may be used: %s", e.File, Size(e.Need), Size(e.Memory), e.Cure)
}

// What learning takes besides the table: vectors over the columns, blocks that
// are being read, and the program itself.
const (
	perColumn = 400
	perRow    = 64
	program   = 128 << 20
)

// raw returns a table that lies in its file as it would in memory: a .npy file
// of float32 numbers in C order. It is read as it is, and may be larger than
// memory. For other tables it returns nil, or an error if it is clear that they
// need more memory than is allowed; 0 allows any.
func raw(path string, r data.Reader, memory int64) (*data.File, error) {
	in, ok := r.(*reader)
	if !ok || in.format != "npy" {
		return nil, nil
	}
	array := in.Reader.(*npy.Reader)
	if memory == 0 {
		memory = math.MaxInt64
	}
	h := array.Header()
	rows, cols := h.Shape[0], array.Schema().Width
	fixed := int64(cols)*perColumn + int64(rows)*perRow + program
	little := binary.NativeEndian.Uint16([]byte{1, 0}) == 1
	if h.Type != npy.Float32 || h.Big == little || h.Fortran || !in.plain {
		if need := 4*int64(rows)*int64(cols) + fixed; need > memory {
			return nil, &MemoryError{path, need, memory, "allow more, or write the array as float32 in C order, which need not fit"}
		}
		return nil, nil
	}
	if fixed > memory {
		return nil, &MemoryError{path, fixed, memory, "allow more"}
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	_, offset, err := npy.ReadHeader(f, path)
	if err != nil {
		f.Close()
		return nil, err
	}
	return data.NewFile(f, int64(offset), rows, cols, memory-fixed), nil
}

// limited is a reader of tables that are kept in memory, which stops when they
// take more than is allowed.
type limited struct {
	data.Reader
	path         string
	used, memory int64
}

// Next implements [data.Reader].
func (l *limited) Next(ctx context.Context) (*data.Block, error) {
	b, err := l.Reader.Next(ctx)
	if err != nil {
		return nil, err
	}
	l.used += 4*int64(len(b.Dense)) + 8*int64(len(b.Index)) + perRow*int64(b.Rows)
	cols := min(int64(l.Schema().Width), l.used/4) // of a sparse table those that occur
	if need := l.used + cols*perColumn + program; need > l.memory {
		return nil, &MemoryError{l.path, need, l.memory, "allow more, or write the table as a .npy file of float32 in C order, which need not fit"}
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
	if err != nil || !(n > 0) || n*unit > 1<<60 {
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
