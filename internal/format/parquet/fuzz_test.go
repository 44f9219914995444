package parquet

import (
	"testing"

	"fsa/internal/format/columnar"

	"github.com/parquet-go/parquet-go/format"
)

// FuzzRead checks that any bytes give rows or an error.
func FuzzRead(f *testing.F) {
	for _, name := range []string{"types.parquet", "encodings.parquet", "nested.parquet", "infinite.parquet", "empty.parquet"} {
		f.Add(load(f, name))
	}
	f.Fuzz(func(t *testing.T, file []byte) {
		collect(t, file)
	})
}

// FuzzPage does the same for the pages alone, which are behind compression and checksums in a file.
func FuzzPage(f *testing.F) {
	f.Add(uint8(text), uint8(format.DeltaByteArray), []byte{2, 0, 0, 0, 20, 1}, []byte{128, 1, 4, 4, 0, 0, 0, 0, 0, 0, 128, 1, 4, 4, 2, 0, 0, 0, 0, 0, 'a', 'b'})
	f.Add(uint8(signed32), uint8(format.DeltaBinaryPacked), []byte{2, 0, 0, 0, 20, 1}, []byte{128, 1, 4, 4, 0, 2, 1, 1, 1, 1, 7, 7, 7, 7})
	f.Add(uint8(double), uint8(format.RLEDictionary), []byte{2, 0, 0, 0, 20, 1}, []byte{1, 6, 1})
	f.Add(uint8(text), uint8(format.RLEDictionary), []byte{2, 0, 0, 0, 3, 5}, []byte{1, 6, 1})
	f.Add(uint8(boolean), uint8(format.RLE), []byte{2, 0, 0, 0, 20, 1}, []byte{3, 0, 0, 0, 6, 1})
	f.Add(uint8(decimal), uint8(format.ByteStreamSplit), []byte{2, 0, 0, 0, 20, 1}, []byte{3, 0, 0, 0, 6, 1})
	f.Fuzz(func(t *testing.T, kind, encoding uint8, levels, page []byte) {
		sizes := map[cell]int{signed32: 4, unsigned32: 4, signed64: 8, unsigned64: 8, single: 4, double: 8, half: 2, julian: 12, decimal: 5}
		c := &cursor{
			column: &column{cell: min(cell(kind), text), size: sizes[cell(kind)], unit: 1, optional: true},
			shared: &shared{room: columnar.NewRoom(0)},
			chunk:  chunk{rows: 100},
		}
		c.codes = columnar.NewTexts(c.room)
		s := new(scratch)
		c.dictionaryPage(&format.DictionaryPageHeader{NumValues: 2}, s, []byte("\x01\x00\x00\x00a\x01\x00\x00\x00b12345678901234"), 24)
		all := append(levels, page...)
		if c.dataPage(&format.DataPageHeader{NumValues: 100, Encoding: format.Encoding(encoding), DefinitionLevelEncoding: format.RLE}, s, all, len(all)) == nil {
			c.read(make([]float64, 100), s)
		}
	})
}
