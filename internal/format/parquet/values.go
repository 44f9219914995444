package parquet

import (
	"encoding/binary"

	"fsa/internal/format/columnar"
)

// values returns the values of a page, without the nulls.
type values interface {
	next(dst []float64) error
}

// plain has contiguous values of a fixed size.
type plain struct {
	*column
	src []byte
}

func (p *plain) next(dst []float64) error {
	n := len(dst) * p.size
	if n > len(p.src) {
		return errShort
	}
	src := p.src[:n]
	p.src = p.src[n:]
	little := binary.LittleEndian
	switch p.cell {
	case julian:
		const epoch, day = 2440588, 86400 // 1970 in Julian days; seconds
		for i := range dst {
			nanos := float64(int64(little.Uint64(src[12*i:])))
			dst[i] = (float64(little.Uint32(src[12*i+8:]))-epoch)*day + nanos/1e9
		}
	case decimal:
		for i := range dst {
			dst[i] = columnar.BigEndian(src[i*p.size:][:p.size])
		}
	default:
		numbers[p.cell].Decode(dst, src)
	}
	p.divide(dst)
	return nil
}

// numbers are the cells that are stored directly.
var numbers = map[cell]columnar.Number{
	signed32: columnar.Int32, unsigned32: columnar.Uint32, signed64: columnar.Int64, unsigned64: columnar.Uint64,
	single: columnar.Float32, double: columnar.Float64, half: columnar.Float16,
}

// divide divides stored numbers by their scale.
func (c *column) divide(dst []float64) {
	if c.unit != 1 {
		for i := range dst {
			dst[i] /= c.unit
		}
	}
	if c.converts {
		c.when.Convert(dst)
	}
}

// packedBits has eight booleans per byte.
type packedBits struct {
	src []byte
	bit int
}

func (p *packedBits) next(dst []float64) error {
	if p.bit+len(dst) > 8*len(p.src) {
		return errShort
	}
	for i := range dst {
		dst[i] = float64(p.src[p.bit/8] >> (p.bit % 8) & 1)
		p.bit++
	}
	return nil
}

// runBits has booleans in runs.
type runBits struct{ hybrid }

func (r *runBits) next(dst []float64) error {
	return inBatches(&r.hybrid, dst, func(dst []float64, bits []uint32) error {
		for i, bit := range bits {
			dst[i] = float64(bit)
		}
		return nil
	})
}

// inBatches decodes numbers into dst, a few at a time.
func inBatches(h *hybrid, dst []float64, use func(dst []float64, numbers []uint32) error) error {
	var batch [256]uint32
	for len(dst) > 0 {
		n := min(len(dst), len(batch))
		if err := h.next(batch[:n]); err != nil {
			return err
		}
		if err := use(dst[:n], batch[:n]); err != nil {
			return err
		}
		dst = dst[n:]
	}
	return nil
}

// unsplit undoes BYTE_STREAM_SPLIT, which stores first bytes, then second
// bytes, and so on.
func unsplit(src []byte, size int) []byte {
	n := len(src) / size
	dst := make([]byte, n*size)
	for k := range size {
		for i, b := range src[k*n:][:n] {
			dst[i*size+k] = b
		}
	}
	return dst
}
