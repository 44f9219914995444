package s3

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/minio/minio-go/v7"

	"fsa/data"
)

// An object is read in blocks, which are cached: readers of tables ask for many small pieces that
// are close together. Sequential reads fetch the next blocks in advance, all at the same time.
const (
	blockBytes = 1 << 20
	ahead      = 8  // blocks that are fetched in advance
	kept       = 32 // cached blocks of an object, at most
)

// tries is how often a block is requested if its bytes stop arriving. The library repeats requests
// that fail completely.
const tries = 5

// Object is an object that can be read in any order.
type Object struct {
	ctx              context.Context
	core             *minio.Core
	address          string
	bucket, key, tag string
	size             int64
	changed          time.Time // time of the last change
	cancel           context.CancelFunc

	mu     sync.Mutex
	blocks map[int64]*block
	used   int64 // counts uses, for least recently used
}

// block is a piece of an object that is in memory or being fetched.
type block struct {
	done  chan struct{} // closed when it is in memory
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
	o := &Object{core: core, address: address, bucket: bucket, key: key, tag: info.ETag, size: info.Size, changed: info.LastModified, blocks: map[int64]*block{}}
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

// block returns a block that is in memory or being fetched, and fetches the next ones if the
// previous one was read.
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

// begin returns a block, and starts to fetch it if necessary. A failed block is fetched again.
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

// failed reports whether a block could not be fetched.
func (b *block) failed() bool {
	select {
	case <-b.done:
		return b.err != nil
	default:
		return false
	}
}

// makeRoom drops the least recently used block. Callers that wait for it still get it.
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

// get reads bytes from an offset on. Again says that the rest may come if it is requested once
// more.
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
	ctx, cancel := context.WithCancelCause(o.ctx)
	defer cancel(nil)
	alive := time.AfterFunc(silence, func() { cancel(errSilent) })
	defer alive.Stop()
	body, info, header, err := o.core.GetObject(ctx, o.bucket, o.key, opts)
	if err != nil {
		return 0, context.Cause(ctx) == errSilent, silent(ctx, err)
	}
	defer body.Close()
	// A store may not know the conditions that were set, and send something else.
	if o.tag != "" && info.ETag != o.tag || !info.LastModified.Equal(o.changed) {
		return 0, false, o.replaced()
	}
	var from, last, size int64
	switch n, _ := fmt.Sscanf(header.Get("Content-Range"), "bytes %d-%d/%d", &from, &last, &size); {
	case n < 3 && (off > 0 || int64(len(to)) < o.size), n == 3 && from != off:
		return 0, false, &data.Error{File: o.address, Msg: "the store does not send parts of objects: copy it to a disk"}
	case n == 3 && size != o.size:
		return 0, false, o.replaced()
	}
	n, err = io.ReadFull(&lively{body, alive}, to)
	return n, true, silent(ctx, err)
}

// replaced says that the object is not the one that was opened.
func (o *Object) replaced() error {
	return &data.Error{File: o.address, Msg: "the object was changed while it was read: start again when no program writes to it"}
}

// silence is how long a store may send nothing before the request is repeated.
var silence = 30 * time.Second

// errSilent is the cause of a request that ended because the store sent nothing.
var errSilent = errors.New("the store has stopped answering")

// silent returns errSilent if that is the cause of err.
func silent(ctx context.Context, err error) error {
	if err != nil && context.Cause(ctx) == errSilent {
		return errSilent
	}
	return err
}

// lively is a body that resets a timer whenever bytes arrive.
type lively struct {
	io.Reader
	alive *time.Timer
}

func (l *lively) Read(p []byte) (int, error) {
	n, err := l.Reader.Read(p)
	l.alive.Reset(silence)
	return n, err
}
