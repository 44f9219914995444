package parquet

import (
	"fmt"
	"math"
	"strings"

	"fsa/data"
	"fsa/data/kind"
	"fsa/internal/format/columnar"

	"github.com/parquet-go/parquet-go/deprecated"
	"github.com/parquet-go/parquet-go/format"
)

// cell describes how the stored value of a column becomes a number.
type cell uint8

const (
	boolean cell = iota
	signed32
	unsigned32
	signed64
	unsigned64
	single
	double
	half
	julian  // nanoseconds of the day and Julian day, in 12 bytes
	decimal // big-endian integer of any length
	text
)

// column is a column in the footer.
type column struct {
	name     string
	leaf     int // position in every row group
	optional bool
	cell     cell
	size     int     // bytes of a value; 0 if it varies
	unit     float64 // divisor of the stored number
	when     columnar.When
	converts bool   // conversion of moments
	refused  string // why the column cannot be read; empty if it can
	skip     bool   // the column is not read
}

// listColumns lists the columns of a table, and counts the leaves of its schema. It refuses a
// requested column that cannot be read, and two of the same name.
func listColumns(meta *format.FileMetaData, name string, o Options) (wanted []column, leaves int, err error) {
	var all []column
	place := make(map[string]int)
	for i := 1; i < len(meta.Schema); {
		e := &meta.Schema[i]
		c := column{name: e.Name, leaf: leaves, unit: 1}
		next, within := subtree(meta.Schema, i)
		switch {
		case next > i+1:
			c.refused = "it is nested"
		case e.RepetitionType.V == format.Repeated:
			c.refused = "it is repeated"
		default:
			c.optional = e.RepetitionType.V == format.Optional
			c.refused = c.interpret(e)
		}
		if j, ok := place[c.name]; ok {
			return nil, 0, columnar.Twice(name, c.name, j, len(all))
		}
		place[c.name] = len(all)
		i, leaves = next, leaves+within
		all = append(all, c)
	}
	wanted = all
	if o.Columns != nil {
		if wanted, err = project(all, place, name, o.Columns); err != nil {
			return nil, 0, err
		}
	}
	if len(wanted) == 0 {
		return nil, 0, &data.Error{File: name, Msg: "the table has no columns"}
	}
	for j := range wanted {
		_, wanted[j].converts = wanted[j].when.Kind(o.Kinds, wanted[j].name)
	}
	schema := schemaOf(wanted)
	for j, skip := range o.Skipped(&schema) {
		wanted[j].skip = skip
		if c := &wanted[j]; c.refused != "" && !skip {
			return nil, 0, columnar.Refuse(name, c.name, c.refused)
		}
	}
	return wanted, leaves, nil
}

// schemaOf describes the columns before any row is read.
func schemaOf(columns []column) data.Schema {
	s := data.Schema{Width: len(columns), Names: make([]string, len(columns)), Categories: map[int][]string{}, Kinds: map[int]kind.Column{}}
	for j, c := range columns {
		s.Names[j] = c.name
		if c.converts {
			s.Kinds[j], _ = c.when.Kind(nil, c.name)
		}
		if c.cell == text {
			s.Categories[j] = nil
		}
	}
	return s
}

// subtree returns the position after element i and all its children, and the number of its leaves.
func subtree(schema []format.SchemaElement, i int) (next, leaves int) {
	for open := 1; open > 0 && i < len(schema); i++ {
		children := 0
		if n := schema[i].NumChildren; n.Valid && n.V > 0 {
			children = int(n.V)
		}
		if children == 0 && schema[i].Type.Valid {
			leaves++
		}
		open += children - 1
	}
	return i, leaves
}

// project picks the requested columns.
func project(all []column, place map[string]int, name string, wanted []string) ([]column, error) {
	var some []column
	for _, w := range wanted {
		i, ok := place[w]
		if !ok {
			return nil, &data.Error{File: name, Msg: fmt.Sprintf("no column %q; the file has %s", w, few(all))}
		}
		some = append(some, all[i])
	}
	return some, nil
}

