// Package anneal is Feature Selection with Annealing, Algorithm 1 of Barbu,
// She, Ding and Gramajo: one step along the gradient, drop the weakest
// variables, repeat, until k are left and have been learned.
//
// It knows nothing of data, losses or files. An [Objective] comes in, a
// [Result] goes out.
package anneal

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
)

// Run minimises obj under the constraint that only s.K groups stay.
func Run(ctx context.Context, obj Objective, s Settings) (*Result, error) {
	s, err := s.withDefaults(obj)
	if err != nil {
		return nil, err
	}
	st := start(obj, s)
	for e := 1; e <= s.WarmUp+s.Iterations; e++ {
		if err := st.descend(ctx); err != nil {
			return nil, err
		}
		if m := s.alive(e, st.groups, len(st.alive)); m < len(st.alive) {
			if err := st.keep(ctx, strongest(st.layout, st.beta, st.must, m)); err != nil {
				return nil, err
			}
		}
		if st.observe(e); st.settled() {
			st.status = Settled
			break
		}
	}
	return st.result(), nil
}

// state is what changes while Run works.
type state struct {
	Settings
	obj    Objective
	groups int // at the start

	layout Layout
	alive  []int  // original number of each living group
	must   []bool // whether a living group has to stay
	beta   []float64
	grad   []float64
	speed  []float64 // what is left of earlier gradients; nil without momentum
	step   stepper

	epoch  Epoch   // the record of the current epoch
	moved  float64 // the largest move of a coefficient in it
	trace  []Epoch
	status Status
}

func start(obj Objective, s Settings) *state {
	l := obj.Layout()
	st := &state{
		Settings: s, obj: obj, groups: l.Groups(), layout: l,
		alive: make([]int, l.Groups()),
		beta:  make([]float64, l.Len()),
		grad:  make([]float64, l.Len()),
		step:  stepper{eta: s.Eta, given: s.Eta > 0},
	}
	for j := range st.alive {
		st.alive[j] = j
	}
	copy(st.beta[l.Len()-l.Free:], s.Free)
	if s.Momentum > 0 {
		st.speed = make([]float64, l.Len())
	}
	if len(s.Force) > 0 {
		st.must = make([]bool, l.Groups())
		for _, j := range s.Force {
			st.must[j] = true
		}
	}
	return st
}

// descend goes once through the batches: β ← β − η·∂L/∂β for each.
func (st *state) descend(ctx context.Context) error {
	eta, err := st.step.size(ctx, st.obj, st.layout, len(st.alive) == st.K)
	if err != nil {
		return err
	}
	order := []int{0}
	if batches := st.obj.Batches(); batches > 1 {
		order = rand.New(rand.NewPCG(st.Seed, uint64(len(st.trace)))).Perm(batches)
	}
	var total, sums float64
	st.moved = 0
	for _, b := range order {
		sum, weight, err := st.obj.Eval(ctx, b, st.grad, st.beta)
		if err != nil {
			return err
		}
		if weight > 0 {
			st.update(eta, weight)
		}
		sums += sum
		total += weight
	}
	st.epoch = Epoch{Eta: eta, Loss: sums / max(total, math.SmallestNonzeroFloat64)}
	if math.IsNaN(sums) || math.IsInf(sums, 0) || math.IsNaN(st.moved) || math.IsInf(st.moved, 0) {
		return ErrDiverged
	}
	return nil
}

// update moves β along the gradient of the mean, and what is left of earlier
// moves with it (Nesterov's momentum).
func (st *state) update(eta, weight float64) {
	for i, g := range st.grad {
		d := g / weight
		if st.speed != nil {
			st.speed[i] = st.Momentum*st.speed[i] + d
			d += st.Momentum * st.speed[i]
		}
		move := eta * d
		st.beta[i] -= move
		st.moved = max(st.moved, math.Abs(move))
	}
}

// keep drops every living group that is not listed.
func (st *state) keep(ctx context.Context, groups []int) error {
	if err := st.obj.Keep(ctx, groups); err != nil {
		return err
	}
	l := st.layout
	st.layout = l.Keep(groups)
	st.beta = l.compact(st.beta, groups)
	if st.speed != nil {
		st.speed = l.compact(st.speed, groups)
	}
	if st.step.direction != nil {
		st.step.direction = l.compact(st.step.direction, groups)
	}
	st.grad = st.grad[:len(st.beta)]
	for to, from := range groups {
		st.alive[to] = st.alive[from]
		if st.must != nil {
			st.must[to] = st.must[from]
		}
	}
	st.alive = st.alive[:len(groups)]
	st.moved = math.Inf(1) // those that stay have yet to answer
	return nil
}

// observe completes the epoch's record and passes it on.
func (st *state) observe(e int) {
	st.epoch.Epoch = e
	st.epoch.Groups = len(st.alive)
	st.trace = append(st.trace, st.epoch)
	if st.Observe != nil {
		view := st.epoch
		view.Alive, view.Beta, view.Layout = st.alive, st.beta, st.layout
		st.Observe(view)
	}
}

// settled reports that the support is final and the coefficients rest.
func (st *state) settled() bool {
	if st.Tolerance <= 0 || len(st.alive) > st.K {
		return false
	}
	var largest float64
	for _, b := range st.beta {
		largest = max(largest, math.Abs(b))
	}
	return st.moved <= st.Tolerance*largest
}

func (st *state) result() *Result {
	return &Result{
		Groups: st.alive, Beta: st.beta, Layout: st.layout,
		Trace: st.trace, Status: st.status,
	}
}

// ErrDiverged says that the loss or a coefficient left the finite numbers.
var ErrDiverged = errors.New("anneal: the coefficients diverged: the step Eta is too large for this data")
