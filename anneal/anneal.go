// Package anneal implements Feature Selection with Annealing, Algorithm 1 of Barbu, She, Ding
// and Gramajo. It alternates a gradient step with dropping the variables with the smallest
// coefficients, until k variables are left, and then trains those. It minimises a
// differentiable loss under the constraint ‖β‖₀ ≤ k.
//
// The package does not depend on data, losses or files: it takes an [Objective] and returns a
// [Result].
package anneal

import (
	"context"
	"math"
)

// Run minimises obj under the constraint that s.K groups are kept.
func Run(ctx context.Context, obj Objective, s Settings) (*Result, error) {
	st, err := begin(ctx, obj, s)
	if err != nil {
		return nil, err
	}
	for st.epoch < st.epochs() && st.status == Completed {
		st.epoch++
		if err := st.descend(ctx); err != nil {
			return nil, err
		}
		m := st.staying(st.epoch, st.groups, st.alive())
		if st.Stop != nil && st.Stop() {
			m, st.status = min(m, st.K), Stopped
		}
		if m < st.alive() {
			if err := st.keep(ctx, m); err != nil {
				return nil, err
			}
		}
		if err := st.record(ctx); err != nil {
			return nil, err
		}
	}
	return st.result(ctx)
}

// begin starts a descent, or resumes one that was stopped.
func begin(ctx context.Context, obj Objective, s Settings) (*state, error) {
	s, err := s.withDefaults(obj)
	if err != nil {
		return nil, err
	}
	st := &state{Settings: s, obj: residentOf(obj), groups: obj.Layout().Groups(), step: stepper{eta: s.Eta, given: s.Eta > 0, known: s.Lipschitz}}
	if err := constrain(st.obj, s.Project); err != nil {
		return nil, err
	}
	from := Coefficients{Free: s.Free, Momentum: s.Momentum > 0}
	if s.Resume != nil {
		from = s.Resume.Coefficients
	}
	if err := st.obj.Load(ctx, from, Rank{Weight: s.Weight, Raise: s.Raise, Force: s.Force}); err != nil {
		return nil, err
	}
	if s.Resume != nil {
		st.restore(s.Resume)
		return st, nil
	}
	return st, st.prepare(ctx)
}

// keep drops all but the m strongest groups.
func (st *state) keep(ctx context.Context, m int) error {
	st.moved = math.Inf(1) // the remaining coefficients have not adapted yet
	return st.obj.KeepStrongest(ctx, m)
}

// record adds the epoch to the trace, updates the status and calls the observer.
func (st *state) record(ctx context.Context) error {
	e := Epoch{Epoch: st.epoch, Of: st.epochs(), Groups: st.alive(), Loss: st.loss, Eta: st.step.eta}
	st.trace = append(st.trace, e)
	if st.status == Completed && st.settled() {
		st.status = Settled
	}
	if st.Observe == nil {
		return nil
	}
	c, err := st.obj.Save(ctx)
	if err != nil {
		return err
	}
	e.Alive, e.Beta, e.Layout = c.Groups, c.Beta, st.obj.Layout()
	e.State = func() *State { return st.save(c) }
	st.Observe(e)
	return nil
}

// settled reports whether the support is final and the coefficients no longer change. Shortened
// steps are always small and do not count.
func (st *state) settled() bool {
	return st.Tolerance > 0 && st.alive() <= st.K && st.moved <= st.Tolerance*st.largest*st.step.share()
}

func (st *state) result(ctx context.Context) (*Result, error) {
	c, err := st.obj.Save(ctx)
	if err != nil {
		return nil, err
	}
	return &Result{Groups: c.Groups, Beta: c.Beta, Layout: st.obj.Layout(), Trace: st.trace, Status: st.status}, nil
}
