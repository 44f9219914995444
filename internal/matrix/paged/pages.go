// Package paged holds matrices that stay in a file. Their rows are read in pages each time they are
// needed. A selection is read into memory once it fits.
package paged

import (
	"context"
	"runtime"
	"slices"
	"sync"

	"fsa/internal/matrix"
)

// pages caches the runs of rows that were read last, in buffers that are reused, and reads others
// in advance. Workers that use the same page share it.
type pages[B any] struct {
	mu    sync.Mutex
	most  int // maximal number of pages
	held  []*page[B]
	now   int64         // counts requests
	freed chan struct{} // closed when there may be room
}

// page is a run of rows that was read or is being read.
type page[B any] struct {
	of    any // what it was read for, and its index there
	at    int
	done  chan struct{}
	rows  B
	err   error
	users int
	last  int64 // time of its last request
}

func newPages[B any]() *pages[B] { return &pages[B]{freed: make(chan struct{}), most: mostPages()} }

// mostPages returns the number of pages that are held if memory allows: for each thread, one that
// is used and one that is read ahead.
func mostPages() int { return min(2*runtime.GOMAXPROCS(0), 8) }

// fewestPages is the minimal number of pages: one to use and one to read ahead.
const fewestPages = 2

// limit sets the maximal number of pages.
func (p *pages[B]) limit(n int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.most = n
}

// acquire returns a page, which load reads if it is not cached. The page must be released after
// use. If there is no room, acquire waits until other pages are released, unless the caller holds
// some itself, because then all callers might wait for each other.
func (p *pages[B]) acquire(ctx context.Context, of any, at int, holding bool, load func(B) (B, error)) (*page[B], error) {
	mode := needed
	if holding {
		mode = urgent
	}
	x, freed := p.find(of, at, mode, load)
	for x == nil {
		select {
		case <-freed:
			x, freed = p.find(of, at, mode, load)
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	select {
	case <-x.done:
	case <-ctx.Done():
		p.release(x)
		return nil, ctx.Err()
	}
	if x.err != nil {
		p.release(x)
		return nil, x.err
	}
	return x, nil
}

// prefetch starts to read a page, if there is room.
func (p *pages[B]) prefetch(of any, at int, load func(B) (B, error)) {
	p.find(of, at, prefetching, load)
}

// release releases a page.
func (p *pages[B]) release(x *page[B]) {
	p.mu.Lock()
	defer p.mu.Unlock()
	x.users--
	p.wake()
	if x.ready() && x.err != nil { // another attempt may succeed
		p.held = slices.DeleteFunc(p.held, func(y *page[B]) bool { return x == y })
	}
}

// wake wakes the callers that wait for room.
func (p *pages[B]) wake() {
	close(p.freed)
	p.freed = make(chan struct{})
}

// clear removes all pages.
func (p *pages[B]) clear() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.held = nil
	p.wake()
}

// The urgency of a request.
const (
	prefetching = iota // no caller waits for it
	needed             // a caller waits for it
	urgent             // a caller waits for it and cannot wait for room
)

// find returns a page, or starts to read it in place of the least recently requested one. If all
// pages are in use and the request is not urgent, it returns nil and a channel that is closed when
// it is time to try again.
func (p *pages[B]) find(of any, at, mode int, load func(B) (B, error)) (*page[B], <-chan struct{}) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.now++
	for _, x := range p.held {
		if x.of == of && x.at == at {
			if mode != prefetching {
				x.users++
				x.last = p.now
			}
			return x, nil
		}
	}
	var room B
	if len(p.held) >= p.most {
		oldest := -1
		for i, x := range p.held {
			if x.users == 0 && x.ready() && (oldest < 0 || x.last < p.held[oldest].last) {
				oldest = i
			}
		}
		if oldest < 0 && mode != urgent {
			return nil, p.freed
		}
		if oldest >= 0 {
			room = p.held[oldest].rows
			p.held = slices.Delete(p.held, oldest, oldest+1)
		}
	}
	x := &page[B]{of: of, at: at, done: make(chan struct{}), last: p.now}
	if mode != prefetching {
		x.users = 1
	}
	p.held = append(p.held, x)
	go func() {
		x.rows, x.err = load(room)
		close(x.done)
		p.mu.Lock()
		defer p.mu.Unlock()
		p.wake()
	}()
	return x, nil
}

// ready reports whether a page has been read.
func (x *page[B]) ready() bool {
	select {
	case <-x.done:
		return true
	default:
		return false
	}
}

// pageRows are rows that have been read: parts of one or several pages.
type pageRows[B any] struct {
	from  *pages[B]
	held  []*page[B]
	parts []matrix.Rows
	rows  []int // rows of each part
}

var (
	_ matrix.Releaser = (*pageRows[[]float32])(nil)
	_ matrix.Releaser = (*pageRows[*matrix.Sparse])(nil)
)

// add appends rows of an acquired page.
func (r *pageRows[B]) add(x *page[B], rows int, part matrix.Rows) {
	r.held, r.rows, r.parts = append(r.held, x), append(r.rows, rows), append(r.parts, part)
}

// Mul implements [matrix.Rows].
func (r *pageRows[B]) Mul(z, beta []float64) {
	for i, x := range r.parts {
		x.Mul(z[:r.rows[i]], beta)
		z = z[r.rows[i]:]
	}
}

// MulT implements [matrix.Rows].
func (r *pageRows[B]) MulT(g, res []float64) {
	for i, x := range r.parts {
		x.MulT(g, res[:r.rows[i]])
		res = res[r.rows[i]:]
	}
}

// Release implements [matrix.Releaser].
func (r *pageRows[B]) Release() {
	for _, x := range r.held {
		r.from.release(x)
	}
	r.held, r.parts = nil, nil
}
