package parquet

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
	"math"

	"fsa/data"

	"github.com/parquet-go/parquet-go/deprecated"
	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"
)

const (
	groupCells = 1 << 24 // of a row group: 128 MiB before compression
	groupRows  = 1 << 20
	pageRows   = 1 << 13 // 64 KiB of numbers: a reader holds one of every column
)

// Writer writes a table. It implements [data.Writer].
//
// Numbers are written as doubles and texts through a dictionary, both compressed with Snappy; a
// missing value becomes a null.
type Writer struct {
	w      *bufio.Writer
	schema *data.Schema
	meta   format.FileMetaData
	off    int64

	cells []float64 // the current row group, column after column
	rows  int       // rows in it
	per   int       // rows of a full one

	numbers []uint32 // indices of a page before encoding
	page    []byte   // before compression
	packed  []byte
}

var _ data.Writer = (*Writer)(nil)

// NewWriter begins a table on w. The number of rows helps to size buffers and need not be exact; 0
// means that it is unknown. The categories of the schema may grow until Close.
func NewWriter(w io.Writer, s *data.Schema, rows int) (*Writer, error) {
	if s.Width < 1 {
		return nil, fmt.Errorf("parquet: cannot write a table of %d columns", s.Width)
	}
	per := min(max(1, groupCells/s.Width), groupRows)
	if rows > 0 {
		per = min(per, rows)
	}
	p := &Writer{w: bufio.NewWriter(w), schema: s, per: per, cells: make([]float64, per*s.Width)}
	p.meta = format.FileMetaData{Version: 1, CreatedBy: "fsa"}
	p.meta.Schema = append(p.meta.Schema, format.SchemaElement{Name: "table", NumChildren: thrift.New(int32(s.Width))})
	for j := range s.Width {
		e := format.SchemaElement{Name: s.Name(j), Type: thrift.New(format.Double), RepetitionType: thrift.New(format.Optional)}
		if _, ok := s.Categories[j]; ok {
			e.Type.V = format.ByteArray
			e.ConvertedType = thrift.New(deprecated.UTF8)
			e.LogicalType.Value = new(format.StringType)
		}
		p.meta.Schema = append(p.meta.Schema, e)
	}
	return p, p.write([]byte(magic))
}

// write writes bytes and counts them.
func (p *Writer) write(b []byte) error {
	n, err := p.w.Write(b)
	p.off += int64(n)
	if err != nil {
		return fmt.Errorf("parquet: %w", err)
	}
	return nil
}

// Write implements [data.Writer]. The block must be dense.
func (p *Writer) Write(b *data.Block) error {
	cols := p.schema.Width
	if len(b.Dense) != b.Rows*cols {
		return fmt.Errorf("parquet: a block of %d rows has %d cells, not %d columns each", b.Rows, len(b.Dense), cols)
	}
	for first := 0; first < b.Rows; {
		n := min(b.Rows-first, p.per-p.rows)
		if err := p.collect(b.Dense[first*cols:][:n*cols], n); err != nil {
			return err
		}
		first += n
		if p.rows == p.per {
			if err := p.flush(); err != nil {
				return err
			}
		}
	}
	return nil
}

// collect adds n rows to the columns of the row group. It processes a few rows at a time, as many
// as fill a cache line of a column.
func (p *Writer) collect(cells []float64, n int) error {
	const line = 8
	cols := p.schema.Width
	for first := 0; first < n; first += line {
		few := min(line, n-first)
		for j := range cols {
			column := p.cells[j*p.per+p.rows:][:few]
			for i := range column {
				v := cells[(first+i)*cols+j]
				if math.IsInf(v, 0) {
					return &data.Error{Row: int(p.meta.NumRows) + p.rows + i + 1, Column: p.schema.Name(j),
						Msg: "an infinite cell cannot be written; a number or NaN (for a missing value) can"}
				}
				column[i] = v
			}
		}
		p.rows += few
	}
	return nil
}

// flush writes the row group.
func (p *Writer) flush() error {
	group := format.RowGroup{NumRows: int64(p.rows), Ordinal: int16(len(p.meta.RowGroups)), FileOffset: p.off}
	for j := range p.schema.Width {
		chunk, err := p.chunk(j, p.cells[j*p.per:][:p.rows])
		if err != nil {
			return err
		}
		group.Columns = append(group.Columns, chunk)
		group.TotalByteSize += chunk.MetaData.TotalUncompressedSize
		group.TotalCompressedSize += chunk.MetaData.TotalCompressedSize
	}
	p.meta.RowGroups = append(p.meta.RowGroups, group)
	p.meta.NumRows += group.NumRows
	p.rows = 0
	return nil
}

// Close implements [data.Writer].
func (p *Writer) Close() error {
	if p.rows > 0 {
		if err := p.flush(); err != nil {
			return err
		}
	}
	footer, err := thrift.Marshal(&thrift.CompactProtocol{}, &p.meta)
	if err != nil {
		return fmt.Errorf("parquet: %w", err)
	}
	footer = binary.LittleEndian.AppendUint32(footer, uint32(len(footer)))
	if err := p.write(append(footer, magic...)); err != nil {
		return err
	}
	if err := p.w.Flush(); err != nil {
		return fmt.Errorf("parquet: %w", err)
	}
	return nil
}
