//go:build unix

package serve

import (
	"os"
	"syscall"
)

// mapped returns the bytes of a file, which are shared with the other process. They may be written
// to if the client wrote the file for this request.
func mapped(f *os.File, size int, own bool) (all []byte, release func() error, err error) {
	protection := syscall.PROT_READ
	if own {
		protection |= syscall.PROT_WRITE
	}
	all, err = syscall.Mmap(int(f.Fd()), 0, size, protection, syscall.MAP_SHARED)
	if err != nil {
		return nil, nil, os.NewSyscallError("mmap", err)
	}
	return all, func() error { return syscall.Munmap(all) }, nil
}
