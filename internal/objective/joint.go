package objective

import (
	"context"
	"errors"
	"slices"
	"sync"

	"fsa/anneal"
	"fsa/internal/matrix"
)

// Joint runs several descents on one table in parallel, so that each block of rows is read once for all of them. Their
// objectives, such as those of folds, differ in row weights, scale and coefficients; they have the same table, minibatches
// and outputs. The table keeps the columns that are active in any of them.
//
// Every descent runs on its own goroutine and waits when it requests sums. When all of them wait, the last one reads the
// table. Once the active columns are few enough to stay in the CPU cache, the descents continue separately. Which
// requests are answered together does not depend on the speed of the descents, so the bits are the same for any number of
// threads.
type Joint struct {
	pool  *pool
	least int  // number of cells of the table below which descents continue separately
	owned bool // the table is a copy that only this Joint uses
	cells int  // number of cells of the table at the start

	all     []*Member
	mu      sync.Mutex
	members []*Member  // members that have not left
	asked   []*request // requests without an answer
	apart   bool       // the descents continue separately
	broken  bool
	wasted  float64       // passes over columns that are dropped in all descents
	free    chan struct{} // semaphore for threads of separate descents
}

// JointCells is the minimum number of cells of a table for a joint descent. A smaller table stays in the last-level cache,
// where separate reads are as fast.
const JointCells = 1 << 22

// apartCells is the number of cells of a table below which descents continue separately. The table then stays in the L2
// cache, and waiting for each other would take longer than reading.
const apartCells = 1 << 18

// NewJoint returns a Joint for the given number of descents. Each of them must call Join or Leave.
func NewJoint(descents, threads int) *Joint {
	j := &Joint{least: apartCells, pool: &pool{threads: max(threads, 1)}, free: make(chan struct{}, max(threads, 1))}
	for range descents {
		j.all = append(j.all, &Member{joint: j})
	}
	j.members = slices.Clone(j.all)
	return j
}

// Member returns descent i.
func (j *Joint) Member(i int) *Member { return j.all[i] }

// Member is the objective of one of the descents. It must not be used before Join.
type Member struct {
	ob    *Objective
	joint *Joint
	left  bool
}

var _ anneal.Curved = (*Member)(nil)

// request is a request for sums over rows.
type request struct {
	of     *Member
	ctx    context.Context
	bound  bool // compute the Hessian bound times the vector at, instead of the gradient at that point
	batch  int
	to, at []float64
	done   chan struct{}

	alone       bool // the member has to compute it
	sum, weight float64
	err         error
}

// Join sets the objective of a member.
func (m *Member) Join(ob *Objective) {
	m.ob = ob
	m.joint.mu.Lock()
	defer m.joint.mu.Unlock()
	m.joint.cells = max(m.joint.cells, ob.cells)
}

// Leave ends a descent, so that the others no longer wait for it. Every member must leave, also after an error.
func (m *Member) Leave() {
	j := m.joint
	j.mu.Lock()
	defer j.mu.Unlock()
	if m.left {
		return
	}
	m.left, j.owned = true, false // a fit will still read its columns
	j.members = slices.DeleteFunc(j.members, func(of *Member) bool { return of == m })
	j.answer()
}

// Break ends all descents with an error after one of them has panicked.
func (j *Joint) Break() {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.broken = true
	j.answer()
}

// Layout implements [anneal.Objective].
func (m *Member) Layout() anneal.Layout { return m.ob.Layout() }

// Batches implements [anneal.Objective].
func (m *Member) Batches() int { return m.ob.Batches() }

// Keep implements [anneal.Objective].
func (m *Member) Keep(ctx context.Context, groups []int) error { return m.ob.Keep(ctx, groups) }

// Eval implements [anneal.Objective].
func (m *Member) Eval(ctx context.Context, batch int, grad, beta []float64) (sum, weight float64, err error) {
	r := m.ask(&request{of: m, ctx: ctx, batch: batch, to: grad, at: beta})
	if r.alone {
		defer m.alone()()
		return m.ob.Eval(ctx, batch, grad, beta)
	}
	return r.sum, r.weight, r.err
}

// Curvature implements [anneal.Curved].
func (m *Member) Curvature(ctx context.Context, batch int, dst, v []float64) (weight float64, err error) {
	r := m.ask(&request{of: m, ctx: ctx, bound: true, batch: batch, to: dst, at: v})
	if r.alone {
		defer m.alone()()
		return m.ob.Curvature(ctx, batch, dst, v)
	}
	return r.weight, r.err
}

// alone waits for a free thread and returns the function that releases it.
func (m *Member) alone() func() {
	m.joint.free <- struct{}{}
	return func() { <-m.joint.free }
}

