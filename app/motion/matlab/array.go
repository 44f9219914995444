package matlab

import (
	"fmt"
	"io"
)

// Classes of arrays, as numbered by the format. The numbers in between are numeric classes.
const (
	classDouble = 6
	classUint64 = 15

	flagComplex = 0x0800
)

// classNames are for messages about arrays that cannot be read.
var classNames = map[uint32]string{1: "a cell array", 2: "a structure", 3: "an object", 4: "text", 5: "a sparse array", 16: "a function", 17: "an object"}

// matrix reads an array, if it was requested. It may stop before the end.
func (d *decoder) matrix(r io.Reader) error {
	flags, err := d.part(r, kindUint32, 8)
	if err != nil {
		return err
	}
	word := d.order.Uint32(flags)
	class, isComplex := word&0xff, word&flagComplex != 0
	shape, err := d.part(r, kindInt32, maxDims*4)
	if err != nil {
		return err
	}
	name, err := d.part(r, kindInt8, maxName)
	if err != nil {
		return err
	}
	if !d.wants(string(name)) {
		return nil
	}
	switch {
	case class < classDouble || class > classUint64:
		what := classNames[class]
		if what == "" {
			what = fmt.Sprintf("of the unknown class %d", class)
		}
		return badf("%s is %s: it must be an array of real numbers", name, what)
	case isComplex:
		return badf("%s is complex: it must be an array of real numbers", name)
	}
	a := &Array{}
	n, err := a.setShape(d, string(name), shape)
	if err != nil {
		return err
	}
	t, err := d.readTag(r)
	if err != nil {
		return inside(err)
	}
	if t.size > 8*int64(n) {
		return badf("%s has %d numbers, but %d bytes", name, n, t.size)
	}
	b, err := t.payload(r)
	if err != nil {
		return err
	}
	if a.Values, err = d.numbers(t.kind, b, n); err != nil {
		return err
	}
	d.found[string(name)] = a
	return nil
}

const (
	maxDims = 32
	maxName = 4096
)

// part reads one of the small elements that an array begins with.
func (d *decoder) part(r io.Reader, kind uint32, most int64) ([]byte, error) {
	t, err := d.readTag(r)
	if err != nil {
		return nil, inside(err)
	}
	if t.kind != kind && !(kind == kindInt8 && t.kind == kindUint8) || t.size > most || kind == kindUint32 && t.size != 8 {
		return nil, badf("an array begins with an element of kind %d and %d bytes: the file is damaged", t.kind, t.size)
	}
	return t.payload(r)
}

// setShape reads the lengths of the dimensions and returns their product.
func (a *Array) setShape(d *decoder, name string, b []byte) (int, error) {
	if len(b) < 8 || len(b)%4 != 0 {
		return 0, badf("%s has a shape of %d bytes: the file is damaged", name, len(b))
	}
	n := 1
	for ; len(b) > 0; b = b[4:] {
		length := int(int32(d.order.Uint32(b)))
		if length < 0 || length > MaxValues || n*length > MaxValues {
			return 0, badf("%s must have from 0 to %d numbers", name, MaxValues)
		}
		a.Dims = append(a.Dims, length)
		n *= length
	}
	return n, nil
}
