package columnar

import (
	"errors"
	"fmt"
	"io"
)

// ErrShort says that bytes end before what they hold does.
var ErrShort = errors.New("the bytes end too early")

// IOError is a failure of the machine, not of the file.
type IOError struct{ error }

// Unwrap returns what has failed.
func (e IOError) Unwrap() error { return e.error }

// ReadAt fills b with the bytes at off.
func ReadAt(r io.ReaderAt, b []byte, off int64) error {
	n, err := r.ReadAt(b, off)
	if n == len(b) {
		return nil
	}
	if err == nil || err == io.EOF {
		return ErrShort
	}
	return IOError{err}
}

// Recovered makes an error of a panic. It stands where a stranger's bytes go
// through code that is not ours, such as decompressors, and only there: a panic in such
// a place says that the file is damaged.
func Recovered(err *error) {
	if p := recover(); p != nil {
		*err = fmt.Errorf("the decoder gave up: %v", p)
	}
}
