package export

import (
	"encoding/binary"
	"math"

	"google.golang.org/protobuf/encoding/protowire"
)

// An ONNX file is a protocol buffer. The necessary parts of onnx.proto, the numbers of its fields
// and types, are here; the wire format is that of protowire.

// message is the encoding of a message, to which fields are appended.
type message []byte

func (m *message) integer(field protowire.Number, v int64) {
	*m = protowire.AppendVarint(protowire.AppendTag(*m, field, protowire.VarintType), uint64(v))
}

func (m *message) text(field protowire.Number, v string) {
	*m = protowire.AppendString(protowire.AppendTag(*m, field, protowire.BytesType), v)
}

func (m *message) message(field protowire.Number, v message) {
	*m = protowire.AppendBytes(protowire.AppendTag(*m, field, protowire.BytesType), v)
}

// Types of the elements of a tensor.
const (
	typeInt64  = 7
	typeString = 8
	typeDouble = 11
)

// tensorHead returns the fields that all TensorProtos have.
func tensorHead(name string, element int64, dims []int) (t message) {
	for _, d := range dims {
		t.integer(1, int64(d))
	}
	t.integer(2, element)
	t.text(8, name)
	return t
}

const rawData = 9 // field of the elements in little-endian order

func doubles(name string, dims []int, v []float64) message {
	t := tensorHead(name, typeDouble, dims)
	raw := make(message, 0, 8*len(v))
	for _, x := range v {
		raw = binary.LittleEndian.AppendUint64(raw, math.Float64bits(x))
	}
	t.message(rawData, raw)
	return t
}

func integers(name string, dims []int, v []int64) message {
	t := tensorHead(name, typeInt64, dims)
	raw := make(message, 0, 8*len(v))
	for _, x := range v {
		raw = binary.LittleEndian.AppendUint64(raw, uint64(x))
	}
	t.message(rawData, raw)
	return t
}

func texts(name string, v []string) message {
	t := tensorHead(name, typeString, []int{len(v)})
	for _, s := range v {
		t.text(6, s)
	}
	return t
}

// attribute returns an AttributeProto: an int64, or several, or several texts.
func attribute(name string, value any) (a message) {
	a.text(1, name)
	switch v := value.(type) {
	case int64:
		a.integer(3, v)
		a.integer(20, 2)
	case []int64:
		for _, x := range v {
			a.integer(8, x)
		}
		a.integer(20, 7)
	case []string:
		for _, x := range v {
			a.text(9, x)
		}
		a.integer(20, 8)
	}
	return a
}

// port returns the ValueInfoProto of an input or an output with any number of rows and the given
// number of columns; 0 means that the number is not fixed.
func port(name string, element int64, columns int) (p message) {
	var rows, shape, tensor, kind message
	rows.text(2, "rows")
	shape.message(1, rows)
	if columns > 0 {
		var width message
		width.integer(1, int64(columns))
		shape.message(1, width)
	}
	tensor.integer(1, element)
	tensor.message(2, shape)
	kind.message(1, tensor)
	p.text(1, name)
	p.message(2, kind)
	return p
}

// entry returns a StringStringEntryProto.
func entry(key, value string) (e message) {
	e.text(1, key)
	e.text(2, value)
	return e
}

// operators returns an OperatorSetIdProto.
func operators(domain string, version int64) (o message) {
	o.text(1, domain)
	o.integer(2, version)
	return o
}
