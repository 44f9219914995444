//go:build !unix

package serve

import (
	"io"
	"os"
)

// mapped returns the bytes of a file. On this system they are read, so that the file can be removed
// while they are used.
func mapped(f *os.File, size int, _ bool) (all []byte, release func() error, err error) {
	all = make([]byte, size)
	if _, err := io.ReadFull(f, all); err != nil {
		return nil, nil, err
	}
	return all, func() error { return nil }, nil
}
