package open

import (
	"hash/crc32"
	"os"
	"sync"

	"fsa/data"
)

// If a file is written to while it is read, the result may be rows of two tables, or part of one,
// and the model would look like any other. So such changes are detected. A file that is replaced by
// another one (by a rename, as this program does) causes no problem: the opened file does not
// change.

// stamp describes a file when it was opened; it is nil unless the file is regular.
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

// still returns an error if the file has changed.
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
	return &data.Error{File: path, Msg: "the file was changed while it was read: start again when no program writes to it"}
}

// chunk is the number of bytes per checksum.
const chunk = 1 << 20

// steady is a file that is read repeatedly. It returns an error if the file has changed since it
// was opened, or a chunk since it was first read.
type steady struct {
	bare
	path string
	seen *stamp

	mu   sync.Mutex
	sums map[int64]uint32 // checksums of the chunks that were read completely, by number
}

// steadily returns the file for repeated reading. seen describes the file as it was when it was
// opened before.
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
