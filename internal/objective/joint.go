package objective

import (
	"context"
	"errors"
	"slices"
	"sync"

	"fsa/anneal"
	"fsa/internal/matrix"
)

// Joint lets several descents on one table go side by side, so that each block of rows that is
// read serves all of them. Their objectives differ in weights of rows, scale and coefficients,
// such as those of folds; table, minibatches and outputs are the same. The table keeps the
// columns that any of them has alive.
//
// Every descent runs on a goroutine of its own and waits where it asks for sums. When all of
// them wait, the last one to come reads the table. Once what is alive is small enough to stay
// in a cache, each goes on by itself. What is read together depends on the descents alone, never
// on how fast they are: the bits are the same for any number of threads.
type Joint struct {
	pool  *pool
	least int  // cells of the table below which descents part
	owned bool // the table is a copy that nobody else has
	cells int  // of the table at the start

	all     []*Member
	mu      sync.Mutex
	members []*Member  // that have not left
	asked   []*request // that have to be answered
	apart   bool       // each goes on by itself
	broken  bool
	wasted  float64       // passes over columns that are dead for all, since they were dropped
	free    chan struct{} // has room for as many as may work by themselves
}

// JointCells is the number of cells of a table above which descents read it together: a smaller one
// stays in the last-level cache, where each reads it as fast.
const JointCells = 1 << 22

// apartCells is the number of cells of a table below which descents part: it stays in the
// second-level cache, and waiting for each other would take longer than reading.
const apartCells = 1 << 18

// NewJoint returns a meeting place for so many descents, all of which have to come or to leave.
func NewJoint(descents, threads int) *Joint {
	j := &Joint{least: apartCells, pool: &pool{threads: max(threads, 1)}, free: make(chan struct{}, max(threads, 1))}
	for range descents {
		j.all = append(j.all, &Member{joint: j})
	}
	j.members = slices.Clone(j.all)
	return j
}

// Member returns one of the descents by its number.
func (j *Joint) Member(i int) *Member { return j.all[i] }

// Member is the objective of one of several descents. It is no objective before Join.
type Member struct {
	ob    *Objective
	joint *Joint
	left  bool
}

var _ anneal.Curved = (*Member)(nil)

// request is a wish for sums over rows.
type request struct {
	of     *Member
	ctx    context.Context
	bound  bool // on the Hessian, times the vector at; else the gradient there
	batch  int
	to, at []float64
	done   chan struct{}

	alone       bool // it is left to the member
	sum, weight float64
	err         error
}

// Join makes an objective that of a member.
func (m *Member) Join(ob *Objective) {
	m.ob = ob
	m.joint.mu.Lock()
	defer m.joint.mu.Unlock()
	m.joint.cells = max(m.joint.cells, ob.cells)
}

// Leave ends a descent: the others no longer wait for it. All have to leave, whatever happened.
func (m *Member) Leave() {
	j := m.joint
	j.mu.Lock()
	defer j.mu.Unlock()
	if m.left {
		return
	}
	m.left, j.owned = true, false // its columns are still to be read
	j.members = slices.DeleteFunc(j.members, func(of *Member) bool { return of == m })
	j.answer()
}

// Break ends all descents with an error, as one of them has ended by a panic.
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

// alone waits until there is a thread to work on, and returns what gives it back.
func (m *Member) alone() func() {
	m.joint.free <- struct{}{}
	return func() { <-m.joint.free }
}

// ask returns a request when it is answered.
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

var errBroken = errors.New("objective: a descent beside this one has failed")

// answer answers requests if all descents have one. Steps wait while any of them measures its
// Hessian bound, which takes one more time than another, so that all look at the same
// minibatches together.
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

// split returns the requests of which something holds, and the others.
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

// read answers requests about the same rows by one read.
func (j *Joint) read(list []*request) {
	first := list[0].of.ob
	shards := first.shards(list[0].batch)
	if list[0].bound {
		shards = first.sample(shards)
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

// alive returns how many columns are, in any of the descents.
func (j *Joint) alive() int {
	most := 0
	for _, m := range j.members {
		most = max(most, m.ob.alive)
	}
	return most
}

// compact drops the variables that are dead in all descents, when a single one would drop its own.
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

// kept returns the variables that are alive in any of the descents, ascending, and the number of
// their columns.
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
