package tcp

import (
	"fmt"
	"io"
	"math/bits"

	"fsa/internal/collective"
)

// next is the header of the next step.
func (c *comm) next() header {
	c.step++
	return header{group: c.id, step: c.step}
}

// with returns the link with a process of the group.
func (c *comm) with(p int) *link { return c.links[c.members[p]] }

// explain returns why data of a process of the group could not be exchanged.
func (c *comm) explain(p int, err error) error {
	if err == nil {
		return nil
	}
	return c.broken(c.members[p], err)
}

func (c *comm) send(p int, h header, data []byte) error {
	return c.explain(p, c.with(p).send(h, data))
}

func (c *comm) receive(p int, h header, to []byte) error {
	return c.explain(p, c.with(p).receive(h, to))
}

// ready returns why the job has failed, if it has.
func (c *comm) ready() error {
	select {
	case <-c.failed:
		c.mu.Lock()
		defer c.mu.Unlock()
		return c.err
	default:
		return nil
	}
}

// around sends data to every other process and receives data from every other one: first to the
// next rank and from the one before, and so on, so that no process is sent to by several at a time.
// Sending does not wait for receiving.
func (c *comm) around(out func(p int) []byte, in func(p int, h header) error) error {
	if err := c.ready(); err != nil {
		return err
	}
	h, n := c.next(), c.Size()
	short := true
	for p := range n {
		short = short && (p == c.rank || len(out(p)) <= shortBytes)
	}
	give := func() error {
		for s := 1; s < n; s++ {
			p := (c.rank + s) % n
			if err := c.send(p, h, out(p)); err != nil {
				return err
			}
		}
		return nil
	}
	given := make(chan error, 1)
	if short {
		if err := give(); err != nil {
			return err
		}
		given <- nil
	} else {
		go func() { given <- give() }()
	}
	var err error
	for s := 1; s < n && err == nil; s++ {
		p := (c.rank - s + n) % n
		err = c.explain(p, in(p, h))
	}
	if failed := <-given; err == nil {
		err = failed
	}
	return err
}

// Sum implements [collective.Comm]. Long vectors are cut into a piece for each process, which adds
// up its own and sends the sum to all others; of short ones, pairs of processes exchange all.
func (c *comm) Sum(v []int64) error {
	n := c.Size()
	if n == 1 {
		return nil
	}
	if 8*len(v) <= shortBytes {
		return c.sumShort(v)
	}
	piece := func(p int) []int64 { return v[len(v)*p/n : len(v)*(p+1)/n] }
	mine := piece(c.rank)
	buffer := c.buffer(min(8*len(mine), pieceBytes))
	err := c.around(func(p int) []byte { return collective.Bytes(piece(p)) }, func(p int, h header) error {
		return c.with(p).add(h, mine, buffer)
	})
	if err != nil {
		return err
	}
	return c.around(func(int) []byte { return collective.Bytes(mine) }, func(p int, h header) error {
		return c.with(p).receive(h, collective.Bytes(piece(p)))
	})
}

// pieceBytes is how much of a vector is received before it is added.
const pieceBytes = 64 << 10

// buffer returns memory for the given number of bytes.
func (c *comm) buffer(n int) []int64 {
	if len(c.scratch) < n/8 {
		c.scratch = make([]int64, n/8)
	}
	return c.scratch[:n/8]
}

// add receives numbers and adds them to v.
func (l *link) add(want header, v, buffer []int64) error {
	n, err := l.head(want)
	if err != nil {
		return err
	}
	if n != 8*uint64(len(v)) {
		return fmt.Errorf("%w: %d bytes came in place of %d", errStep, n, 8*len(v))
	}
	for len(v) > 0 {
		part := buffer[:min(len(buffer), len(v))]
		if _, err := io.ReadFull(l.in, collective.Bytes(part)); err != nil {
			return noEOF(err)
		}
		for i, x := range part {
			v[i] += x
		}
		v = v[len(part):]
	}
	return nil
}

// sumShort sums a short vector by recursive doubling: in each step, processes exchange their sums
// with one twice as far away. The processes above the largest power of two give their vectors to
// others before, and get the sum afterwards.
func (c *comm) sumShort(v []int64) error {
	if err := c.ready(); err != nil {
		return err
	}
	h := c.next()
	power := 1 << (bits.Len(uint(c.Size())) - 1)
	data, other := collective.Bytes(v), c.buffer(8*len(v))
	take := func(p int) error {
		if err := c.receive(p, h, collective.Bytes(other)); err != nil {
			return err
		}
		for i, x := range other {
			v[i] += x
		}
		return nil
	}
	if c.rank >= power {
		if err := c.send(c.rank-power, h, data); err != nil {
			return err
		}
		return c.receive(c.rank-power, h, data)
	}
	extra := c.rank+power < c.Size()
	if extra {
		if err := take(c.rank + power); err != nil {
			return err
		}
	}
	for far := 1; far < power; far *= 2 {
		p := c.rank ^ far
		if err := c.send(p, h, data); err != nil {
			return err
		}
		if err := take(p); err != nil {
			return err
		}
	}
	if extra {
		return c.send(c.rank+power, h, data)
	}
	return nil
}

// Gather implements [collective.Comm].
func (c *comm) Gather(dst []byte, counts []int, src []byte) error {
	part := make([][]byte, c.Size())
	for p, n := range counts {
		part[p], dst = dst[:n], dst[n:]
	}
	copy(part[c.rank], src)
	return c.around(func(int) []byte { return src }, func(p int, h header) error {
		return c.with(p).receive(h, part[p])
	})
}

// GatherAll is [collective.GatherAll] in one step: lengths are sent with the data.
func (c *comm) GatherAll(src []byte) ([][]byte, error) {
	all := make([][]byte, c.Size())
	all[c.rank] = append([]byte{}, src...)
	return all, c.around(func(int) []byte { return src }, func(p int, h header) (err error) {
		all[p], err = c.with(p).receiveAny(h)
		return err
	})
}

// AllToAll is [collective.AllToAll] without detours.
func (c *comm) AllToAll(to [][]byte) ([][]byte, error) {
	all := make([][]byte, c.Size())
	all[c.rank] = to[c.rank]
	return all, c.around(func(p int) []byte { return to[p] }, func(p int, h header) (err error) {
		all[p], err = c.with(p).receiveAny(h)
		return err
	})
}

// Broadcast implements [collective.Comm] by a binomial tree, through which long data flow in
// pieces.
func (c *comm) Broadcast(root int, v []byte) error {
	n := c.Size()
	if err := c.ready(); err != nil || n == 1 || len(v) == 0 {
		return err
	}
	h := c.next()
	me := (c.rank - root + n) % n
	low := me & -me // the bit by which the parent differs
	if me == 0 {
		low = 1 << bits.Len(uint(n))
	}
	at := func(p int) int { return (p + root) % n }
	for len(v) > 0 {
		part := v[:min(len(v), pieceBytes)]
		if me > 0 {
			if err := c.receive(at(me-low), h, part); err != nil {
				return err
			}
		}
		for bit := low / 2; bit > 0; bit /= 2 {
			if me+bit < n {
				if err := c.send(at(me+bit), h, part); err != nil {
					return err
				}
			}
		}
		v = v[len(part):]
	}
	return nil
}

// Barrier implements [collective.Comm].
func (c *comm) Barrier() error { return c.Sum(nil) }
