package serve

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"time"

	"fsa"
	"fsa/data"
	"fsa/data/open"
	"fsa/internal/collective"
	"fsa/internal/collective/host"
	"fsa/internal/grid"
	"fsa/internal/grid/part"
)

// join returns the job of a request. What is exchanged goes over the pipe to the client.
func (s *server) join(ctx context.Context, r *request) (collective.Comm, error) {
	w := r.Worker
	if w.Size < 1 || w.Rank < 0 || w.Rank >= w.Size {
		return nil, &protocolError{fmt.Errorf("there is no worker %d of %d", w.Rank, w.Size)}
	}
	answers := make(chan []string, 1)
	s.mu.Lock()
	s.exchanged[r.ID] = answers
	s.mu.Unlock()
	return host.New(w.Rank, w.Size, func(mine []byte) ([][]byte, error) {
		s.send(exchange{ID: r.ID, Event: "exchange", Text: base64.StdEncoding.EncodeToString(mine)})
		var texts []string
		select {
		case texts = <-answers:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
		all := make([][]byte, len(texts))
		for p, text := range texts {
			var err error
			if all[p], err = base64.StdEncoding.DecodeString(text); err != nil {
				return nil, &protocolError{err}
			}
		}
		return all, nil
	}), nil
}

// leave forgets the job of a request.
func (s *server) leave(r *request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.exchanged, r.ID)
}

// answer passes on what all workers say.
func (s *server) answer(r *request) {
	s.mu.Lock()
	to := s.exchanged[r.ID]
	s.mu.Unlock()
	select {
	case to <- r.Texts:
	default: // nobody has asked, or the fit was cancelled
	}
}

// fitTogether learns a model of the rows of all workers.
func (s *server) fitTogether(ctx context.Context, r *request) (*done, error) {
	c, err := s.join(ctx, r)
	if err != nil {
		return nil, err
	}
	defer s.leave(r)
	if err := s.sameRequest(c, r); err != nil {
		return nil, err
	}
	o := r.Options.plain()
	if err := agree(c, r.checkTogether(&o)); err != nil {
		return nil, err
	}
	asked := time.Now()
	d, err := r.Table.Path.together(ctx, c)
	if err != nil {
		return nil, err
	}
	o.Discard = true
	begun := time.Now()
	job, err := fsa.Prepare(ctx, d, o)
	if err := agree(c, err); err != nil {
		return nil, err
	}
	m, err := job.Run(ctx)
	if err != nil { // of all of them, or the job ends with this one
		return nil, err
	}
	to := &done{ID: r.ID, Event: "done", Rows: d.Rows(), Columns: d.Width(), Reading: begun.Sub(asked).Seconds(), Seconds: time.Since(begun).Seconds(), Decisions: job.Plan().Decisions}
	if c.Rank() > 0 { // the first one tells
		return to, nil
	}
	to.Model, err = text(m)
	return to, err
}

// checkTogether refuses what several workers cannot do.
func (r *request) checkTogether(o *fsa.Options) error {
	switch {
	case r.Table.Path == nil || r.Table.Path.Query != "":
		return &protocolError{fmt.Errorf("a worker brings its rows in a file, and not in queries")}
	case o.Bins > 0 || o.Storage != data.StorageFloat32 || len(o.Groups) > 0 || r.Stability > 0:
		return fmt.Errorf("%w: several workers know neither bins, groups and other storages nor the stability of selections", fsa.ErrOptions)
	}
	return o.Validate()
}

// together reads the rows of this worker.
func (p *path) together(ctx context.Context, c collective.Comm) (*data.Dataset, error) {
	t, err := part.Survey(ctx, p.Path, open.Options{Format: p.Format}, open.Roles{Target: p.Target, Weights: p.Weights})
	if err == nil {
		err = t.Joinable()
	}
	if err := agree(c, err); err != nil {
		return nil, err
	}
	if err := t.Join(c); err != nil {
		return nil, err
	}
	g, err := grid.New(c, c.Size(), 1)
	if err != nil {
		return nil, err
	}
	return t.Read(ctx, g, func(err error) error { return agree(c, err) })
}

// agree lets all workers fail if one does. All of them call it.
func agree(c collective.Comm, err error) error {
	var mine collective.Failure
	if err != nil {
		name, _ := os.Hostname()
		mine = collective.Failure{Who: fmt.Sprintf("worker %d of %d on %s", c.Rank(), c.Size(), name), Kind: kindOf(err), Text: message(err)}
	}
	first, err := collective.Agree(c, mine)
	if err != nil || first.Text == "" {
		return err
	}
	return &jobError{first.Kind, first.Text}
}

// sameRequest refuses workers of another version or with other options.
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
