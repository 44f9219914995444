package kernel

import (
	"math/rand/v2"
	"os"
	"slices"
	"syscall"
	"testing"
	"unsafe"

	"fsa/internal/need"
)

// TestKernelsStayInside expects no kernel to read beyond its rows: readable memory ends, or begins,
// with them.
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
	need.System(t, err == nil, "memory to map")
	t.Cleanup(func() { syscall.Munmap(all) })
	for _, guard := range [][]byte{all[:page], all[2*page:]} {
		need.System(t, syscall.Mprotect(guard, syscall.PROT_NONE) == nil, "memory to protect")
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

// TestBinsStayInside expects kernels not to read codes or coefficients, nor to write sums, beyond
// their ends.
func TestBinsStayInside(t *testing.T) {
	const seed = 24
	rng := rand.New(rand.NewPCG(seed, 1))
	room, codes := guarded(t), guarded(t)
	vector := unsafe.Slice((*float64)(unsafe.Pointer(&room[0])), len(room)/8)
	cells := unsafe.Slice((*uint16)(unsafe.Pointer(&codes[0])), len(codes)/2)
	each(t, func(a implementation) {
		if a.bins == nil {
			return
		}
		for _, count := range []int{1, 2, 3, 5, 6, 7, 14, 15} {
			for variables := range 22 {
				for _, rows := range []int{1, 3, 4, 16, 20} {
					b, x, cols := someBins(rng, count, variables, rows)
					for _, at := range []int{0, len(cells) - len(x)} {
						copy(cells[at:], x)
						v := vector[:cols:cols]
						if at > 0 {
							v = vector[len(vector)-cols:]
						}
						a.bins(make([]float64, rows), make([]float64, cols), cells[at:at+len(x)], v, make([]float64, rows), b)
						a.bins(make([]float64, rows), v, cells[at:at+len(x)], make([]float64, cols), make([]float64, rows), b)
					}
				}
			}
		}
	})
}
