package serve

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"time"

	"fsa"
	"fsa/data"
	"fsa/data/open"
	"fsa/internal/collective"
	"fsa/internal/collective/tcp"
	"fsa/internal/grid"
	"fsa/internal/grid/part"
)

// joinTime is how long workers wait for each other: all of them have opened their ports before.
const joinTime = 2 * time.Minute

// mostPorts is the number of ports that may be open for fits that have not begun.
const mostPorts = 64

// listen opens a port for a worker.
func (s *server) listen(ctx context.Context, host string) (int, error) {
	l, err := tcp.Listen(ctx, net.JoinHostPort(host, "0"))
	if err != nil {
		return 0, err
	}
	port := l.Addr().(*net.TCPAddr).Port
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.ports) == mostPorts {
		l.Close()
		return 0, &protocolError{fmt.Errorf("%d ports are open for fits that have not begun", mostPorts)}
	}
	s.ports[port] = l
	return port, nil
}

// closePorts closes the ports that no fit has used.
func (s *server) closePorts() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, l := range s.ports {
		l.Close()
	}
}

// join returns the job of a request.
func (s *server) join(ctx context.Context, w *worker) (collective.Comm, error) {
	s.mu.Lock()
	l := s.ports[w.Port]
	delete(s.ports, w.Port)
	s.mu.Unlock()
	if l == nil {
		return nil, &protocolError{fmt.Errorf("worker %d has not opened the port %d", w.Rank, w.Port)}
	}
	defer l.Close()
	if w.Size == 1 && w.Rank == 0 {
		return collective.Single{}, nil
	}
	if len(w.At) != w.Size {
		return nil, &protocolError{fmt.Errorf("%d addresses for %d workers", len(w.At), w.Size)}
	}
	c, err := tcp.Open(ctx, tcp.Config{Rank: w.Rank, Size: w.Size, At: w.At, Token: []byte(w.Token), About: "version " + s.version, Wait: joinTime, Listener: l})
	if errors.Is(err, tcp.ErrConfig) {
		err = &protocolError{err}
	}
	return c, err
}

// fitTogether trains a model on the rows of all workers.
func (s *server) fitTogether(ctx context.Context, r *request) (*done, error) {
	c, err := s.join(ctx, r.Worker)
	if err != nil {
		return nil, err
	}
	to, err := s.learnTogether(ctx, r, c)
	if _, all := errors.AsType[*jobError](err); err != nil && !all {
		c.Abort(1, who(c)+": "+message(err))
		return nil, err
	}
	if closed := c.Close(); err == nil {
		err = closed
	}
	return to, err
}

// learnTogether trains a model as one of the workers.
func (s *server) learnTogether(ctx context.Context, r *request, c collective.Comm) (*done, error) {
	if err := s.sameRequest(c, r); err != nil {
		return nil, err
	}
	o := r.Options.plain()
	if err := agree(c, r.checkTogether(&o)); err != nil {
		return nil, err
	}
	asked := time.Now()
	d, err := r.Table.Path.together(ctx, c, o.Selection.Groups)
	if err != nil {
		return nil, err
	}
	to := &done{ID: r.ID, Event: "done"}
	if d == nil { // there are fewer rows than workers
		return to, nil
	}
	o.Run.Discard = true
	begun := time.Now()
	job, err := fsa.Prepare(ctx, d.Dataset, o)
	if err := agree(d.workers, err); err != nil {
		return nil, err
	}
	m, err := job.Run(ctx)
	if err != nil { // of all of them, or the job ends with this worker
		return nil, err
	}
	to.Rows, to.Columns, to.Reading, to.Seconds, to.Decisions = d.Rows(), d.Width(), begun.Sub(asked).Seconds(), time.Since(begun).Seconds(), job.Plan().Decisions
	if c.Rank() > 0 { // the first worker reports the model
		return to, nil
	}
	to.Model, err = text(m)
	return to, err
}

// checkTogether returns an error for options that several workers do not support.
func (r *request) checkTogether(o *fsa.Options) error {
	switch {
	case r.Table.Path == nil || r.Table.Path.Query != "":
		return &protocolError{fmt.Errorf("a worker must have its rows in a file, and no queries")}
	case r.Stability > 0:
		return fmt.Errorf("%w: several workers do not support the stability of selections", fsa.ErrOptions)
	case r.Run != nil:
		return fmt.Errorf("%w: several workers write no run folder: leave it out, or fit on one machine", fsa.ErrOptions)
	case r.Options.OffsetModel != "":
		return fmt.Errorf("%w: several workers do not support an offset model: leave it out, or fit on one machine", fsa.ErrOptions)
	}
	return o.Validate()
}

// spread is a table over the workers that have rows.
type spread struct {
	*data.Dataset
	workers collective.Comm
}

// together sends rows between workers and reads those of this worker; it returns nil if the worker
// has none. The columns of each group are stored side by side.
func (p *path) together(ctx context.Context, c collective.Comm, groups [][]string) (*spread, error) {
	placed, err := part.Redistribute(ctx, c, p.Path, open.Options{Format: p.Format}, p.Order, func(err error) error { return agree(c, err) })
	if err != nil {
		return nil, err
	}
	idle := 0
	if placed == nil {
		idle = 1
	} else {
		defer placed.Remove()
	}
	if c, err = c.Split(idle); err != nil || idle > 0 {
		return nil, err
	}
	t, err := part.Survey(ctx, placed.Path, placed.Options, open.Roles{Target: p.Target, Weights: p.Weights, Group: p.Group})
	if err := agree(c, err); err != nil {
		return nil, err
	}
	if err := t.Join(c); err != nil {
		return nil, err
	}
	if err := agree(c, t.Together(groups)); err != nil {
		return nil, err
	}
	g, err := grid.New(c, c.Size(), 1)
	if err != nil {
		return nil, err
	}
	d, err := t.Read(ctx, g, func(err error) error { return agree(c, err) })
	return &spread{d, c}, err
}

// agree makes all workers fail if one fails. All of them call it.
func agree(c collective.Comm, err error) error {
	var mine collective.Failure
	if err != nil {
		mine = collective.Failure{Who: who(c), Kind: kindOf(err), Text: message(err)}
	}
	first, err := collective.Agree(c, mine)
	if err != nil || first.Text == "" {
		return err
	}
	return &jobError{first.Kind, first.Text}
}

// who returns the name of this worker.
func who(c collective.Comm) string {
	name, _ := os.Hostname()
	return fmt.Sprintf("worker %d of %d on %s", c.Rank(), c.Size(), name)
}

// sameRequest returns an error if workers have another version or other options.
func (s *server) sameRequest(c collective.Comm, r *request) error {
	said, err := json.Marshal(struct {
		Version string
		Options options
	}{s.version, r.Options})
	if err != nil {
		return err
	}
	all, err := collective.GatherAll(c, said)
	if err != nil {
		return err
	}
	for p, one := range all {
		if string(one) != string(all[0]) {
			return &jobError{"failed", fmt.Sprintf("worker %d works with %s, and worker 0 with %s: install the same version of the package on all machines", p, one, all[0])}
		}
	}
	return nil
}
