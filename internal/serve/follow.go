package serve

import (
	"sync"

	"fsa"
	"fsa/internal/stages"
)

// follower sends the current stage of a fit and the share of all work that is done to the client.
type follower struct {
	s  *server
	id int64

	mu      sync.Mutex // held until the message is sent, so that shares arrive in order
	stages  *stages.Fit
	stage   string // stage and percentage that were sent last
	percent int
}

// follow makes a fit report its stages. They are known once plan has been called.
func (s *server) follow(r *request, o *fsa.Options) *follower {
	f := &follower{s: s, id: r.ID, percent: -1}
	if !r.Events {
		return f
	}
	o.Run.Count = func(stage string, done, total int) {
		f.tell(func(c *stages.Fit) stages.State { return c.Count(stage, done, total) })
	}
	o.Run.Step = func(s fsa.Step) {
		f.tell(func(c *stages.Fit) stages.State { return c.Compare(s.Part, s.Share) })
	}
	return f
}

// plan sets the stages of the fit, and starts with the first.
func (f *follower) plan(r *request, p *fsa.Plan) {
	if !r.Events {
		return
	}
	f.mu.Lock()
	f.stages = stages.OfFit(stages.Work{Folds: p.Folds, Selections: p.Selections, Open: p.Open, HalfSamples: max(2*r.Stability, p.HalfSamples), Nested: r.Options.Nested})
	f.mu.Unlock()
	f.tell(func(c *stages.Fit) stages.State {
		if r.Options.Nested {
			return c.Hold(stages.Nested)
		}
		return c.State()
	})
}

// release ends nested cross-validation.
func (f *follower) release() {
	f.tell(func(c *stages.Fit) stages.State { c.Release(); return c.State() })
}

// halfSamples reports the number of half samples that are done.
func (f *follower) halfSamples(done, total int) {
	f.tell(func(c *stages.Fit) stages.State { return c.Count(stages.HalfSamples, done, total) })
}

// end reports that everything is done.
func (f *follower) end() { f.tell(func(c *stages.Fit) stages.State { return c.End() }) }

// tell updates the state of the fit and informs the client, if the percentage has changed.
func (f *follower) tell(where func(*stages.Fit) stages.State) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.stages == nil {
		return
	}
	now := where(f.stages)
	if percent := int(100 * now.Done); percent > f.percent || now.Stage != f.stage {
		f.stage, f.percent = now.Stage, percent
		f.s.send(staged{ID: f.id, Event: "stage", Stage: now.Title(), Step: now.Step, Steps: now.Steps, Done: now.Done})
	}
}
