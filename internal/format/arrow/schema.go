package arrow

import (
	"fmt"
	"math"

	"fsa/data"
	"fsa/data/kind"
	"fsa/internal/format/columnar"
)

// cell describes how the stored value of a column becomes a number.
type cell uint8

const (
	number cell = iota
	boolean
	decimal
	text  // offsets of 4 bytes, and what lies between them
	large // the same with offsets of 8 bytes
	view  // 16 bytes: a short text itself, or the position of a long one
	null  // there are no values
)

// value is the type of the values of a column or a dictionary.
type value struct {
	cell    cell
	number  columnar.Number // where the cell is one
	size    int             // bytes of a value; 0 if it varies
	unit    float64         // divisor of a stored number
	when    columnar.When
	refused string // why it cannot be read; empty if it can
}

func (v *value) isText() bool { return v.cell == text || v.cell == large || v.cell == view }

// column is a column in the schema.
type column struct {
	value
	name     string
	place    shape // parts before it in a batch
	dict     int64 // the number of its dictionary, if it has one,
	indexed  bool
	ordered  bool            // whether its dictionary goes from the lowest to the highest
	index    columnar.Number // and the type of its indices
	converts bool            // conversion of moments
	skip     bool
}

// shape counts the parts of a batch that columns take: nodes, buffers, and columns of views, each
// with its own number of buffers.
type shape struct{ nodes, buffers, views int }

func (s *shape) add(o shape) {
	s.nodes += o.nodes
	s.buffers += o.buffers
	s.views += o.views
}

// The types, by their numbers in a file.
const (
	typeNull = 1 + iota
	typeInt
	typeFloat
	typeBinary
	typeUTF8
	typeBool
	typeDecimal
	typeDate
	typeTime
	typeTimestamp
	typeInterval
	typeList
	typeStruct
	typeUnion
	typeFixedBinary
	typeFixedList
	typeMap
	typeDuration
	typeLargeBinary
	typeLargeUTF8
	typeLargeList
	typeRunEnd
	typeBinaryView
	typeUTF8View
	typeListView
	typeLargeListView
)

// deepest is the deepest nesting of columns.
const deepest = 64

// listColumns lists the columns of a table. It refuses a requested column that cannot be read, and
// two of the same name.
func listColumns(schema table, file string, o *Options) ([]column, *data.Schema, error) {
	if schema.short(0, 0) != 0 {
		return nil, nil, &data.Error{File: file, Msg: "its numbers are big-endian; write it in little-endian byte order"}
	}
	fields := schema.list(1, 4)
	if fields.n == 0 {
		return nil, nil, &data.Error{File: file, Msg: "the table has no columns"}
	}
	s := &data.Schema{Width: fields.n, Names: make([]string, fields.n), Categories: map[int][]string{}, Orders: map[int][]string{}, Kinds: map[int]kind.Column{}}
	columns := make([]column, fields.n)
	place := map[string]int{}
	var taken shape
	for j := range columns {
		f := fields.tableAt(j)
		c := &columns[j]
		c.name, c.place, c.value = f.text(0), taken, typeOf(f)
		if d := f.table(4); d.flat != nil {
			c.dict, c.indexed, c.ordered = d.long(0), true, d.byte(2) != 0
			c.readIndex(d.table(1))
		}
		taken.add(shapeOf(f, 0))
		if first, ok := place[c.name]; ok {
			return nil, nil, columnar.Twice(file, c.name, first, j)
		}
		place[c.name] = j
		s.Names[j] = c.name
		if c.isText() {
			s.Categories[j] = nil
		}
		var k kind.Column
		if k, c.converts = c.when.Kind(o.Kinds, c.name); c.converts {
			s.Kinds[j] = k
		}
	}
	if schema.damaged {
		return nil, nil, &data.Error{File: file, Msg: "its schema cannot be read", Err: errDamaged}
	}
	for j, skip := range o.Skipped(s) {
		c := &columns[j]
		if c.skip = skip; c.refused != "" && !skip {
			return nil, nil, columnar.Refuse(file, c.name, c.refused)
		}
	}
	return columns, s, nil
}

// readIndex reads the type of the indices into a dictionary.
func (c *column) readIndex(t table) {
	c.index = columnar.Int32
	if t.flat != nil {
		if v := intOf(t); v.refused == "" {
			c.index = v.number
		} else {
			c.refused = "the positions in its dictionary cannot be read: " + v.refused
		}
	}
}

