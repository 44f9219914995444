// Package paged holds matrices that stay in a file: their rows are read in pages each
// time they are needed, and what is left of them moves into memory once it fits.
package paged

import (
	"context"
	"runtime"
	"slices"
	"sync"

	"fsa/internal/matrix"
)

// pages keeps the runs of rows that were read last, in buffers that are used
// again, and reads others before they are asked for. Workers that are in the
// same page share it.
type pages[B any] struct {
	mu    sync.Mutex
	most  int // pages that are held
	held  []*page[B]
	now   int64         // counts what was asked for
	freed chan struct{} // closed when there may be room
}

// page is a run of rows that was read or is being read.
type page[B any] struct {
	of    any // what it was read for, and its position there
	at    int
	done  chan struct{}
	rows  B
	err   error
	users int
	last  int64 // when it was asked for
}

func newPages[B any]() *pages[B] { return &pages[B]{freed: make(chan struct{}), most: mostPages()} }

// mostPages returns how many pages are held where memory allows: one that is
// used and one that is read ahead for each thread.
func mostPages() int { return min(2*runtime.GOMAXPROCS(0), 8) }

// fewestPages are held in any case, one to use and one to read ahead.
const fewestPages = 2

// limit says how many pages are held from now on.
func (p *pages[B]) limit(n int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.most = n
}

// acquire returns a page, which is read by load if it is not there. It has to be
// given back. Where there is no room it waits until others are given back,
// unless the caller is holding some itself, which might be what all wait for.
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

// prefetch begins to read a page, if there is room.
func (p *pages[B]) prefetch(of any, at int, load func(B) (B, error)) {
	p.find(of, at, prefetching, load)
}

// release gives a page back.
func (p *pages[B]) release(x *page[B]) {
	p.mu.Lock()
	defer p.mu.Unlock()
	x.users--
	p.wake()
	if x.ready() && x.err != nil { // somebody may have more luck later
		p.held = slices.DeleteFunc(p.held, func(y *page[B]) bool { return x == y })
	}
}

// wake tells those who wait for room to look again.
func (p *pages[B]) wake() {
	close(p.freed)
	p.freed = make(chan struct{})
}

// clear forgets all pages.
func (p *pages[B]) clear() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.held = nil
	p.wake()
}

// How much a page is needed.
const (
	prefetching = iota // nobody waits for it yet
	needed             // somebody does
	urgent             // and cannot wait for room
)

// find returns a page, or begins to read it in the place of the one that was
// not asked for longest. Where all are in use it returns nil and what tells when
// to look again, unless it is urgent.
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

// ready reports whether a page was read.
func (x *page[B]) ready() bool {
	select {
	case <-x.done:
		return true
	default:
		return false
	}
}

// pageRows are rows that were read: parts of one or several pages.
type pageRows[B any] struct {
	from  *pages[B]
	held  []*page[B]
	parts []matrix.Rows
	rows  []int // of each part
}

var (
	_ matrix.Releaser = (*pageRows[[]float32])(nil)
	_ matrix.Releaser = (*pageRows[*matrix.Sparse])(nil)
)

// add appends rows of a page that was taken.
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
