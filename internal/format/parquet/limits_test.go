package parquet

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"runtime"
	"testing"

	"fsa/data"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"
)

// page returns a page and its header.
func page(t *testing.T, h format.PageHeader, body ...byte) []byte {
	t.Helper()
	h.CompressedPageSize = int32(len(body))
	b, err := thrift.Marshal(&thrift.CompactProtocol{}, &h)
	if err != nil {
		t.Fatal(err)
	}
	return append(b, body...)
}

// valuesOf returns the header of a page of n values.
func valuesOf(n int32, encoding format.Encoding) thrift.Null[format.DataPageHeader] {
	return thrift.New(format.DataPageHeader{NumValues: n, Encoding: encoding, DefinitionLevelEncoding: format.RLE})
}

// assembled returns a file of so many columns that all have the same pages in each row group.
func assembled(t *testing.T, kind format.Type, codec format.CompressionCodec, cols int, rows int64, groups ...[]byte) []byte {
	t.Helper()
	file := []byte(magic)
	meta := format.FileMetaData{Schema: []format.SchemaElement{{Name: "root", NumChildren: thrift.New(int32(cols))}}}
	for j := range cols {
		meta.Schema = append(meta.Schema, format.SchemaElement{Name: fmt.Sprint("x", j), Type: thrift.New(kind), RepetitionType: thrift.New(format.Required)})
	}
	for _, pages := range groups {
		g := format.RowGroup{NumRows: rows}
		for range cols {
			m := format.ColumnMetaData{Type: kind, Codec: codec, NumValues: rows, DataPageOffset: int64(len(file)), TotalCompressedSize: int64(len(pages))}
			g.Columns = append(g.Columns, format.ColumnChunk{MetaData: m})
			file = append(file, pages...)
		}
		meta.RowGroups = append(meta.RowGroups, g)
	}
	footer, err := thrift.Marshal(&thrift.CompactProtocol{}, &meta)
	if err != nil {
		t.Fatal(err)
	}
	return append(binary.LittleEndian.AppendUint32(append(file, footer...), uint32(len(footer))), magic...)
}

// TestHugeClaims checks that pages take no memory for what they only claim.
func TestHugeClaims(t *testing.T) {
	const rows = 1 << 30
	long := binary.AppendUvarint(nil, rows<<1)
	for want, pages := range map[string][]byte{
		"claims to have been packed":   page(t, format.PageHeader{UncompressedPageSize: math.MaxInt32, DataPageHeader: valuesOf(10, format.Plain)}, 1, 2, 3),
		"claims 1073741824 values":     page(t, format.PageHeader{DataPageHeader: valuesOf(rows, format.Plain)}),
		"of 16777216 bytes for 10 val": page(t, format.PageHeader{UncompressedPageSize: 16 << 20, DataPageHeader: valuesOf(10, format.Plain)}, 1, 2, 3),
		"take more than":               page(t, format.PageHeader{Type: format.DictionaryPage, UncompressedPageSize: 16 << 20, DictionaryPageHeader: thrift.New(format.DictionaryPageHeader{NumValues: 1 << 29})}, 1, 2, 3),
		"3 values in 2 bytes": page(t, format.PageHeader{Type: format.DictionaryPage, UncompressedPageSize: 2,
			DictionaryPageHeader: thrift.New(format.DictionaryPageHeader{NumValues: 3})}, 1, 2),
		"position 7 in a dictionary of 0 values": append(page(t, format.PageHeader{Type: format.DictionaryPage,
			DictionaryPageHeader: thrift.New(format.DictionaryPageHeader{})}),
			page(t, format.PageHeader{UncompressedPageSize: int32(2 + len(long)), DataPageHeader: valuesOf(maxPageValues, format.RLEDictionary)}, append(append([]byte{3}, long...), 7)...)...),
		"head of packed differences": page(t, format.PageHeader{UncompressedPageSize: 10, DataPageHeader: valuesOf(maxPageValues, format.DeltaBinaryPacked)},
			128, 1, 4, 0xff, 0xff, 0xff, 0xff, 0x0f, 0, 0),
	} {
		file := assembled(t, format.Int32, format.Uncompressed, 1, rows-1, pages)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		r, err := open(file)
		if err == nil {
			_, err = r.Next(context.Background())
		}
		runtime.ReadMemStats(&after)
		wantError(t, "page", err, want)
		if used := after.TotalAlloc - before.TotalAlloc; used > 8<<20 {
			t.Errorf("%s: %d bytes for a file of %d", want, used, len(file))
		}
		if _, again := r.Next(context.Background()); again != err {
			t.Errorf("after %v came %v", err, again)
		}
	}
}

