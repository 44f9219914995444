//go:build !noasm

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
	stayInside(t, room, twins[float32]{"AVX-512", hasAVX512, mulAVX512, mulTAVX512}, twins[float32]{"AVX2", hasAVX2, mulAVX2, mulTAVX2}, fused)
	stayInside(t, room, twins[uint16]{"AVX-512", hasAVX512, mulBFloat16AVX512, mulTBFloat16AVX512}, twins[uint16]{"AVX2", hasAVX2, mulBFloat16AVX2, mulTBFloat16AVX2})
	stayInside(t, room, twins[int8]{"AVX-512", hasAVX512, mulInt8AVX512, mulTInt8AVX512}, twins[int8]{"AVX2", hasAVX2, mulInt8AVX2, mulTInt8AVX2})
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
	if !hasAVX512 {
		t.Skip("this machine has no AVX-512")
	}
	room := guarded(t)
	cells := unsafe.Slice((*float32)(unsafe.Pointer(&room[0])), len(room)/4)
	for m := range 70 {
		for kept := range m + 1 {
			columns := make([]int, kept)
			for j := range columns {
				columns[j] = m - kept + j
			}
			mask := NewMask(columns, m).bits
			for _, x := range [][]float32{cells[:m], cells[len(cells)-m:]} {
				compressAVX512(make([]float32, kept), x, mask)
				compressAVX512(x[m-kept:], slices.Clone(x), mask)
			}
		}
	}
}

func stayInside[V any](t *testing.T, room []byte, all ...twins[V]) {
	cells := unsafe.Slice((*V)(unsafe.Pointer(&room[0])), len(room)/int(unsafe.Sizeof(*new(V))))
	for _, twin := range all {
		if !twin.has {
			t.Logf("this machine has no %s", twin.name)
			continue
		}
		for rows := range 6 {
			for m := range 70 {
				n := rows * m
				for _, x := range [][]V{cells[:n], cells[len(cells)-n:]} {
					twin.mul(make([]float64, rows), x, make([]float64, m))
					twin.mulT(make([]float64, m), x, make([]float64, rows))
				}
			}
		}
	}
}
