// Package host lets the processes of a job talk to each other through the programs that have
// started them, as a task of Spark starts one. Such a host need only be able to do one thing: to
// give all others what its process brings, and to return what all of them bring.
package host

import (
	"encoding/binary"
	"errors"
	"fmt"

	"fsa/internal/collective"
)

// Exchange asks the host: it gives mine to all processes of the job and returns what each of them has
// given, by rank, once all have.
type Exchange func(mine []byte) (all [][]byte, err error)

// mostAtOnce is how many bytes all processes together bring to an exchange at most: what they
// bring is in the memory of whoever passes it on.
const mostAtOnce = 64 << 20

// errMessage says that a host has returned what no process brought.
var errMessage = errors.New("host: what the other processes say cannot be understood: the host has lost some of it")

// comm is a group of processes.
type comm struct {
	exchange Exchange
	size     int    // processes of the job
	members  []int  // ranks of this group in the job
	rank     int    // of this process among them
	name     string // of the group, the same for all members
	met      int    // meetings of the group
	splits   int
}

var _ collective.Comm = (*comm)(nil)

// New returns a job of so many processes, of which this one has the given rank.
func New(rank, size int, exchange Exchange) collective.Comm {
	c := &comm{exchange: exchange, size: size, rank: rank}
	for p := range size {
		c.members = append(c.members, p)
	}
	return c
}

// Size implements [collective.Comm].
func (c *comm) Size() int { return len(c.members) }

// Rank implements [collective.Comm].
func (c *comm) Rank() int { return c.rank }

// meet returns what all members of the group bring. An exchange is one of all processes, and those of
// other groups may be busy with something else: whoever does not find its own group there brings
// the same again.
func (c *comm) meet(mine []byte) ([][]byte, error) {
	if len(c.members) == 1 {
		return [][]byte{mine}, nil
	}
	c.met++
	tag := fmt.Sprintf("%s#%d", c.name, c.met)
	message := append(append(binary.AppendUvarint(nil, uint64(len(tag))), tag...), mine...)
	for {
		all, err := c.exchange(message)
		if err != nil {
			return nil, err
		}
		if len(all) != c.size {
			return nil, fmt.Errorf("%w: %d processes spoke, and there are %d", errMessage, len(all), c.size)
		}
		parts := make([][]byte, 0, len(c.members))
		for _, p := range c.members {
			n, head := binary.Uvarint(all[p])
			if head <= 0 || n > uint64(len(all[p])-head) {
				return nil, errMessage
			}
			if at := head + int(n); string(all[p][head:at]) == tag {
				parts = append(parts, all[p][at:])
			}
		}
		if len(parts) == len(c.members) {
			return parts, nil
		}
	}
}

// atOnce is how many bytes a process may bring to a meeting.
func (c *comm) atOnce() int { return max(mostAtOnce/c.size/8*8, 8) }

// Sum implements [collective.Comm].
func (c *comm) Sum(v []int64) error {
	if len(c.members) == 1 {
		return nil
	}
	for len(v) > 0 {
		n := min(len(v), c.atOnce()/8)
		parts, err := c.meet(collective.Bytes(v[:n]))
		if err != nil {
			return err
		}
		clear(v[:n])
		for _, part := range parts {
			if len(part) != 8*n {
				return errMessage
			}
			for i := range n {
				v[i] += int64(binary.NativeEndian.Uint64(part[8*i:]))
			}
		}
		v = v[n:]
	}
	return nil
}

// Gather implements [collective.Comm].
func (c *comm) Gather(dst []byte, counts []int, src []byte) error {
	longest := 0
	for _, n := range counts {
		longest = max(longest, n)
	}
	for from := 0; from < longest; from += c.atOnce() {
		piece := func(n int) (lo, hi int) { return min(from, n), min(from+c.atOnce(), n) }
		lo, hi := piece(len(src))
		parts, err := c.meet(src[lo:hi])
		if err != nil {
			return err
		}
		first := 0
		for p, n := range counts {
			lo, hi := piece(n)
			if len(parts[p]) != hi-lo {
				return errMessage
			}
			copy(dst[first+lo:first+hi], parts[p])
			first += n
		}
	}
	return nil
}

// GatherAll is what [collective.GatherAll] does, in one meeting where that is enough: a host may take long for one.
func (c *comm) GatherAll(src []byte) ([][]byte, error) {
	all := make([][]byte, len(c.members))
	for more := true; more; {
		n := min(len(src), c.atOnce())
		mine := append([]byte{0}, src[:n]...)
		if src = src[n:]; len(src) > 0 {
			mine[0] = 1 // there is more
		}
		parts, err := c.meet(mine)
		if err != nil {
			return nil, err
		}
		more = false
		for p, part := range parts {
			if len(part) == 0 {
				return nil, errMessage
			}
			more = more || part[0] == 1
			all[p] = append(all[p], part[1:]...)
		}
	}
	return all, nil
}

// Broadcast implements [collective.Comm].
func (c *comm) Broadcast(root int, v []byte) error {
	for len(v) > 0 {
		n := min(len(v), c.atOnce())
		var mine []byte
		if c.rank == root {
			mine = v[:n]
		}
		parts, err := c.meet(mine)
		if err != nil {
			return err
		}
		if copy(v[:n], parts[root]) != n {
			return errMessage
		}
		v = v[n:]
	}
	return nil
}

// Barrier implements [collective.Comm].
func (c *comm) Barrier() error {
	_, err := c.meet(nil)
	return err
}

// Split implements [collective.Comm].
func (c *comm) Split(color int) (collective.Comm, error) {
	parts, err := c.meet(binary.AppendVarint(nil, int64(color)))
	if err != nil {
		return nil, err
	}
	c.splits++
	part := &comm{exchange: c.exchange, size: c.size, name: fmt.Sprintf("%s/%d.%d", c.name, c.splits, color)}
	for p, said := range parts {
		of, n := binary.Varint(said)
		if n <= 0 {
			return nil, errMessage
		}
		if int(of) != color {
			continue
		}
		if p == c.rank {
			part.rank = len(part.members)
		}
		part.members = append(part.members, c.members[p])
	}
	return part, nil
}

// Abort implements [collective.Comm]: the host ends the job once its process has failed.
func (c *comm) Abort(int) {}

// Close implements [collective.Comm].
func (c *comm) Close() error { return nil }
