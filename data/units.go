package data

import (
	"context"
	"runtime"
	"slices"
	"sync"
)

// units keeps the runs of rows that were read last, in buffers that are used
// again, and reads others before they are asked for. Workers that are in the
// same unit share it.
type units[B any] struct {
	mu    sync.Mutex
	most  int // units that are held
	held  []*unit[B]
	now   int64         // counts what was asked for
	freed chan struct{} // closed when there may be room
}

// unit is a run of rows that was read or is being read.
type unit[B any] struct {
	of    any // what it was read for, and its position there
	at    int
	done  chan struct{}
	rows  B
	err   error
	users int
	last  int64 // when it was asked for
}

func newUnits[B any]() *units[B] { return &units[B]{freed: make(chan struct{}), most: mostUnits()} }

// mostUnits returns how many units are held where memory allows: one that is
// used and one that is read ahead for each thread.
func mostUnits() int { return min(2*runtime.GOMAXPROCS(0), 8) }

// fewestUnits are held in any case, one to use and one to read ahead.
const fewestUnits = 2

// hold says how many units are held from now on.
func (u *units[B]) hold(n int) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.most = n
}

// take returns a unit, which is read by load if it is not there. It has to be
// given back. Where there is no room it waits until others are given back,
// unless the caller is holding some itself, which might be what all wait for.
func (u *units[B]) take(ctx context.Context, of any, at int, holding bool, load func(B) (B, error)) (*unit[B], error) {
	mode := wanted
	if holding {
		mode = pressing
	}
	x, freed := u.find(of, at, mode, load)
	for x == nil {
		select {
		case <-freed:
			x, freed = u.find(of, at, mode, load)
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	select {
	case <-x.done:
	case <-ctx.Done():
		u.give(x)
		return nil, ctx.Err()
	}
	if x.err != nil {
		u.give(x)
		return nil, x.err
	}
	return x, nil
}

// ahead begins to read a unit, if there is room.
func (u *units[B]) ahead(of any, at int, load func(B) (B, error)) { u.find(of, at, early, load) }

// give takes a unit back.
func (u *units[B]) give(x *unit[B]) {
	u.mu.Lock()
	defer u.mu.Unlock()
	x.users--
	u.wake()
	if x.ready() && x.err != nil { // somebody may have more luck later
		u.held = slices.DeleteFunc(u.held, func(y *unit[B]) bool { return x == y })
	}
}

// wake tells those who wait for room to look again.
func (u *units[B]) wake() {
	close(u.freed)
	u.freed = make(chan struct{})
}

// clear forgets all units.
func (u *units[B]) clear() {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.held = nil
	u.wake()
}

// How much a unit is wanted.
const (
	early    = iota // nobody waits for it yet
	wanted          // somebody does
	pressing        // and cannot wait for room
)

// find returns a unit, or begins to read it in the place of the one that was
// not asked for longest. Where all are in use it returns nil and what tells when
// to look again, unless the wish is pressing.
func (u *units[B]) find(of any, at, mode int, load func(B) (B, error)) (*unit[B], <-chan struct{}) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.now++
	for _, x := range u.held {
		if x.of == of && x.at == at {
			if mode != early {
				x.users++
				x.last = u.now
			}
			return x, nil
		}
	}
	var room B
	if len(u.held) >= u.most {
		oldest := -1
		for i, x := range u.held {
			if x.users == 0 && x.ready() && (oldest < 0 || x.last < u.held[oldest].last) {
				oldest = i
			}
		}
		if oldest < 0 && mode != pressing {
			return nil, u.freed
		}
		if oldest >= 0 {
			room = u.held[oldest].rows
			u.held = slices.Delete(u.held, oldest, oldest+1)
		}
	}
	x := &unit[B]{of: of, at: at, done: make(chan struct{}), last: u.now}
	if mode != early {
		x.users = 1
	}
	u.held = append(u.held, x)
	go func() {
		x.rows, x.err = load(room)
		close(x.done)
		u.mu.Lock()
		defer u.mu.Unlock()
		u.wake()
	}()
	return x, nil
}

// ready reports whether a unit was read.
func (x *unit[B]) ready() bool {
	select {
	case <-x.done:
		return true
	default:
		return false
	}
}

// unitRows are rows that were read: parts of one or several units.
type unitRows[B any] struct {
	from  *units[B]
	held  []*unit[B]
	parts []Rows
	rows  []int // of each part
}

var (
	_ Releaser = (*unitRows[[]float32])(nil)
	_ Releaser = (*unitRows[*Sparse])(nil)
)

// add appends rows of a unit that was taken.
func (r *unitRows[B]) add(x *unit[B], rows int, part Rows) {
	r.held, r.rows, r.parts = append(r.held, x), append(r.rows, rows), append(r.parts, part)
}

// Mul implements [Rows].
func (r *unitRows[B]) Mul(z, beta []float64) {
	for i, x := range r.parts {
		x.Mul(z[:r.rows[i]], beta)
		z = z[r.rows[i]:]
	}
}

// MulT implements [Rows].
func (r *unitRows[B]) MulT(g, res []float64) {
	for i, x := range r.parts {
		x.MulT(g, res[:r.rows[i]])
		res = res[r.rows[i]:]
	}
}

// Release implements [Releaser].
func (r *unitRows[B]) Release() {
	for _, x := range r.held {
		r.from.give(x)
	}
	r.held, r.parts = nil, nil
}
