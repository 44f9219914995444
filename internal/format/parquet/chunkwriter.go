package parquet

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/bits"
	"slices"

	"github.com/klauspost/compress/snappy"
	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"
)

// chunk writes column j of the row group: its dictionary if it is text, then
// its rows in pages.
func (p *Writer) chunk(j int, cells []float64) (format.ColumnChunk, error) {
	m := format.ColumnMetaData{
		Type:         p.meta.Schema[j+1].Type.V,
		Encoding:     []format.Encoding{format.Plain, format.RLE},
		PathInSchema: []string{p.schema.Name(j)},
		Codec:        format.Snappy,
		NumValues:    int64(len(cells)),
	}
	start := p.off
	encoding, add := format.Plain, p.addNumbers
	if m.Type == format.ByteArray {
		positions, size, err := p.addDictionary(j, cells)
		if err != nil {
			return format.ColumnChunk{}, err
		}
		h := format.DictionaryPageHeader{NumValues: int32(size), Encoding: format.Plain}
		if err := p.pack(&m, format.PageHeader{Type: format.DictionaryPage, DictionaryPageHeader: thrift.New(h)}); err != nil {
			return format.ColumnChunk{}, err
		}
		width := uint(max(1, bits.Len(uint(size))))
		encoding, add = format.RLEDictionary, func(rows []float64) { p.addPositions(rows, positions, width) }
		m.Encoding = append(m.Encoding, format.RLEDictionary)
		m.DictionaryPageOffset = start
	}
	m.DataPageOffset = p.off
	for first := 0; first < len(cells); first += pageRows {
		rows := cells[first:min(first+pageRows, len(cells))]
		nulls := p.beginPage(rows)
		add(rows)
		h := format.DataPageHeader{NumValues: int32(len(rows)), Encoding: encoding,
			DefinitionLevelEncoding: format.RLE, RepetitionLevelEncoding: format.RLE}
		h.Statistics.NullCount = int64(nulls)
		m.Statistics.NullCount += int64(nulls)
		if err := p.pack(&m, format.PageHeader{Type: format.DataPage, DataPageHeader: thrift.New(h)}); err != nil {
			return format.ColumnChunk{}, err
		}
	}
	m.TotalCompressedSize = p.off - start
	return format.ColumnChunk{FileOffset: start, MetaData: m}, nil
}

// beginPage begins a page with the definition levels of its rows, 0 for a null and 1 for a value,
// after their length. It counts the nulls.
func (p *Writer) beginPage(rows []float64) (nulls int) {
	for _, v := range rows {
		if v != v {
			nulls++
		}
	}
	p.page = append(p.page[:0], 0, 0, 0, 0)
	switch nulls {
	case 0:
		p.page = appendRun(p.page, len(rows), 1, 1)
	case len(rows):
		p.page = appendRun(p.page, len(rows), 0, 1)
	default:
		p.numbers = slices.Grow(p.numbers[:0], len(rows))[:len(rows)]
		for i, v := range rows {
			p.numbers[i] = 1
			if v != v {
				p.numbers[i] = 0
			}
		}
		p.page = appendPacked(p.page, p.numbers, 1)
	}
	binary.LittleEndian.PutUint32(p.page, uint32(len(p.page)-4))
	return nulls
}

// addNumbers adds the values of rows to the page.
func (p *Writer) addNumbers(rows []float64) {
	p.page = slices.Grow(p.page, 8*len(rows))
	for _, v := range rows {
		if v == v {
			p.page = binary.LittleEndian.AppendUint64(p.page, math.Float64bits(v))
		}
	}
}

// addPositions adds the dictionary indices of the codes in rows.
func (p *Writer) addPositions(rows []float64, positions []uint32, width uint) {
	p.numbers = p.numbers[:0]
	for _, code := range rows {
		if code == code {
			p.numbers = append(p.numbers, positions[int(code)])
		}
	}
	p.page = append(p.page, byte(width))
	p.page = appendPacked(p.page, p.numbers, width)
}

// addDictionary makes a page of the texts that occur in column j. It returns their indices by code,
// and their number.
func (p *Writer) addDictionary(j int, cells []float64) (positions []uint32, size int, err error) {
	const absent = math.MaxUint32
	categories := p.schema.Categories[j]
	positions = make([]uint32, len(categories))
	for code := range positions {
		positions[code] = absent
	}
	p.page = p.page[:0]
	for i, code := range cells {
		if code != code {
			continue
		}
		if code < 0 || code != math.Trunc(code) || code >= float64(len(categories)) {
			return nil, 0, fmt.Errorf("parquet: row %d: column %s: code %v of %d texts",
				int(p.meta.NumRows)+i+1, p.schema.Name(j), code, len(categories))
		}
		if positions[int(code)] != absent {
			continue
		}
		positions[int(code)] = uint32(size)
		size++
		p.page = binary.LittleEndian.AppendUint32(p.page, uint32(len(categories[int(code)])))
		p.page = append(p.page, categories[int(code)]...)
	}
	return positions, size, nil
}

// pack compresses the page and writes it after its header.
func (p *Writer) pack(m *format.ColumnMetaData, h format.PageHeader) error {
	if len(p.page) > 1<<30 {
		return fmt.Errorf("parquet: column %s: its texts take %d bytes in a row group, more than a page can hold", m.PathInSchema[0], len(p.page))
	}
	p.packed = snappy.Encode(p.packed[:cap(p.packed)], p.page)
	h.UncompressedPageSize = int32(len(p.page))
	h.CompressedPageSize = int32(len(p.packed))
	header, err := thrift.Marshal(&thrift.CompactProtocol{}, &h)
	if err != nil {
		return fmt.Errorf("parquet: %w", err)
	}
	m.TotalUncompressedSize += int64(len(header) + len(p.page))
	if err := p.write(header); err != nil {
		return err
	}
	return p.write(p.packed)
}
