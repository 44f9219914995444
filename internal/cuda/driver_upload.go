//go:build (linux || windows) && (amd64 || arm64) && !static

package cuda

import "unsafe"

// uploads holds the state of uploads in parallel with the kernels: they have a stream of their own.
type uploads struct {
	stream uintptr
	sent   [2]uintptr // events, by slot: the last upload is done,
	spent  [2]uintptr // and so are the kernels that used the previous contents
}

func (g *gpu) pin(bytes int64) ([]byte, error) {
	var p unsafe.Pointer
	err := g.do(func() error {
		return g.call("cuMemHostAlloc", uintptr(unsafe.Pointer(&p)), uintptr(max(bytes, 1)), 0)
	})
	if err != nil {
		return nil, err
	}
	return unsafe.Slice((*byte)(p), bytes), nil
}

func (g *gpu) unpin(b []byte) {
	_ = g.do(func() error { return g.call("cuMemFreeHost", uintptr(unsafe.Pointer(unsafe.SliceData(b)))) })
}

// beside returns the stream of uploads, which is created when it is first needed.
func (g *gpu) beside() (*uploads, error) {
	if g.uploads != nil {
		return g.uploads, nil
	}
	const nonBlocking, noTiming = 1, 2
	u := new(uploads)
	if err := g.call("cuStreamCreate", uintptr(unsafe.Pointer(&u.stream)), nonBlocking); err != nil {
		return nil, err
	}
	for slot := range u.sent {
		for _, e := range []*uintptr{&u.sent[slot], &u.spent[slot]} {
			if err := g.call("cuEventCreate", uintptr(unsafe.Pointer(e)), noTiming); err != nil {
				return nil, err
			}
		}
	}
	g.uploads = u
	return u, nil
}

func (g *gpu) send(slot int, dst pointer, src []byte) error {
	if len(src) == 0 {
		return nil
	}
	return g.do(func() error {
		u, err := g.beside()
		if err != nil {
			return err
		}
		if err := g.call("cuStreamWaitEvent", u.stream, u.spent[slot], 0); err != nil {
			return err
		}
		if err := g.call("cuMemcpyHtoDAsync_v2", uintptr(dst), uintptr(unsafe.Pointer(&src[0])), uintptr(len(src)), u.stream); err != nil {
			return err
		}
		if err := g.call("cuEventRecord", u.sent[slot], u.stream); err != nil {
			return err
		}
		return g.call("cuStreamWaitEvent", 0, u.sent[slot], 0)
	})
}

func (g *gpu) sent(slot int) error {
	return g.do(func() error {
		u, err := g.beside()
		if err != nil {
			return err
		}
		return g.call("cuEventSynchronize", u.sent[slot])
	})
}

func (g *gpu) spent(slot int) error {
	return g.do(func() error {
		u, err := g.beside()
		if err != nil {
			return err
		}
		return g.call("cuEventRecord", u.spent[slot], 0)
	})
}

// closeUploads frees the stream and its events.
func (g *gpu) closeUploads() {
	if u := g.uploads; u != nil {
		_ = g.do(func() error {
			for slot := range u.sent {
				_ = g.call("cuEventDestroy_v2", u.sent[slot])
				_ = g.call("cuEventDestroy_v2", u.spent[slot])
			}
			return g.call("cuStreamDestroy_v2", u.stream)
		})
		g.uploads = nil
	}
}
