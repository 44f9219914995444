package parquet

import (
	"encoding/binary"
	"errors"
)

// delta decodes integers stored as differences, packed in miniblocks of blocks: Parquet's
// DELTA_BINARY_PACKED.
type delta struct {
	src    []byte // the bytes after the current miniblock
	minis  int    // miniblocks in a block
	length int    // numbers in a miniblock
	left   int    // numbers left in total

	widths []byte // bits of a number in the miniblocks left in this block
	mini   []byte
	bit    int // the next one of mini
	width  uint
	inMini int   // numbers left in mini
	least  int64 // added to every difference of the block
	value  int64 // the next number, unless it must be computed
	ready  bool
}

// newDelta starts decoding. There are at most most values.
func newDelta(src []byte, most int) (*delta, error) {
	s := skimmer{src}
	block, err1 := s.uvarint()
	minis, err2 := s.uvarint()
	total, err3 := s.uvarint()
	if err := errors.Join(err1, err2, err3); err != nil {
		return nil, errShort
	}
	first, n := binary.Varint(s.rest)
	if n <= 0 {
		return nil, errShort
	}
	if block > 1<<20 || minis == 0 || block%minis != 0 || block/minis%8 != 0 || block == 0 || total > uint64(most) {
		return nil, errors.New("the head of packed differences is damaged")
	}
	return &delta{src: s.rest[n:], minis: int(minis), length: int(block / minis), left: int(total), value: first, ready: true}, nil
}

// next returns the next number.
func (d *delta) next() (int64, error) {
	if d.left == 0 {
		return 0, errShort
	}
	if !d.ready {
		for d.inMini == 0 {
			if err := d.miniblock(); err != nil {
				return 0, err
			}
		}
		d.value += d.least + int64(bitsAt(d.mini, d.bit, d.width))
		d.bit += int(d.width)
		d.inMini--
	}
	d.ready = false
	d.left--
	return d.value, nil
}

// miniblock begins the next miniblock, and the next block if necessary.
func (d *delta) miniblock() error {
	if len(d.widths) == 0 {
		least, n := binary.Varint(d.src)
		if n <= 0 || len(d.src) < n+d.minis {
			return errShort
		}
		d.least, d.widths, d.src = least, d.src[n:n+d.minis], d.src[n+d.minis:]
	}
	d.width, d.widths = uint(d.widths[0]), d.widths[1:]
	bytes := int(d.width) * d.length / 8
	if d.width > 64 || bytes > len(d.src) {
		return errShort
	}
	d.mini, d.src, d.bit, d.inMini = d.src[:bytes], d.src[bytes:], 0, d.length
	return nil
}

// all returns the remaining numbers, and the bytes after them.
func (d *delta) all() ([]int64, []byte, error) {
	var numbers []int64
	for d.left > 0 {
		v, err := d.next()
		if err != nil {
			return nil, nil, err
		}
		numbers = append(numbers, v)
	}
	return numbers, d.src, nil
}

// deltaNumbers returns packed differences as cells.
type deltaNumbers struct {
	*delta
	*column
}

func (d deltaNumbers) next(dst []float64) error {
	for i := range dst {
		v, err := d.delta.next()
		if err != nil {
			return err
		}
		switch d.cell {
		case signed32:
			dst[i] = float64(int32(v))
		case unsigned32:
			dst[i] = float64(uint32(v))
		case unsigned64:
			dst[i] = float64(uint64(v))
		default:
			dst[i] = float64(v)
		}
	}
	d.divide(dst)
	return nil
}
