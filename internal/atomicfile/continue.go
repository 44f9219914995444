package atomicfile

import (
	"bufio"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"fsa/internal/fault"
)

// Continue starts a file that will be called path, as [Create] does, in a temporary file with a
// name of its own, which stays if the program ends before Commit, so that another process can
// continue. The first n bytes of an existing file are kept; a shorter file is refused with
// [io.ErrUnexpectedEOF]. Nobody else may write to it meanwhile. A symbolic link in place of the
// temporary file is refused, because its target is not ours.
func Continue(path, part string, n int64) (*File, error) {
	if err := errors.Join(Replaceable(path), Replaceable(part)); err != nil {
		return nil, err
	}
	if info, err := os.Lstat(part); err == nil && info.Mode()&fs.ModeSymlink != 0 {
		return nil, &fs.PathError{Op: "open", Path: part, Err: errors.New("is a link to another file: remove it")}
	}
	sweep(filepath.Dir(path))
	if err := check(fault.Open, part); err != nil {
		return nil, err
	}
	tmp, err := os.OpenFile(part, os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return nil, err
	}
	f := &File{path: path, tmp: tmp, named: true, stays: true}
	if err := f.cut(n); err != nil {
		f.Abort()
		return nil, err
	}
	f.buf = bufio.NewWriterSize(&fault.File{File: tmp}, 1<<16)
	return f, nil
}

// cut keeps the first n bytes of a file, and continues writing after them.
func (f *File) cut(n int64) error {
	if !lock(f.tmp) {
		return &fs.PathError{Op: "open", Path: f.tmp.Name(), Err: errors.New("another process is writing it")}
	}
	info, err := f.tmp.Stat()
	if err != nil {
		return err
	}
	if info.Size() < n {
		return io.ErrUnexpectedEOF
	}
	if err := f.tmp.Truncate(n); err != nil {
		return err
	}
	_, err = f.tmp.Seek(n, io.SeekStart)
	return err
}

// Save writes everything so far to the disk.
func (f *File) Save() error {
	if f.tmp == nil {
		return f.closed("sync")
	}
	if err := f.buf.Flush(); err != nil {
		return err
	}
	if err := check(fault.Sync, f.tmp.Name()); err != nil {
		return err
	}
	return f.tmp.Sync()
}

// Discard drops the file like Abort, and leaves nothing to continue from.
func (f *File) Discard() {
	f.stays = false
	f.Abort()
}

// RemoveStale removes an abandoned file of [Continue], if it exists and nobody writes to it.
func RemoveStale(part string) { removeStale(part) }
