//go:build (linux || windows) && (amd64 || arm64) && !static

package cuda

import (
	"fmt"
	"runtime"
	"unsafe"
)

func (g *gpu) borrow(handle *[64]byte) (p pointer, err error) {
	const enablePeers = 1 // the only flag, which is needed
	h := (*[8]uintptr)(unsafe.Pointer(handle))
	err = g.do(func() error {
		if runtime.GOOS == "linux" && runtime.GOARCH == "amd64" {
			// The handle is an argument by value: it is on the stack, after six registers.
			return g.call("cuIpcOpenMemHandle_v2", uintptr(unsafe.Pointer(&p)), enablePeers, 0, 0, 0, 0, h[0], h[1], h[2], h[3], h[4], h[5], h[6], h[7])
		}
		return g.call("cuIpcOpenMemHandle_v2", uintptr(unsafe.Pointer(&p)), uintptr(unsafe.Pointer(h)), enablePeers)
	})
	if err != nil {
		return 0, fmt.Errorf("%w: %w", ErrForeign, err)
	}
	return p, nil
}

func (g *gpu) giveBack(p pointer) {
	_ = g.do(func() error { return g.call("cuIpcCloseMemHandle", uintptr(p)) })
}

func (g *gpu) fetch(slot int, dst []byte, src pointer) error {
	if len(dst) == 0 {
		return nil
	}
	return g.do(func() error {
		u, err := g.beside()
		if err != nil {
			return err
		}
		if err := g.call("cuMemcpyDtoHAsync_v2", uintptr(unsafe.Pointer(&dst[0])), uintptr(src), uintptr(len(dst)), u.stream); err != nil {
			return err
		}
		return g.call("cuEventRecord", u.sent[slot], u.stream)
	})
}

// copy2D is CUDA_MEMCPY2D.
type copy2D struct {
	from, to      side2D
	width, height int64 // bytes, rows
}

// side2D is the source or the target of a copy.
type side2D struct {
	x, y   int64
	kind   uint32
	host   uintptr
	at     pointer
	array  uintptr
	stride int64 // bytes
}

func (g *gpu) moveRows(dst pointer, dstStride int64, src pointer, srcStride, rows int64) error {
	const onDevice = 2
	c := &copy2D{side2D{kind: onDevice, at: src, stride: srcStride}, side2D{kind: onDevice, at: dst, stride: dstStride}, min(srcStride, dstStride), rows}
	return g.do(func() error { return g.call("cuMemcpy2DAsync_v2", uintptr(unsafe.Pointer(c)), 0) })
}
