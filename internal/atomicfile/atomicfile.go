// Package atomicfile writes files that appear whole or not at all.
//
// A model or a report that takes hours to come by must not be lost because the
// program was stopped while it wrote a newer one. So the bytes go to a
// temporary file in the same folder, and only when all of them are on the disk
// does that file take the name it was meant for. Whoever opens the name sees
// the old content or the new one, never a part.
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
	"runtime"
	"syscall"
)

// File is a file that does not have its name yet. Its errors stick: a caller
// that does not look at the result of Write is told by Commit.
type File struct {
	path string
	tmp  *os.File // nil once committed or aborted
	buf  *bufio.Writer
}

var _ io.Writer = (*File)(nil)

// Create starts a file that will be called path. The temporary file is opened
// at once, so that a folder that cannot be written is noticed before the work
// rather than after it. A device, a pipe or a folder at path is refused, since
// a rename would put a plain file in its place; a symbolic link is replaced.
func Create(path string) (*File, error) {
	switch info, err := os.Stat(path); {
	case err == nil && !info.Mode().IsRegular():
		return nil, &fs.PathError{Op: "create", Path: path, Err: errors.New("exists and is not a regular file")}
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return nil, err
	}
	// os.CreateTemp would make a file that only its owner may read. Here the
	// umask decides, as it does for any other file the user writes.
	name := fmt.Sprintf(".fsa-%016x.tmp", rand.Uint64())
	tmp, err := os.OpenFile(filepath.Join(filepath.Dir(path), name), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return nil, err
	}
	return &File{path: path, tmp: tmp, buf: bufio.NewWriterSize(tmp, 1<<16)}, nil
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
func (f *File) Commit() error {
	if f.tmp == nil {
		return f.closed("commit")
	}
	defer f.Abort()
	if err := f.buf.Flush(); err != nil {
		return err
	}
	if err := f.tmp.Sync(); err != nil {
		return err
	}
	if err := f.tmp.Close(); err != nil {
		return err
	}
	if err := os.Rename(f.tmp.Name(), f.path); err != nil {
		return err
	}
	f.tmp = nil
	return syncFolder(filepath.Dir(f.path))
}

// Abort drops the file. After Commit it does nothing, so it can be deferred.
func (f *File) Abort() {
	if f.tmp == nil {
		return
	}
	f.tmp.Close()
	os.Remove(f.tmp.Name())
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

// syncFolder makes a rename last. Windows has no such call, and some file
// systems answer that they do not know it for folders.
func syncFolder(dir string) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer d.Close()
	if err := d.Sync(); err != nil && !errors.Is(err, errors.ErrUnsupported) && !errors.Is(err, syscall.EINVAL) {
		return err
	}
	return nil
}
