package fsa

import "sync"

// counter tells how many pieces of a stage are done.
type counter struct {
	tell        func(stage string, done, total int)
	stage       string
	mu          sync.Mutex
	done, total int
}

func (j *Job) counter(stage string, total int) *counter {
	return &counter{tell: j.options.Count, stage: stage, total: total}
}

// next says that another piece is done.
func (c *counter) next() {
	if c.tell == nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.done++
	c.tell(c.stage, c.done, max(c.total, c.done))
}
