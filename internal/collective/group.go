package collective

import (
	"errors"
	"sync"
)

// ErrAborted says that another process has ended the job.
var ErrAborted = errors.New("collective: another process has ended the job")

// Group returns n processes that are goroutines of this one, for tests without a cluster.
func Group(n int) []Comm {
	m := newMeeting(n)
	all := make([]Comm, n)
	for rank := range all {
		all[rank] = &member{m, rank}
	}
	return all
}

// meeting is where the members of a group exchange data.
type meeting struct {
	sync.Mutex
	changed *sync.Cond
	brought []any
	came    int
	result  []any // of the last exchange
	round   int
	aborted bool
	below   map[int]*meeting // by color, while a group is being split
}

func newMeeting(n int) *meeting {
	m := &meeting{brought: make([]any, n)}
	m.changed = sync.NewCond(m)
	return m
}

// exchange returns the data of all members, which must not be changed.
func (m *meeting) exchange(rank int, v any) ([]any, error) {
	m.Lock()
	defer m.Unlock()
	m.brought[rank] = v
	round := m.round
	if m.came++; m.came == len(m.brought) {
		m.result, m.brought = m.brought, make([]any, len(m.brought))
		m.came, m.below = 0, map[int]*meeting{}
		m.round++
		m.changed.Broadcast()
	}
	for m.round == round && !m.aborted {
		m.changed.Wait()
	}
	if m.aborted {
		return nil, ErrAborted
	}
	return m.result, nil
}

type member struct {
	*meeting
	rank int
}

var _ Comm = (*member)(nil)

// Size implements [Comm].
func (c *member) Size() int { return len(c.brought) }

// Rank implements [Comm].
func (c *member) Rank() int { return c.rank }

// all exchanges v, calls use with the data of all, and waits until all have used it.
func (c *member) all(v any, use func(all []any)) error {
	all, err := c.exchange(c.rank, v)
	if err != nil {
		return err
	}
	use(all)
	_, err = c.exchange(c.rank, nil)
	return err
}

// Sum implements [Comm].
func (c *member) Sum(v []int64) error {
	total := make([]int64, len(v))
	err := c.all(v, func(all []any) {
		for _, part := range all {
			for i, x := range part.([]int64) {
				total[i] += x
			}
		}
	})
	copy(v, total)
	return err
}

// Gather implements [Comm].
func (c *member) Gather(dst []byte, counts []int, src []byte) error {
	return c.all(src, func(all []any) {
		for p, part := range all {
			dst = dst[copy(dst, part.([]byte)[:counts[p]]):]
		}
	})
}

// Broadcast implements [Comm].
func (c *member) Broadcast(root int, v []byte) error {
	return c.all(v, func(all []any) {
		if c.rank != root {
			copy(v, all[root].([]byte))
		}
	})
}

// Barrier implements [Comm].
func (c *member) Barrier() error { return c.all(nil, func([]any) {}) }

// Split implements [Comm].
func (c *member) Split(color int) (Comm, error) {
	var part Comm
	err := c.all(color, func(all []any) {
		rank, size := 0, 0
		for p, of := range all {
			if of.(int) == color {
				if p < c.rank {
					rank++
				}
				size++
			}
		}
		c.Lock()
		defer c.Unlock()
		if c.below[color] == nil {
			c.below[color] = newMeeting(size)
		}
		part = &member{c.below[color], rank}
	})
	return part, err
}

// Abort implements [Comm]: members of this group that wait get an error.
func (c *member) Abort(int, string) {
	c.Lock()
	defer c.Unlock()
	c.aborted = true
	c.changed.Broadcast()
}

// Close implements [Comm].
func (c *member) Close() error { return nil }
