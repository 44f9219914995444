//go:build unix

package npy

import (
	"context"
	"os"
	"syscall"

	"golang.org/x/sys/unix"

	"fsa/internal/fault"
	"fsa/internal/machine"
)

// mapping is a file that lies in memory. What was looked at counts as used by
// the program until it is given back.
type mapping struct {
	all    []byte
	looked int // bytes, since some were given back
}

const (
	lookedMost = 64 << 20
	looksLeast = 64 << 10 // what a system brings along with a byte
)

// mapFile makes a source of the first size bytes of a file, which it takes
// over. Some file systems cannot map, and a limited address space is not for files;
// then they are read.
func mapFile(f *fault.File, size int) source {
	if machine.AddressSpace() || fault.Check(fault.Map, f.Name()) != nil {
		return &file{File: f}
	}
	all, err := syscall.Mmap(int(f.Fd()), 0, size, syscall.PROT_READ, syscall.MAP_SHARED)
	if err != nil {
		return &file{File: f}
	}
	f.Close() // the mapping stays
	return &mapping{all: all}
}

func (m *mapping) at(_ context.Context, off, n int) ([]byte, error) {
	if m.all == nil {
		return nil, os.ErrClosed
	}
	if m.looked += max(n, looksLeast); m.looked > lookedMost {
		// Whatever is needed again comes back by itself, so failing is no harm.
		_ = unix.Madvise(m.all, unix.MADV_DONTNEED)
		m.looked = 0
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
