//go:build unix

package npy

import (
	"context"
	"os"
	"syscall"
)

// mapping is a file that lies in memory.
type mapping struct{ all []byte }

// mapFile makes a source of the first size bytes of a file, which it takes
// over. Some file systems cannot map; their files are read.
func mapFile(f *os.File, size int) source {
	all, err := syscall.Mmap(int(f.Fd()), 0, size, syscall.PROT_READ, syscall.MAP_SHARED)
	if err != nil {
		return &file{File: f}
	}
	f.Close() // the mapping stays
	return &mapping{all}
}

func (m *mapping) at(_ context.Context, off, n int) ([]byte, error) {
	if m.all == nil {
		return nil, os.ErrClosed
	}
	return m.all[off : off+n], nil
}

func (m *mapping) Close() error {
	all := m.all
	m.all = nil
	if all == nil {
		return nil
	}
	return syscall.Munmap(all)
}
