package parquet

import (
	"encoding/binary"
	"errors"
	"fmt"

	"fsa/data/columnar"

	"github.com/parquet-go/parquet-go/format"
)

// values delivers the values of a page, the nulls left out.
type values interface {
	next(dst []float64) error
}

// oldDictionary is what files of the first version of the format say of a
// dictionary and of a page with positions in it.
//
//lint:ignore SA1019 There are such files.
const oldDictionary = format.PlainDictionary

// open returns the values in src, of which there are most at most.
func (c *cursor) open(encoding format.Encoding, src []byte, most int) (values, error) {
	switch {
	case encoding == oldDictionary || encoding == format.RLEDictionary:
		if c.dict == nil {
			return nil, errors.New("no dictionary comes before it")
		}
		c.dict.index = hybrid{}
		if len(src) > 0 { // or else all are null
			c.dict.index = hybrid{src: src[1:], width: uint(src[0])}
		}
		if c.dict.index.width > 32 {
			return nil, fmt.Errorf("positions of %d bits in a dictionary", src[0])
		}
		return c.dict, nil
	case encoding == format.Plain && c.size > 0:
		return &plain{c.column, src}, nil
	case encoding == format.Plain && c.cell == boolean:
		return &packedBits{src: src}, nil
	case encoding == format.Plain:
		return &byteArrays{c.arrayCell(), &plainArrays{src}}, nil
	case encoding == format.RLE && c.cell == boolean:
		if len(src) < 4 {
			return nil, errShort
		}
		return &runBits{hybrid{src: src[4:], width: 1}}, nil
	case encoding == format.DeltaBinaryPacked && (c.cell >= signed32 && c.cell <= unsigned64):
		d, err := newDelta(src, most)
		return deltaNumbers{d, c.column}, err
	case encoding == format.DeltaLengthByteArray && c.size == 0 && c.cell != boolean:
		arrays, err := newDeltaArrays(src, most, false)
		return &byteArrays{c.arrayCell(), arrays}, err
	case encoding == format.DeltaByteArray && c.size == 0 && c.cell != boolean:
		arrays, err := newDeltaArrays(src, most, true)
		return &byteArrays{c.arrayCell(), arrays}, err
	case encoding == format.ByteStreamSplit && c.size > 0:
		return &plain{c.column, unsplit(src, c.size)}, nil
	}
	return nil, fmt.Errorf("its encoding %v is not known for such a column", encoding)
}

// plain holds values of a fixed size one after the other.
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

// numbers are the cells that are stored as they are.
var numbers = map[cell]columnar.Number{
	signed32: columnar.Int32, unsigned32: columnar.Uint32, signed64: columnar.Int64, unsigned64: columnar.Uint64,
	single: columnar.Float32, double: columnar.Float64, half: columnar.Float16,
}

// divide turns stored numbers into the ones they mean.
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

// packedBits holds eight truth values in a byte.
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

// runBits holds truth values in runs.
type runBits struct{ hybrid }

func (r *runBits) next(dst []float64) error {
	return inBatches(&r.hybrid, dst, func(dst []float64, bits []uint32) error {
		for i, bit := range bits {
			dst[i] = float64(bit)
		}
		return nil
	})
}

// inBatches decodes as many numbers as dst has, a few at a time.
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