// typeOf returns the type of the values of a field, or of its dictionary if it has one.
func typeOf(field table) value {
	t := field.table(3)
	refuse := func(why string) value { return value{refused: why} }
	switch id := field.byte(2); id {
	case typeNull:
		return value{cell: null}
	case typeInt:
		return intOf(t)
	case typeFloat:
		n, ok := map[int]columnar.Number{0: columnar.Float16, 1: columnar.Float32, 2: columnar.Float64}[t.short(0, 0)]
		if !ok {
			return refuse("it holds numbers of an unknown precision")
		}
		return numbers(n)
	case typeBool:
		return value{cell: boolean, unit: 1}
	case typeDecimal:
		bits := t.int(2, 128)
		if bits <= 0 || bits > 256 || bits%8 != 0 {
			return refuse(fmt.Sprintf("it holds decimals of %d bits", bits))
		}
		return value{cell: decimal, size: bits / 8, unit: math.Pow10(t.int(1, 0))}
	case typeDate:
		if t.short(0, 1) == 0 {
			return moments(columnar.Int32, 1, columnar.Days)
		}
		return moments(columnar.Int64, 1e3, columnar.Seconds)
	case typeTime:
		n := columnar.Int64
		if t.int(1, 32) == 32 {
			n = columnar.Int32
		}
		return moments(n, ticks(t.short(0, 1)), columnar.Clock)
	case typeTimestamp:
		return moments(columnar.Int64, ticks(t.short(0, 0)), columnar.Seconds)
	case typeDuration:
		return moments(columnar.Int64, ticks(t.short(0, 1)), columnar.Never)
	case typeBinary, typeUTF8:
		return value{cell: text}
	case typeLargeBinary, typeLargeUTF8:
		return value{cell: large}
	case typeBinaryView, typeUTF8View:
		return value{cell: view, size: 16}
	case typeFixedBinary:
		return refuse("it holds raw bytes")
	case typeInterval:
		return refuse("it holds intervals of the calendar")
	case typeList, typeStruct, typeUnion, typeFixedList, typeMap, typeLargeList, typeListView, typeLargeListView:
		return refuse("it is nested")
	case typeRunEnd:
		return refuse("it is stored in runs")
	default:
		return refuse(fmt.Sprintf("it is of the unknown type %d", id))
	}
}

func numbers(n columnar.Number) value { return value{cell: number, number: n, size: n.Size(), unit: 1} }

func moments(n columnar.Number, unit float64, when columnar.When) value {
	v := numbers(n)
	v.unit, v.when = unit, when
	return v
}

// intOf returns the type of integers.
func intOf(t table) value {
	signed := map[int]columnar.Number{8: columnar.Int8, 16: columnar.Int16, 32: columnar.Int32, 64: columnar.Int64}
	unsigned := map[int]columnar.Number{8: columnar.Uint8, 16: columnar.Uint16, 32: columnar.Uint32, 64: columnar.Uint64}
	bits := t.int(0, 0)
	n, ok := unsigned[bits]
	if t.byte(1) != 0 {
		n, ok = signed[bits]
	}
	if !ok {
		return value{refused: fmt.Sprintf("it holds integers of %d bits", bits)}
	}
	return numbers(n)
}

// ticks returns the number of units of time per second.
func ticks(unit int) float64 {
	switch unit {
	case 0:
		return 1
	case 1:
		return 1e3
	case 2:
		return 1e6
	default:
		return 1e9
	}
}

// shapeOf counts the parts of a batch that a field and its children take.
func shapeOf(field table, depth int) shape {
	s := shape{nodes: 1, buffers: 2}
	if field.table(4).flat != nil { // indices; the rest is in the dictionary
		return s
	}
	switch field.byte(2) {
	case typeNull, typeRunEnd:
		s.buffers = 0
	case typeBinary, typeUTF8, typeLargeBinary, typeLargeUTF8, typeListView, typeLargeListView:
		s.buffers = 3
	case typeBinaryView, typeUTF8View:
		s.views = 1
	case typeStruct, typeFixedList:
		s.buffers = 1
	case typeUnion:
		s.buffers = 1 + field.table(3).short(0, 0)&1
	}
	children := field.list(5, 4)
	field.visits += children.n
	if field.visits > len(field.buf) || depth == deepest && children.n > 0 {
		field.damaged = true
	}
	for i := 0; i < children.n && !field.damaged; i++ {
		s.add(shapeOf(children.tableAt(i), depth+1))
	}
	return s
}
