// Package fault lets a test make a system call fail. Code that opens, reads or writes files asks
// [Check] before each call; outside tests that costs one look at a pointer. So every error path of
// a command can be tested, one call after the other, with the program that users run.
package fault

import (
	"io"
	"io/fs"
	"os"
	"sync/atomic"
)

// Op is a kind of call.
type Op string

// The calls that can fail.
const (
	Open   Op = "open"
	Read   Op = "read"
	Write  Op = "write"
	Sync   Op = "sync"
	Link   Op = "link" // a nameless file gets a name
	Rename Op = "rename"
	Close  Op = "close"
	Map    Op = "mmap"
	Mkdir  Op = "mkdir"
)

var hook atomic.Pointer[func(op Op, path string) error]

// Check returns the error with which a call is to fail, nil if it may proceed.
func Check(op Op, path string) error {
	if f := hook.Load(); f != nil {
		return (*f)(op, path)
	}
	return nil
}

// Install lets f decide about all calls until remove is called. It may be called from several
// goroutines at once.
func Install(f func(op Op, path string) error) (remove func()) {
	hook.Store(&f)
	return func() { hook.Store(nil) }
}

// OpenFile opens a file for reading; its calls may fail, too.
func OpenFile(path string) (*File, error) {
	if err := Check(Open, path); err != nil {
		return nil, &fs.PathError{Op: string(Open), Path: path, Err: err}
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	return &File{f}, nil
}

// ReadFile returns the content of a file.
func ReadFile(path string) ([]byte, error) {
	f, err := OpenFile(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(f)
}

// MkdirAll makes a folder and its parents.
func MkdirAll(path string) error {
	if err := Check(Mkdir, path); err != nil {
		return &fs.PathError{Op: string(Mkdir), Path: path, Err: err}
	}
	return os.MkdirAll(path, 0o755)
}

// File is an open file.
type File struct{ *os.File }

var (
	_ io.ReadCloser = (*File)(nil)
	_ io.ReaderAt   = (*File)(nil)
	_ io.Writer     = (*File)(nil)
)

func (f *File) check(op Op) error {
	if err := Check(op, f.Name()); err != nil {
		return &fs.PathError{Op: string(op), Path: f.Name(), Err: err}
	}
	return nil
}

// Read implements [io.Reader].
func (f *File) Read(p []byte) (int, error) {
	if err := f.check(Read); err != nil {
		return 0, err
	}
	return f.File.Read(p)
}

// ReadAt implements [io.ReaderAt].
func (f *File) ReadAt(p []byte, off int64) (int, error) {
	if err := f.check(Read); err != nil {
		return 0, err
	}
	return f.File.ReadAt(p, off)
}

// Write implements [io.Writer].
func (f *File) Write(p []byte) (int, error) {
	if err := f.check(Write); err != nil {
		return 0, err
	}
	return f.File.Write(p)
}

// Close implements [io.Closer]. The file is closed in any case.
func (f *File) Close() error {
	err := f.check(Close)
	if e := f.File.Close(); err == nil {
		err = e
	}
	return err
}
