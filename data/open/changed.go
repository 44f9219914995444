package open

import (
	"hash/crc32"
	"os"
	"sync"

	"fsa/data"
)

// A file may be written to while it is read, and what comes of that is rows of two
// tables, or a part of one: a model of it looks like any other. So it is noticed. A
// file that another takes the place of (by a rename, as this program does) is no
// problem: what was opened stays as it was.

// stamp is how a file looked when it was opened; nil for what is no plain file.
type stamp struct{ os.FileInfo }

func stampOf(f *os.File) *stamp {
	if f == nil {
		return nil
	}
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() {
		return nil
	}
	return &stamp{info}
}

// still refuses a file that does not look as it did.
func (s *stamp) still(f *os.File, path string) error {
	if s == nil {
		return nil
	}
	now, err := f.Stat()
	if err != nil {
		return err
	}
	if !os.SameFile(now, s.FileInfo) || now.Size() != s.Size() || !now.ModTime().Equal(s.ModTime()) {
		return changed(path)
	}
	return nil
}

func changed(path string) error {
	return &data.Error{File: path, Msg: "the file was changed while it was read: start again when nobody writes to it"}
}

// chunk is how many bytes have a checksum of their own.
const chunk = 1 << 20

// steady is a file that is read again and again. It refuses what is not as it was when
// it was read before, or when the file was opened.
type steady struct {
	bare
	path string
	seen *stamp

	mu   sync.Mutex
	sums map[int64]uint32 // of the chunks that were read as a whole, by number
}

// steadily reads a file that has to look as it did when it was opened before.
func steadily(f *os.File, path string, seen *stamp) (*steady, error) {
	if seen == nil {
		seen = stampOf(f)
	}
	return &steady{bare: bare{f}, path: path, seen: seen, sums: map[int64]uint32{}}, seen.still(f, path)
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// ReadAt implements [io.ReaderAt].
func (s *steady) ReadAt(p []byte, off int64) (int, error) {
	n, err := s.bare.ReadAt(p, off)
	if e := s.seen.still(s.file, s.path); e != nil {
		return 0, e
	}
	for at := (off + chunk - 1) / chunk; (at+1)*chunk <= off+int64(n); at++ {
		sum := crc32.Checksum(p[at*chunk-off:][:chunk], castagnoli)
		s.mu.Lock()
		before, known := s.sums[at]
		s.sums[at] = sum
		s.mu.Unlock()
		if known && before != sum {
			return 0, changed(s.path)
		}
	}
	return n, err
}
