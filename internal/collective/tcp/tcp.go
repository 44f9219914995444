// Package tcp lets processes communicate over TCP connections of their own, without MPI. They meet
// at the address of rank 0, prove to each other that they know the token of the job, and then
// connect in pairs. Every process also keeps its first connection to rank 0: over it they signal
// that they are alive, and rank 0 tells all of them why the job has to end.
//
// Sums are exact, because only integers are summed, so that neither the number of processes nor the
// order of their messages changes a result.
package tcp

import (
	"context"
	"fmt"

	"fsa/internal/collective"
)

// Open joins the job. It returns once all processes have joined.
func Open(ctx context.Context, cfg Config) (collective.Comm, error) {
	if err := cfg.check(); err != nil {
		return nil, err
	}
	if cfg.Wait == 0 {
		cfg.Wait = usualWait
	}
	if cfg.silent == 0 {
		cfg.silent = silentTime
	}
	if cfg.again == 0 {
		cfg.again = againTime
	}
	if cfg.Note == nil {
		cfg.Note = func(string) {}
	}
	j := &job{Config: cfg, failed: make(chan struct{}), links: make([]*link, cfg.Size)}
	if err := j.meet(ctx); err != nil {
		j.end()
		return nil, err
	}
	stop := context.AfterFunc(ctx, func() {
		j.tell(fmt.Sprintf("rank %d of %d was interrupted", j.Rank, j.Size))
		j.mu.Lock()
		j.Failed = nil // the caller knows
		j.mu.Unlock()
		j.fail(context.Cause(ctx))
	})
	j.atEnd(func() { stop() })
	c := &comm{job: j, rank: cfg.Rank}
	for p := range cfg.Size {
		c.members = append(c.members, p)
	}
	return c, nil
}
