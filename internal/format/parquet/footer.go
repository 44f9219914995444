package parquet

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"fsa/data"
	"fsa/internal/format/columnar"

	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"
)

// readFooter reads the description of the file at its end: the structure, its length, and the magic
// bytes again. It also returns the offset at which the pages end.
func readFooter(r io.ReaderAt, size int64, name string) (*format.FileMetaData, int64, error) {
	const tail = 4 + len(magic)
	bad := func(format string, args ...any) (*format.FileMetaData, int64, error) {
		return nil, 0, &data.Error{File: name, Msg: fmt.Sprintf(format, args...)}
	}
	if size < int64(len(magic)+tail) {
		return bad("not a Parquet file: it has %d bytes", size)
	}
	var head [len(magic)]byte
	var last [tail]byte
	if err := errors.Join(columnar.ReadAt(r, head[:], 0), columnar.ReadAt(r, last[:], size-int64(tail))); err != nil {
		return nil, 0, fmt.Errorf("parquet: %s: %w", name, err)
	}
	switch end := string(last[4:]); {
	case end == "PARE":
		return bad("the file is encrypted; save it without encryption")
	case !Sniff(head[:]):
		return bad("not a Parquet file: it begins with %q, not %q", head, magic)
	case end != magic:
		return bad("the file ends with %q, not %q; it was cut short", end, magic)
	}
	length := int64(binary.LittleEndian.Uint32(last[:4]))
	end := size - int64(tail) - length
	if end < int64(len(magic)) {
		return bad("the file claims a footer of %d bytes but has %d in all", length, size)
	}
	footer := make([]byte, length)
	if err := columnar.ReadAt(r, footer, end); err != nil {
		return nil, 0, fmt.Errorf("parquet: %s: %w", name, err)
	}
	meta := new(format.FileMetaData)
	if _, err := unmarshal(footer, meta); err != nil {
		return nil, 0, &data.Error{File: name, Msg: "the footer is damaged", Err: err}
	}
	return meta, end, nil
}

// unmarshal decodes the Thrift structure at the beginning of b and returns its length.
func unmarshal(b []byte, v any) (n int, err error) {
	if n, err = skim(b); err != nil {
		return 0, err
	}
	defer columnar.Recovered(&err)
	return n, thrift.Unmarshal(&thrift.CompactProtocol{}, b[:n], v)
}
