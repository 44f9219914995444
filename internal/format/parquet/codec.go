package parquet

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"fsa/internal/format/columnar"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/snappy"
	"github.com/klauspost/compress/zstd"
	"github.com/parquet-go/parquet-go/format"
	"github.com/pierrec/lz4/v4"
)

var errLength = errors.New("it does not have the length that its header promises")

// unpacker decompresses pages.
type unpacker struct{ zstd *zstd.Decoder }

// unpack decompresses src into dst, which must have the right length.
func (u *unpacker) unpack(codec format.CompressionCodec, dst, src []byte) (err error) {
	if len(dst) == 0 {
		return nil
	}
	defer columnar.Recovered(&err)
	n := 0
	switch codec {
	case format.Uncompressed:
		if len(src) != len(dst) {
			return errLength
		}
		n = copy(dst, src)
	case format.Snappy:
		if n, err = snappy.DecodedLen(src); err != nil || n != len(dst) {
			return errors.Join(errLength, err)
		}
		_, err = snappy.Decode(dst, src)
	case format.Zstd:
		if u.zstd == nil {
			if u.zstd, err = zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecodeAllCapLimit(true)); err != nil {
				return err
			}
		}
		var all []byte
		all, err = u.zstd.DecodeAll(src, dst[:0:len(dst)])
		n = len(all)
	case format.Lz4Raw:
		n, err = lz4.UncompressBlock(src, dst)
	case format.Gzip:
		var z *gzip.Reader
		if z, err = gzip.NewReader(bytes.NewReader(src)); err == nil {
			n, err = readAll(z, dst)
		}
	case format.Brotli:
		n, err = readAll(brotli.NewReader(bytes.NewReader(src)), dst)
	default:
		return fmt.Errorf("compression %v is not supported; snappy, zstd, gzip, brotli, lz4_raw and none are", codec)
	}
	// A page that ends too soon is damaged; it is not the end of the file.
	if err == nil && n != len(dst) || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		err = errLength
	}
	return err
}

// close releases the memory of unpacking.
func (u *unpacker) close() {
	if u.zstd != nil {
		u.zstd.Close()
		u.zstd = nil
	}
}

// readAll reads all of r into dst, which must be long enough.
func readAll(r io.Reader, dst []byte) (int, error) {
	n, err := io.ReadFull(r, dst)
	if err != nil {
		return n, err
	}
	if more, err := io.ReadFull(r, make([]byte, 1)); err != io.EOF {
		return n + more, err
	}
	return n, nil
}
