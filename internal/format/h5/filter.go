package h5

import (
	"bytes"
	"fmt"
	"io"

	"github.com/klauspost/compress/zlib"
)

// filter is a step by which chunks were written.
type filter struct {
	id     uint16
	values []uint32
}

// Filters that can be undone.
const (
	filterDeflate  = 1
	filterShuffle  = 2
	filterChecksum = 3
	filterLZF      = 32000
)

func (f *File) pipeline(m *cursor) (list []filter, err error) {
	version, n := m.u8(), int(m.u8())
	if version == 1 {
		m.bytes(6)
	} else if version != 2 {
		return nil, f.newer("a dataset is compressed in a later way")
	}
	for range n {
		one := filter{id: m.u16()}
		name := 0
		if version == 1 || one.id >= 256 {
			name = int(m.u16())
		}
		m.u16()
		values := int(m.u16())
		if version == 1 {
			name = (name + 7) &^ 7
		}
		m.bytes(name)
		for range min(values, len(m.b)/4+1) {
			one.values = append(one.values, m.u32())
		}
		if version == 1 && values%2 == 1 {
			m.u32()
		}
		list = append(list, one)
	}
	return list, nil
}

// undo undoes the filters of a chunk whose elements take a number of bytes. Bit i of skip says that filter i was not used.
func (f *File) undo(filters []filter, skip uint32, b []byte, want int64) (_ []byte, err error) {
	for i := len(filters) - 1; i >= 0; i-- {
		if skip>>i&1 != 0 {
			continue
		}
		switch one := filters[i]; one.id {
		case filterDeflate:
			b, err = inflate(b, want+4)
		case filterShuffle:
			if len(one.values) > 0 {
				b = unshuffle(b, int(one.values[0]))
			}
		case filterChecksum:
			b = b[:max(0, len(b)-4)]
		case filterLZF:
			b, err = expand(b, want+4)
		default:
			return nil, f.newer(fmt.Sprintf("a dataset is compressed by the filter %d, and not by gzip or lzf", one.id))
		}
		if err != nil {
			return nil, f.bad("a chunk of a dataset is damaged: " + err.Error())
		}
	}
	if int64(len(b)) != want {
		return nil, f.bad("a chunk of a dataset is damaged: it is too short or too long")
	}
	return b, nil
}

// inflate decompresses at most n bytes.
func inflate(b []byte, n int64) ([]byte, error) {
	z, err := zlib.NewReader(bytes.NewReader(b))
	if err != nil {
		return nil, err
	}
	defer z.Close()
	return io.ReadAll(io.LimitReader(z, n))
}

// unshuffle restores elements of a number of bytes, of which all first bytes come first, then all second ones.
func unshuffle(b []byte, size int) []byte {
	if size < 2 || len(b) < size {
		return b
	}
	n := len(b) / size
	to := make([]byte, len(b))
	for k := range size {
		for i, v := range b[k*n : (k+1)*n] {
			to[i*size+k] = v
		}
	}
	copy(to[n*size:], b[n*size:])
	return to
}
