// Package atomicfile writes files that appear whole or not at all.
//
// A model or a report that takes hours to come by must not be lost because the
// program was stopped while it wrote a newer one. So the bytes go to a
// temporary file in the same folder, and only when all of them are on the disk
// does that file take the name it was meant for. Whoever opens the name sees
// the old content or the new one, never a part. Several files can appear
// together ([CommitAll]).
//
// Where the system can do so, a temporary file has no name until it is complete,
// and so nothing of it is left however the program ends. Elsewhere, and in the
// moment in which it gets its name, it is called .fsa-*.tmp; what a program that
// was killed has left under such a name, the next [Create] in that folder removes.
package atomicfile

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"

	"fsa/internal/fault"
)

// File is a file that does not have its name yet. Its errors stick: a caller
// that does not look at the result of Write is told by Commit.
type File struct {
	path  string
	tmp   *os.File // nil once committed or aborted
	named bool     // tmp is found under its name
	stays bool     // and is to be found there by whoever goes on with it
	buf   *bufio.Writer
}

var _ io.Writer = (*File)(nil)

// Create starts a file that will be called path. The temporary file is opened
// at once, so that a folder that cannot be written is noticed before the work
// rather than after it. A device, a pipe or a folder at path is refused, since
// a rename would put a plain file in its place; a symbolic link is replaced.
func Create(path string) (*File, error) {
	if err := replaceable(path); err != nil {
		return nil, err
	}
	folder := filepath.Dir(path)
	sweep(folder)
	f := &File{path: path}
	var err error
	if f.tmp, f.named, err = begin(folder); err != nil {
		return nil, err
	}
	f.buf = bufio.NewWriterSize(&fault.File{File: f.tmp}, 1<<16)
	return f, nil
}

// replaceable refuses a path at which something is that no file may take the place of.
func replaceable(path string) error {
	switch info, err := os.Stat(path); {
	case err == nil && !info.Mode().IsRegular():
		return &fs.PathError{Op: "create", Path: path, Err: errors.New("exists and is not a regular file")}
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return err
	}
	return nil
}

// temporaryName returns a name that no other file of the folder has.
func temporaryName(folder string) string {
	return filepath.Join(folder, fmt.Sprintf(".fsa-%016x.tmp", rand.Uint64()))
}

// begin opens a temporary file, without a name if that is possible.
func begin(folder string) (f *os.File, named bool, err error) {
	name := temporaryName(folder)
	if err := check(fault.Open, name); err != nil {
		return nil, false, err
	}
	if f := nameless(folder, name); f != nil {
		return f, false, nil
	}
	for range 3 { // a sweep may take a file before it is locked
		// os.CreateTemp would make a file that only its owner may read. Here the
		// umask decides, as it does for any other file the user writes.
		f, err = os.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o644)
		if err != nil {
			return nil, false, err
		}
		if lock(f) && isAt(f, name) {
			break
		}
		f.Close()
		name = temporaryName(folder)
	}
	return f, true, nil
}

// isAt reports whether a file has a name.
func isAt(f *os.File, name string) bool {
	a, err := f.Stat()
	if err != nil {
		return false
	}
	b, err := os.Stat(name)
	return err == nil && os.SameFile(a, b)
}

// Temporary returns a file in a folder for whoever needs more room than memory has. It
// has no name, so that nothing of it is left however the program ends.
func Temporary(folder string) (*os.File, error) {
	f, named, err := begin(folder)
	if err == nil && named {
		if err = os.Remove(f.Name()); err != nil {
			f.Close()
		}
	}
	return f, err
}

// check is [fault.Check] with an error as the system's calls return it.
func check(op fault.Op, path string) error {
	if err := fault.Check(op, path); err != nil {
		return &fs.PathError{Op: string(op), Path: path, Err: err}
	}
	return nil
}

// Write adds p to the file.
func (f *File) Write(p []byte) (int, error) {
	if f.tmp == nil {
		return 0, f.closed("write")
	}
	return f.buf.Write(p)
}

// Commit puts the content on the disk and gives the file its name. After an
// error nothing of it is left and what had the name before still has it,
// except where the error is about syncing the folder: then the new file is in
// place but may not survive a power failure.
func (f *File) Commit() error { return CommitAll(f) }

// Abort drops the file. After Commit it does nothing, so it can be deferred.
func (f *File) Abort() {
	if f.tmp == nil {
		return
	}
	if f.named && !f.stays {
		os.Remove(f.tmp.Name())
	}
	f.tmp.Close()
	f.tmp = nil
}

func (f *File) closed(op string) error {
	return &fs.PathError{Op: op, Path: f.path, Err: fs.ErrClosed}
}

// WriteFile gives path the content that write produces, or leaves path as it
// is when write returns an error.
func WriteFile(path string, write func(io.Writer) error) error {
	f, err := Create(path)
	if err != nil {
		return err
	}
	defer f.Abort()
	if err := write(f); err != nil {
		return err
	}
	return f.Commit()
}
