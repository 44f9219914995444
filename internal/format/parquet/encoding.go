package parquet

import (
	"errors"
	"fmt"

	"github.com/parquet-go/parquet-go/format"
)

// oldDictionary is the encoding of a dictionary and of its indices in the first version of the
// format.
//
//lint:ignore SA1019 There are such files.
const oldDictionary = format.PlainDictionary

// open returns the values in src, at most most of them.
func (c *cursor) open(encoding format.Encoding, src []byte, most int) (values, error) {
	switch {
	case encoding == oldDictionary || encoding == format.RLEDictionary:
		if c.dict == nil {
			return nil, errors.New("no dictionary comes before it")
		}
		c.dict.index = hybrid{}
		if len(src) > 0 { // otherwise all are null
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
	return nil, fmt.Errorf("encoding %v is not supported for such a column", encoding)
}

// dictionaryBytes returns the memory of a dictionary of n values whose page has the given number of
// bytes.
func (c *cursor) dictionaryBytes(page int, n int32) int64 {
	entry := int64(8) // a float64
	if c.cell == text {
		entry += 24 // a slice
	}
	return int64(page) + entry*int64(n)
}

// newDictionary decodes a dictionary of n values from src, which it keeps.
func newDictionary(c *cursor, src []byte, n int) (*dictionary, error) {
	least := n * c.size
	switch {
	case c.cell == boolean:
		least = n / 8
	case c.size == 0:
		least = n * 4 // for the lengths
	}
	if least > len(src) {
		return nil, fmt.Errorf("%d values in %d bytes", n, len(src))
	}
	d := &dictionary{table: make([]float64, n)}
	if c.cell != text {
		v, err := c.open(format.Plain, src, n)
		if err != nil {
			return nil, err
		}
		return d, v.next(d.table)
	}
	d.codes, d.texts = c.codes, make([][]byte, n)
	arrays := plainArrays{src}
	for i := range d.texts {
		var err error
		if d.texts[i], err = arrays.next(); err != nil {
			return nil, err
		}
		d.table[i] = -1
	}
	return d, nil
}