// ask submits a request, waits for the answer and returns the request.
func (m *Member) ask(r *request) *request {
	r.done = make(chan struct{})
	j := m.joint
	j.mu.Lock()
	j.asked = append(j.asked, r)
	j.answer()
	j.mu.Unlock()
	<-r.done
	return r
}

var errBroken = errors.New("objective: another member of the joint descent has failed")

// answer answers the requests if all descents have one. Steps wait while any descent measures its Hessian bound, which
// takes some descents longer than others, so that all descents use the same minibatches at the same time.
func (j *Joint) answer() {
	if len(j.asked) == 0 || !j.apart && !j.broken && len(j.asked) < len(j.members) {
		return
	}
	slices.SortFunc(j.asked, func(a, b *request) int { return slices.Index(j.members, a.of) - slices.Index(j.members, b.of) })
	now, later := j.asked, []*request(nil)
	if !j.apart && !j.broken {
		if slices.ContainsFunc(now, func(r *request) bool { return r.bound }) {
			now, later = split(now, func(r *request) bool { return r.bound })
		}
	}
	j.asked = later
	defer func() {
		for _, r := range now {
			close(r.done)
		}
	}()
	if j.broken {
		for _, r := range now {
			r.err = errBroken
		}
		return
	}
	if !j.apart {
		if err := j.compact(now[0].ctx); err != nil {
			for _, r := range now {
				r.err = err
			}
			return
		}
		j.apart = now[0].of.ob.x.Cells() < j.least
	}
	if j.apart {
		for _, r := range append(now, later...) {
			r.alone = true
		}
		now, j.asked = append(now, later...), nil
		return
	}
	for rest := now; len(rest) > 0; {
		var same []*request
		first := rest[0]
		same, rest = split(rest, func(r *request) bool { return r.batch == first.batch && r.of.Batches() == first.of.Batches() })
		j.read(same)
	}
}

// split divides the requests into those for which holds returns true, and the others.
func split(list []*request, holds func(*request) bool) (yes, no []*request) {
	for _, r := range list {
		if holds(r) {
			yes = append(yes, r)
		} else {
			no = append(no, r)
		}
	}
	return yes, no
}

// read answers requests for the same rows by one read of the table.
func (j *Joint) read(list []*request) {
	first := list[0].of.ob
	shards := first.shards(list[0].batch)
	if list[0].bound {
		shards = first.sample(list[0].batch)
	}
	models := make([]model, len(list))
	for i, r := range list {
		if models[i] = r.of.ob.gradient(r.of.ob.scatter(r.at)); r.bound {
			models[i] = r.of.ob.bound(models[i].constant)
		}
	}
	cells, wasted := read(first.x, shards, j.alive())
	first.meter.Cells += cells
	j.wasted += wasted
	totals, err := j.pool.sum(list[0].ctx, first.x, shards, models)
	for i, r := range list {
		if r.err = err; err != nil {
			continue
		}
		if r.weight = totals[i].weight; r.bound {
			r.of.ob.bent(r.to, r.at, totals[i])
		} else {
			r.sum = r.of.ob.gradientAt(r.to, r.at, totals[i], r.of.ob.ridge)
		}
	}
}

// alive returns the largest number of active columns of a descent.
func (j *Joint) alive() int {
	most := 0
	for _, m := range j.members {
		most = max(most, m.ob.alive)
	}
	return most
}

// compact removes variables that are dropped in all descents from storage, by the rule of [Objective.compact].
func (j *Joint) compact(ctx context.Context) error {
	first := j.members[0].ob
	kept, alive := j.kept()
	_, cols := first.x.Dims()
	if alive == cols || 2*alive > cols && j.wasted*float64(cols) < float64(alive) && !matrix.FreeDrop(first.x) {
		return nil
	}
	small := first.smallRest(j.cells, alive)
	x, ok := first.x.(matrix.Shrinker)
	if ok && j.owned && !(small && first.rows.scattered()) {
		x.Shrink(kept)
	} else {
		var order []int
		for _, m := range j.members {
			order = m.ob.rows.order()
		}
		x, err := first.x.Select(ctx, order, kept)
		if err != nil {
			return err
		}
		for _, m := range j.members {
			m.ob.x = x
		}
		j.owned = true
	}
	for _, m := range j.members {
		m.ob.relay(kept)
	}
	j.wasted = 0
	return nil
}

// kept returns the variables that are active in any of the descents, ascending, and the number of their columns.
func (j *Joint) kept() (kept []int, alive int) {
	first := j.members[0].ob
	any := make([]bool, matrix.Variables(first.x))
	for _, m := range j.members {
		for _, v := range m.ob.groups.vars {
			any[v] = true
		}
	}
	for v, yes := range any {
		if yes {
			lo, hi := first.columns.of(v)
			kept, alive = append(kept, v), alive+hi-lo
		}
	}
	return kept, alive
}
