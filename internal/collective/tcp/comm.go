package tcp

import (
	"fmt"

	"fsa/internal/collective"
)

// comm is a group of processes.
type comm struct {
	*job
	id      uint32
	members []int // ranks of this group in the job
	rank    int   // of this process among them
	step    uint32
	splits  uint32
	scratch []int64
}

var _ collective.Comm = (*comm)(nil)

// Size implements [collective.Comm].
func (c *comm) Size() int { return len(c.members) }

// Rank implements [collective.Comm].
func (c *comm) Rank() int { return c.rank }

// Split implements [collective.Comm].
func (c *comm) Split(color int) (collective.Comm, error) {
	all, err := collective.GatherAll(c, collective.Bytes([]int64{int64(color)}))
	if err != nil {
		return nil, err
	}
	c.splits++
	part := &comm{job: c.job, id: nameOf(c.id, c.splits, color)}
	for p, said := range all {
		if string(said) != string(all[c.rank]) {
			continue
		}
		if p == c.rank {
			part.rank = len(part.members)
		}
		part.members = append(part.members, c.members[p])
	}
	return part, nil
}

// Abort implements [collective.Comm].
func (c *comm) Abort(_ int, why string) {
	if why == "" {
		why = fmt.Sprintf("rank %d of %d has ended the job", c.job.Rank, c.job.Size)
	}
	c.tell(why)
	c.end()
}

// Close implements [collective.Comm]. The first group ends with the job.
func (c *comm) Close() error {
	if c.id != 0 {
		return nil
	}
	err := c.Barrier()
	if err == nil {
		c.leave()
	}
	c.end()
	return err
}
