package arrow

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"sync/atomic"

	"fsa/data"
	"fsa/internal/format/columnar"

	"github.com/klauspost/compress/zstd"
	"github.com/pierrec/lz4/v4"
)

// buffer is a run of bytes of a batch: in the file, or unpacked in memory.
type buffer struct {
	src    *source
	at, n  int64
	packed packing
	bytes  []byte
	loaded bool  // bytes are its contents; otherwise
	from   int64 // the buffer holds the last part that was read
}

// packing is the compression of a buffer.
type packing int8

const (
	unpacked packing = iota - 1
	packedLZ4
	packedZstd
)

// limits is the memory that the buffers of a file may take.
type limits struct {
	room *columnar.Room
	held atomic.Int64 // bytes of unpacked buffers,
	most int64        // and the largest allowed number; 0 for any
}

// aheadBytes is the number of bytes of the columns of a batch that are read at once.
const aheadBytes = 32 << 20

// scratch is the working memory of a thread.
type scratch struct {
	zstd  *zstd.Decoder
	ahead int64 // bytes that are read of a buffer at once
}

func (s *scratch) close() {
	if s.zstd != nil {
		s.zstd.Close()
	}
}

// open unpacks a buffer of at most the given number of bytes.
func (b *buffer) open(s *scratch, l *limits, most int64) error {
	if b.packed == unpacked || b.n == 0 {
		b.packed = unpacked
		return nil
	}
	if b.n < 8 {
		return errDamaged
	}
	head, err := b.src.bytes(b.at, 8)
	if err != nil {
		return err
	}
	n := int64(binary.LittleEndian.Uint64(head))
	b.at, b.n = b.at+8, b.n-8
	if n == -1 { // not compressed, because that would not have helped
		b.packed = unpacked
		return nil
	}
	if n < 0 || n > most || !columnar.Plausible(n, b.n) {
		return fmt.Errorf("a buffer of %d bytes that claims to have been packed from %d", b.n, n)
	}
	held := l.held.Add(max(n-int64(cap(b.bytes)), 0))
	if err := l.room.Fits(held); err != nil {
		return err
	}
	if l.most > 0 && held > l.most {
		return fmt.Errorf("%w: the compressed columns of one batch take more than %d bytes: allow more, or write the file in smaller batches", data.ErrMemory, l.most)
	}
	packed, err := b.src.bytes(b.at, b.n)
	if err != nil {
		return err
	}
	if int64(cap(b.bytes)) < n {
		b.bytes = make([]byte, n)
	}
	b.bytes, b.loaded = b.bytes[:n], true
	return unpack(b.packed, b.bytes, packed, s)
}

// unpack decompresses src into dst.
func unpack(p packing, dst, src []byte, s *scratch) (err error) {
	defer columnar.Recovered(&err)
	n := 0
	switch p {
	case packedLZ4:
		r := lz4.NewReader(bytes.NewReader(src))
		if n, err = io.ReadFull(r, dst); err == nil {
			var more [1]byte
			if k, _ := r.Read(more[:]); k > 0 {
				return errDamaged
			}
		}
	case packedZstd:
		if s.zstd == nil {
			if s.zstd, err = zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecodeAllCapLimit(true)); err != nil {
				return err
			}
		}
		var all []byte
		all, err = s.zstd.DecodeAll(src, dst[:0:len(dst)])
		n = len(all)
	default:
		return fmt.Errorf("compression %d is not supported; lz4 and zstd are", p)
	}
	if err != nil || n != len(dst) {
		return fmt.Errorf("a compressed buffer: %w", errDamaged)
	}
	return nil
}

// length is the number of bytes of the opened buffer.
func (b *buffer) length() int64 {
	if b.loaded {
		return int64(len(b.bytes))
	}
	return b.n
}

// window returns n bytes of the buffer, which are valid until the next call. If the buffer is in
// the file, it reads ahead bytes at once.
func (b *buffer) window(at, n, ahead int64) ([]byte, error) {
	if at < 0 || n < 0 || at > b.length()-n {
		return nil, errDamaged
	}
	if b.loaded {
		return b.bytes[at:][:n], nil
	}
	if at < b.from || at+n > b.from+int64(len(b.bytes)) {
		size := min(max(n, ahead), b.n-at)
		if int64(cap(b.bytes)) < size {
			b.bytes = make([]byte, size)
		}
		b.bytes, b.from = b.bytes[:size], at
		if err := columnar.ReadAt(b.src, b.bytes, b.at+at); err != nil {
			b.bytes = b.bytes[:0]
			return nil, err
		}
	}
	return b.bytes[at-b.from:][:n], nil
}

// load reads the whole buffer into memory.
func (b *buffer) load(l *limits) error {
	if b.loaded {
		return nil
	}
	if err := l.room.Take(b.n); err != nil {
		return err
	}
	all, err := b.src.bytes(b.at, b.n)
	b.bytes, b.loaded = all, err == nil
	return err
}
