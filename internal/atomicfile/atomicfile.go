// Package atomicfile writes files that appear completely or not at all.
//
// A model or a report that takes hours to compute must not be lost because the program was stopped
// while it wrote a newer one. So the bytes go to a temporary file in the same folder, and only when
// all of them are on the disk does that file get its name. Whoever opens the name sees the old
// content or the new one, never a part. Several files can appear together ([CommitAll]).
//
// If the system supports it, a temporary file has no name until it is complete, so nothing of it is
// left however the program ends. Elsewhere, and in the moment in which it gets its name, it is
// called .fsa-*.tmp; the next [Create] in that folder removes such a file that a killed program has
// left.
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
	"sync"

	"fsa/internal/fault"
)

// File is a file that does not have its name yet. Its errors are sticky: a caller that ignores the
// result of Write gets the error from Commit.
type File struct {
	path  string
	tmp   *os.File // nil once committed or aborted
	named bool     // tmp has a name
	stays bool     // and keeps it for another process that continues
	buf   *bufio.Writer
}

var _ io.Writer = (*File)(nil)

// Create starts a file that will be called path. The temporary file is opened at once, so that an
// unwritable folder is noticed before the work rather than after it. A device, a pipe or a folder
// at path is refused, because a rename would put a plain file in its place; a symbolic link is
// replaced.
func Create(path string) (*File, error) {
	if err := Replaceable(path); err != nil {
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

// Replaceable refuses a path that a file must not replace.
func Replaceable(path string) error {
	switch info, err := os.Stat(path); {
	case err == nil && !info.Mode().IsRegular():
		return &fs.PathError{Op: "create", Path: path, Err: errors.New("exists and is not a regular file: remove it, or give another name")}
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return err
	}
	return nil
}

// temporaryName returns an unused name for a file of the folder.
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
	for range 3 { // a sweep may remove a file before it is locked
		// os.CreateTemp would make a file that only its owner may read. Here the umask decides, as
		// for any other file of the user.
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

// Temporary returns a file in a folder for callers that need more room than memory has. It has no
// name, so nothing of it is left however the program ends.
func Temporary(folder string) (*os.File, error) {
	f, named, err := begin(folder)
	if err == nil && named {
		if err = os.Remove(f.Name()); err != nil {
			f.Close()
		}
	}
	return f, err
}

// Reserve takes so many handles of open files, for files that are written later and must not fail
// because others have taken all. Release gives them back; it may be called more than once.
func Reserve(files int) (release func(), err error) {
	var held []*os.File
	release = sync.OnceFunc(func() {
		for _, f := range held {
			f.Close()
		}
	})
	for range files {
		f, err := os.Open(os.DevNull)
		if errors.Is(err, fs.ErrNotExist) { // an image from scratch has no devices
			f, err = os.Open(string(filepath.Separator))
		}
		if err != nil {
			release()
			return nil, err
		}
		held = append(held, f)
	}
	return release, nil
}

// check is [fault.Check] with an error like those of system calls.
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

// Private makes the file readable for its owner only. On Windows the folder decides.
func (f *File) Private() error {
	if f.tmp == nil {
		return f.closed("chmod")
	}
	return f.tmp.Chmod(0o600)
}

// Commit writes the content to the disk and gives the file its name. After an error nothing of it
// is left and the previous file still has the name, unless the error is about syncing the folder:
// then the new file is in place but may not survive a power failure.
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

// WriteFile gives path the content that write produces, or leaves path unchanged if write returns
// an error.
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
