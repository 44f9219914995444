package matlab

import (
	"bytes"
	"compress/flate"
	"compress/zlib"
	"encoding/binary"
	"errors"
	"io"
	"math"
)

// Kinds of elements; the numbers are those of the format.
const (
	kindInt8       = 1
	kindUint8      = 2
	kindInt16      = 3
	kindUint16     = 4
	kindInt32      = 5
	kindUint32     = 6
	kindSingle     = 7
	kindDouble     = 9
	kindInt64      = 12
	kindUint64     = 13
	kindMatrix     = 14
	kindCompressed = 15
)

// tag is the head of an element.
type tag struct {
	kind uint32
	size int64
	// small has the bytes of an element that are packed into its tag.
	small []byte
}

// readTag returns io.EOF only at the end of the input.
func (d *decoder) readTag(r io.Reader) (tag, error) {
	var b [8]byte
	if _, err := io.ReadFull(r, b[:]); err != nil {
		return tag{}, corrupt(err)
	}
	first := d.order.Uint32(b[:])
	if size := first >> 16; size != 0 {
		if size > 4 {
			return tag{}, badf("an element of %d bytes is marked as one of at most 4: the file is damaged", size)
		}
		return tag{kind: first & 0xffff, size: int64(size), small: b[4 : 4+size]}, nil
	}
	return tag{kind: first, size: int64(d.order.Uint32(b[4:]))}, nil
}

// payload returns the bytes of an element and skips the padding to a multiple of eight. Memory
// grows with the bytes that are read, not with the number that the tag claims.
func (t tag) payload(r io.Reader) ([]byte, error) {
	if t.small != nil {
		return t.small, nil
	}
	var b bytes.Buffer
	if _, err := io.CopyN(&b, r, t.size); err != nil {
		return nil, inside(err)
	}
	if _, err := io.CopyN(io.Discard, r, -t.size&7); err != nil {
		return nil, inside(err)
	}
	return b.Bytes(), nil
}

// inside turns the end of the input into an error, because more was expected.
func inside(err error) error {
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return corrupt(err)
}

// corrupt reports bad data that zlib cannot unpack.
func corrupt(err error) error {
	var stream flate.CorruptInputError
	if errors.Is(err, zlib.ErrHeader) || errors.Is(err, zlib.ErrChecksum) || errors.Is(err, zlib.ErrDictionary) || errors.As(err, &stream) {
		return badf("a compressed array cannot be unpacked (%v): the file is damaged", err)
	}
	return err
}

// element reads one variable of the file.
func (d *decoder) element(r io.Reader) error {
	t, err := d.readTag(r)
	if err != nil {
		return err
	}
	body := io.LimitReader(r, t.size)
	switch {
	case t.small != nil:
		return nil // too small for an array
	case t.kind == kindMatrix:
		err = d.matrix(body)
	case t.kind == kindCompressed:
		err = d.compressed(body)
	}
	if err != nil {
		return inside(err)
	}
	// The rest is skipped, to check that it exists.
	left := body.(*io.LimitedReader).N
	if _, err := io.CopyN(io.Discard, r, left); err != nil {
		return inside(err)
	}
	return nil
}

// compressed reads an array from a zlib stream.
func (d *decoder) compressed(r io.Reader) error {
	z, err := zlib.NewReader(r)
	if err != nil {
		return corrupt(err)
	}
	defer z.Close()
	t, err := d.readTag(z)
	if err != nil || t.kind != kindMatrix || t.small != nil {
		return err
	}
	return d.matrix(io.LimitReader(z, t.size))
}

// numbers converts the bytes of a numeric element to n numbers.
func (d *decoder) numbers(kind uint32, b []byte, n int) ([]float64, error) {
	width := map[uint32]int{kindInt8: 1, kindUint8: 1, kindInt16: 2, kindUint16: 2, kindInt32: 4, kindUint32: 4,
		kindSingle: 4, kindDouble: 8, kindInt64: 8, kindUint64: 8}[kind]
	if width == 0 {
		return nil, badf("an array is stored as kind %d: it must be a numeric kind", kind)
	}
	if len(b) != n*width {
		return nil, badf("an array of %d numbers has %d bytes instead of %d", n, len(b), n*width)
	}
	v := make([]float64, n)
	for i := range v {
		v[i] = number(d.order, kind, b[i*width:])
	}
	return v, nil
}

func number(order binary.ByteOrder, kind uint32, b []byte) float64 {
	switch kind {
	case kindInt8:
		return float64(int8(b[0]))
	case kindUint8:
		return float64(b[0])
	case kindInt16:
		return float64(int16(order.Uint16(b)))
	case kindUint16:
		return float64(order.Uint16(b))
	case kindInt32:
		return float64(int32(order.Uint32(b)))
	case kindUint32:
		return float64(order.Uint32(b))
	case kindSingle:
		return float64(math.Float32frombits(order.Uint32(b)))
	case kindInt64:
		return float64(int64(order.Uint64(b)))
	case kindUint64:
		return float64(order.Uint64(b))
	}
	return math.Float64frombits(order.Uint64(b))
}
