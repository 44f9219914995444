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

// mapping is a file that is mapped into memory. Pages that were read count as used by the program
// until they are released.
type mapping struct {
	all    []byte
	looked int // bytes, since some were released
}

const (
	lookedMost = 64 << 20
	looksLeast = 64 << 10 // what a system reads together with a byte
)

// mapFile makes a source of the first size bytes of a file, which it takes over. If the file system
// cannot map, or the address space is limited, the file is read.
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
		// Released pages come back by themselves when they are needed, so failing does no harm.
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