// few lists the first columns for a message.
func few(all []column) string {
	const most = 20
	var names []string
	for _, c := range all[:min(most, len(all))] {
		names = append(names, c.name)
	}
	if more := len(all) - most; more > 0 {
		names = append(names, fmt.Sprintf("and %d more", more))
	}
	return strings.Join(names, ", ")
}

// interpret determines how the values of a column become numbers. It returns the reason if they do
// not.
func (c *column) interpret(e *format.SchemaElement) (why string) {
	if !e.Type.Valid {
		return "it has no type"
	}
	logical := logicalType(e)
	switch e.Type.V {
	case format.Boolean:
		c.cell = boolean
	case format.Int32:
		c.cell, c.size = signed32, 4
	case format.Int64:
		c.cell, c.size = signed64, 8
	case format.Int96:
		c.cell, c.size, c.when = julian, 12, columnar.Seconds
	case format.Float:
		c.cell, c.size = single, 4
	case format.Double:
		c.cell, c.size = double, 8
	case format.ByteArray:
		c.cell = text
	case format.FixedLenByteArray:
		if c.size = int(e.TypeLength.V); c.size < 1 {
			return fmt.Sprintf("it has values of %d bytes", c.size)
		}
	default:
		return fmt.Sprintf("it is of the unknown type %d", e.Type.V)
	}
	fixed := e.Type.V == format.FixedLenByteArray
	switch t := logical.(type) {
	case *format.IntType:
		if !t.IsSigned && c.cell == signed32 {
			c.cell = unsigned32
		} else if !t.IsSigned && c.cell == signed64 {
			c.cell = unsigned64
		}
	case *format.DecimalType:
		if fixed || c.cell == text {
			c.cell = decimal
		}
		c.unit = math.Pow10(int(t.Scale))
	case *format.DateType:
		c.when = columnar.Days
	case *format.TimeType:
		c.unit, c.when = ticks(t.Unit), columnar.Clock
	case *format.TimestampType:
		c.unit, c.when = ticks(t.Unit), columnar.Seconds
	case *format.Float16Type:
		if !fixed || c.size != 2 {
			return "it is float16 but its values do not have 2 bytes"
		}
		c.cell = half
	case *format.BsonType, *format.UUIDType, *format.VariantType, *format.GeometryType, *format.GeographyType:
		return fmt.Sprintf("it holds %s", logical)
	default:
		if fixed {
			return "it holds raw bytes"
		}
	}
	return ""
}

// ticks returns the number of units of time per second.
func ticks(u format.TimeUnit) float64 {
	switch u.Value.(type) {
	case *format.MilliSeconds:
		return 1e3
	case *format.MicroSeconds:
		return 1e6
	default:
		return 1e9
	}
}

// logicalType returns the meaning of the column, also in the terms of old files.
func logicalType(e *format.SchemaElement) format.LogicalTypeValue {
	if e.LogicalType.Value != nil || !e.ConvertedType.Valid {
		return e.LogicalType.Value
	}
	millis := format.TimeUnit{Value: new(format.MilliSeconds)}
	micros := format.TimeUnit{Value: new(format.MicroSeconds)}
	switch e.ConvertedType.V {
	case deprecated.Uint8, deprecated.Uint16, deprecated.Uint32, deprecated.Uint64:
		return &format.IntType{IsSigned: false}
	case deprecated.Decimal:
		return &format.DecimalType{Scale: e.Scale.V, Precision: e.Precision.V}
	case deprecated.Date:
		return new(format.DateType)
	case deprecated.TimeMillis:
		return &format.TimeType{Unit: millis}
	case deprecated.TimeMicros:
		return &format.TimeType{Unit: micros}
	case deprecated.TimestampMillis:
		return &format.TimestampType{Unit: millis}
	case deprecated.TimestampMicros:
		return &format.TimestampType{Unit: micros}
	case deprecated.Bson:
		return new(format.BsonType)
	}
	return nil
}
