package s3

import (
	"context"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/minio/minio-go/v7"
)

// An object is read in blocks, which are kept for a while: readers of tables ask for many small pieces that
// lie beside each other. Who reads on gets the next blocks in advance, all at the same time.
const (
	blockBytes = 1 << 20
	ahead      = 8  // blocks that are fetched in advance
	kept       = 32 // blocks of an object, at most
)

// tries is how often a block is asked for whose bytes stop coming. Requests that fail as a whole are repeated
// by the library.
const tries = 5

// Object is an object that can be read in any order.
type Object struct {
	ctx              context.Context
	core             *minio.Core
	address          string
	bucket, key, tag string
	size             int64
	cancel           context.CancelFunc

	mu     sync.Mutex
	blocks map[int64]*block
	used   int64 // counts uses
}

// block is a piece of an object, which is there or on its way.
type block struct {
	done  chan struct{} // is closed when it is there
	bytes []byte
	err   error
	used  int64
}

var _ io.ReaderAt = (*Object)(nil)

// Open opens an object. Reading it ends with the context.
func Open(ctx context.Context, address string) (*Object, error) {
	bucket, key, err := split(address)
	if err != nil {
		return nil, err
	}
	core, err := client()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", address, err)
	}
	info, err := core.StatObject(ctx, bucket, key, minio.StatObjectOptions{})
	if err != nil {
		return nil, named(address, err)
	}
	o := &Object{core: core, address: address, bucket: bucket, key: key, tag: info.ETag, size: info.Size, blocks: map[int64]*block{}}
	o.ctx, o.cancel = context.WithCancel(ctx)
	return o, nil
}

// Size returns the number of bytes.
func (o *Object) Size() int64 { return o.size }

// Close ends reading.
func (o *Object) Close() error {
	o.cancel()
	o.mu.Lock()
	defer o.mu.Unlock()
	clear(o.blocks)
	return nil
}

// ReadAt implements [io.ReaderAt]. Its errors do not name the object, unless they blame it.
func (o *Object) ReadAt(p []byte, off int64) (n int, err error) {
	for n < len(p) {
		at := off + int64(n)
		if at >= o.size {
			return n, io.EOF
		}
		b := o.block(at / blockBytes)
		select {
		case <-b.done:
		case <-o.ctx.Done():
			return n, o.ctx.Err()
		}
		if b.err != nil {
			return n, b.err
		}
		n += copy(p[n:], b.bytes[at%blockBytes:])
	}
	return n, nil
}

// block returns a block that is there or on its way, and lets the next ones come if the one before it was read.
func (o *Object) block(number int64) *block {
	o.mu.Lock()
	defer o.mu.Unlock()
	b := o.begin(number)
	if before := o.blocks[number-1]; before != nil {
		for next := number + 1; next <= number+ahead && next*blockBytes < o.size; next++ {
			o.begin(next)
		}
	}
	return b
}

// begin returns a block, which is sent for if it is not on its way. One that has failed is sent for again.
func (o *Object) begin(number int64) *block {
	o.used++
	b := o.blocks[number]
	if b == nil || b.failed() {
		o.makeRoom()
		b = &block{done: make(chan struct{})}
		o.blocks[number] = b
		go func() {
			defer close(b.done)
			b.bytes, b.err = o.fetch(number)
		}()
	}
	b.used = o.used
	return b
}

// failed reports whether a block will not come.
func (b *block) failed() bool {
	select {
	case <-b.done:
		return b.err != nil
	default:
		return false
	}
}

// makeRoom drops the block that was used longest ago. Who waits for it still gets it.
func (o *Object) makeRoom() {
	if len(o.blocks) < kept {
		return
	}
	oldest, used := int64(0), o.used
	for number, b := range o.blocks {
		if b.used < used {
			oldest, used = number, b.used
		}
	}
	delete(o.blocks, oldest)
}

// fetch asks the store for a block.
func (o *Object) fetch(number int64) ([]byte, error) {
	lo := number * blockBytes
	bytes := make([]byte, min(blockBytes, o.size-lo))
	got := 0
	for try := 0; ; try++ {
		n, again, err := o.get(bytes[got:], lo+int64(got))
		got += n
		if err == nil {
			return bytes, nil
		}
		if !again || try == tries || o.ctx.Err() != nil {
			return nil, plain(o.address, err)
		}
		select {
		case <-o.ctx.Done():
		case <-time.After(50 * time.Millisecond << try):
		}
	}
}

// get reads bytes from some place on. Again says that the rest may come if it is asked for once more.
func (o *Object) get(to []byte, off int64) (n int, again bool, err error) {
	var opts minio.GetObjectOptions
	if err := opts.SetRange(off, off+int64(len(to))-1); err != nil {
		return 0, false, err
	}
	if o.tag != "" {
		if err := opts.SetMatchETag(o.tag); err != nil {
			return 0, false, err
		}
	}
	body, _, _, err := o.core.GetObject(o.ctx, o.bucket, o.key, opts)
	if err != nil {
		return 0, false, err
	}
	defer body.Close()
	n, err = io.ReadFull(body, to)
	return n, true, err
}
