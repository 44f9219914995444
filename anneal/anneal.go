// Package anneal is Feature Selection with Annealing, Algorithm 1 of Barbu,
// She, Ding and Gramajo: one step along the gradient, drop the weakest
// variables, repeat, until k are left and have been learned. It minimises a
// differentiable loss under the sparsity constraint ‖β‖₀ ≤ k.
//
// It knows nothing of data, losses or files. An [Objective] comes in, a
// [Result] goes out.
package anneal

import (
	"context"
	"math"
)

// Run minimises obj under the constraint that only s.K groups stay.
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

// begin starts a descent, or goes on with one that was stopped.
func begin(ctx context.Context, obj Objective, s Settings) (*state, error) {
	s, err := s.withDefaults(obj)
	if err != nil {
		return nil, err
	}
	st := &state{Settings: s, obj: residentOf(obj), groups: obj.Layout().Groups(), step: stepper{eta: s.Eta, given: s.Eta > 0, known: s.Lipschitz}}
	from := Coefficients{Free: s.Free, Momentum: s.Momentum > 0}
	if s.Resume != nil {
		from = s.Resume.Coefficients
	}
	if err := st.obj.Load(ctx, from, Rank{Weight: s.Weight, Force: s.Force}); err != nil {
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
	st.moved = math.Inf(1) // those that stay have yet to answer
	return st.obj.KeepStrongest(ctx, m)
}

// record completes the record of the epoch, passes it on, and says whether all
// is done.
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

// settled reports that the support is final and the coefficients rest. Moves by
// shortened steps are small in any case.
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
