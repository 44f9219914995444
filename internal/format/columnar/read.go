package columnar

import (
	"errors"
	"fmt"
	"io"
)

// ErrShort says that the input ends too early.
var ErrShort = errors.New("the bytes end too early")

// IOError is a failure of the machine, not of the file.
type IOError struct{ error }

// Unwrap returns the underlying error.
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

// Recovered turns a panic into an error. It is used where foreign bytes go through foreign code,
// such as decompressors, and only there: such a panic means that the file is damaged.
func Recovered(err *error) {
	if p := recover(); p != nil {
		*err = fmt.Errorf("the decoder gave up: %v", p)
	}
}
