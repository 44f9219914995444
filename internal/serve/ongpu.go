package serve

import (
	"context"
	"fmt"

	"fsa/internal/cuda"
)

// borrow opens memory of a GPU. What reads it as a file reads a copy.
func (f *files) borrow(ctx context.Context, g *onGPU) error {
	from := cuda.Foreign{Offset: g.Offset, Bytes: g.Bytes}
	if len(g.Device) != len(from.Device) || len(g.Handle) != len(from.Handle) || g.Offset < 0 || g.Bytes < 1 {
		return &protocolError{fmt.Errorf("%d bytes at %d of a GPU with a UUID of %d bytes and a handle of %d", g.Bytes, g.Offset, len(g.Device), len(g.Handle))}
	}
	copy(from.Device[:], g.Device)
	copy(from.Handle[:], g.Handle)
	b, err := cuda.Borrow(ctx, from)
	if err != nil {
		return fmt.Errorf("the memory of X on the GPU cannot be read: %w: copy it to the CPU, such as by X.cpu() in torch or cupy.asnumpy(X)", err)
	}
	f.lent = append(f.lent, b)
	f.open, f.bytes, f.seen = append(f.open, nil), append(f.bytes, b.Host()), append(f.seen, fingerprint{})
	return nil
}