// TestBombs checks that pages that unpack to far more than their rows need are refused, or at least
// that many of them are.
func TestBombs(t *testing.T) {
	const cols, size = 40, 16 << 20
	packer, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	packed := packer.EncodeAll(make([]byte, size), nil)
	values := page(t, format.PageHeader{UncompressedPageSize: size, DataPageHeader: valuesOf(1, format.Plain)}, packed...)
	entries := page(t, format.PageHeader{Type: format.DictionaryPage, UncompressedPageSize: size,
		DictionaryPageHeader: thrift.New(format.DictionaryPageHeader{NumValues: size / 8})}, packed...)
	first := packer.EncodeAll([]byte{1, 2, 0}, nil) // of one bit, once, the first
	entries = append(entries, page(t, format.PageHeader{UncompressedPageSize: 3, DataPageHeader: valuesOf(1, format.RLEDictionary)}, first...)...)
	for name, c := range map[string]struct {
		kind  format.Type
		pages []byte
		want  string
	}{
		"numbers":    {format.Double, values, "column x0: row group 1 cannot be read: a page of 16777216 bytes for 1 values"},
		"texts":      {format.ByteArray, values, "texts and dictionaries take more than"},
		"dictionary": {format.Double, entries, "texts and dictionaries take more than"},
	} {
		file := assembled(t, c.kind, format.Zstd, cols, 1, c.pages)
		if _, err := collect(t, assembled(t, c.kind, format.Zstd, 1, 1, c.pages)); err != nil && name != "numbers" {
			t.Errorf("%s: one page: %v", name, err)
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := collect(t, file)
		runtime.ReadMemStats(&after)
		wantError(t, name, err, c.want)
		if used := after.TotalAlloc - before.TotalAlloc; used > 160<<20 {
			t.Errorf("%s: %d bytes for a file of %d", name, used, len(file))
		}
	}
}

// TestPageThatEnds checks that a page that unpacks to nothing is not taken for the end of the rows.
func TestPageThatEnds(t *testing.T) {
	plain := make([]byte, 80)
	for name, c := range map[string]struct {
		codec format.CompressionCodec
		pack  func(w io.Writer) io.WriteCloser
	}{
		"gzip":   {format.Gzip, func(w io.Writer) io.WriteCloser { return gzip.NewWriter(w) }},
		"brotli": {format.Brotli, func(w io.Writer) io.WriteCloser { return brotli.NewWriter(w) }},
	} {
		for length, want := range map[int]string{80: "", 0: errLength.Error(), 79: errLength.Error()} {
			var groups [][]byte
			for _, n := range []int{80, length} {
				var packed bytes.Buffer
				w := c.pack(&packed)
				if _, err := w.Write(plain[:n]); err != nil {
					t.Fatal(err)
				}
				if err := w.Close(); err != nil {
					t.Fatal(err)
				}
				groups = append(groups, page(t, format.PageHeader{UncompressedPageSize: 80, DataPageHeader: valuesOf(10, format.Plain)}, packed.Bytes()...))
			}
			r, err := open(assembled(t, format.Double, c.codec, 1, 10, groups...))
			if err != nil {
				t.Fatal(err)
			}
			d, err := data.Load(t.Context(), r, "f.parquet", data.Roles{})
			if want == "" && (err != nil || d.Rows() != 20) {
				t.Errorf("%s: %v", name, err)
			} else if want != "" {
				wantError(t, fmt.Sprintf("%s of %d bytes", name, length), err, want)
				if errors.Is(err, io.EOF) {
					t.Errorf("%s: %v is the end of something", name, err)
				}
			}
		}
		empty := page(t, format.PageHeader{UncompressedPageSize: 80, DataPageHeader: valuesOf(10, format.Plain)})
		_, err := collect(t, assembled(t, format.Double, c.codec, 1, 10, empty))
		wantError(t, name+" without bytes", err, errLength.Error())
	}
}
