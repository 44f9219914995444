package kernel

import (
	"os"
	"slices"
	"syscall"
	"testing"
	"unsafe"
)

// No kernel reads beyond its rows: here memory that may be read ends with them,
// or begins.
func TestKernelsStayInside(t *testing.T) {
	room := guarded(t)
	each(t, func(a implementation) {
		stayInside(room, a.float32s)
		stayInside(room, a.fusedApart())
		stayInside(room, a.bfloat16s)
		stayInside(room, a.int8s)
	})
}

// guarded returns a page of memory between two that must not be touched.
func guarded(t *testing.T) []byte {
	page := os.Getpagesize()
	all, err := syscall.Mmap(-1, 0, 3*page, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() { syscall.Munmap(all) })
	for _, guard := range [][]byte{all[:page], all[2*page:]} {
		if err := syscall.Mprotect(guard, syscall.PROT_NONE); err != nil {
			t.Skip(err)
		}
	}
	return all[page : 2*page]
}

func TestCompressStaysInside(t *testing.T) {
	room := guarded(t)
	cells := unsafe.Slice((*float32)(unsafe.Pointer(&room[0])), len(room)/4)
	each(t, func(a implementation) {
		if a.compress == nil {
			return
		}
		for m := range 70 {
			for kept := range m + 1 {
				columns := make([]int, kept)
				for j := range columns {
					columns[j] = m - kept + j
				}
				mask := NewMask(columns, m).bits
				for _, x := range [][]float32{cells[:m], cells[len(cells)-m:]} {
					a.compress(make([]float32, kept), x, mask)
					a.compress(x[m-kept:], slices.Clone(x), mask)
				}
			}
		}
	})
}

func stayInside[V any](room []byte, p products[V]) {
	cells := unsafe.Slice((*V)(unsafe.Pointer(&room[0])), len(room)/int(unsafe.Sizeof(*new(V))))
	for rows := range 6 {
		for m := range 70 {
			n := rows * m
			for _, x := range [][]V{cells[:n], cells[len(cells)-n:]} {
				p.mul(make([]float64, rows), x, make([]float64, m))
				p.mulT(make([]float64, m), x, make([]float64, rows))
			}
		}
	}
}
