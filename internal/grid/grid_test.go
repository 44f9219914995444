package grid

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"sync"
	"testing"

	"fsa/anneal"
	"fsa/internal/collective"
	"fsa/internal/matrix"
	"fsa/internal/need"
	"fsa/internal/objective"
	"fsa/internal/objectivetest"
	"fsa/loss"
)

// shapes are the grids that have to produce the same model.
var shapes = [][2]int{{1, 1}, {2, 1}, {1, 2}, {2, 2}, {4, 1}, {3, 2}}

// table has five columns that matter: 0, 7, 14, 21 and 28.
type table struct {
	rows, cols    int
	x             []float32
	scale, offset []float64
	y, weight     []float64
	loss          loss.Loss
}

func newTable(rows, cols int, l loss.Loss) *table {
	rng := rand.New(rand.NewPCG(3, uint64(cols)))
	t := &table{rows: rows, cols: cols, loss: l, x: make([]float32, rows*cols)}
	for range cols {
		t.scale, t.offset = append(t.scale, 0.5+rng.Float64()), append(t.offset, rng.NormFloat64()/3)
	}
	outputs := l.Outputs()
	for i := range rows {
		z := make([]float64, outputs)
		for j := range cols {
			v := float32(rng.NormFloat64())
			t.x[i*cols+j] = v
			if j%7 == 0 && j < 35 {
				z[(j/7)%outputs] += (t.scale[j]*float64(v) + t.offset[j]) * (2 - float64(j)/35)
			}
		}
		y := z[0] + 0.3*rng.NormFloat64()
		switch l.(type) {
		case loss.Squared:
		case loss.Multinomial:
			y = float64(slices.Index(z, slices.Max(z)))
		default:
			y = math.Copysign(1, y)
		}
		t.y, t.weight = append(t.y, y), append(t.weight, 0.5+rng.Float64())
	}
	return t
}

// objective returns the objective of the table in the given storage.
func (t *table) objective(x matrix.Matrix, batch, final int, ridge float64) *objective.Objective {
	all := make([]int, t.cols)
	for j := range all {
		all[j] = j
	}
	return objective.New(objective.Config{
		X: x, Scale: t.scale, Offset: t.offset, Numbers: t.cols, Loss: t.loss, Target: objective.Target{Y: t.y, Weight: t.weight},
		Intercept: true, Ridge: ridge, Groups: objective.Single(all), Final: final, Batch: batch, Threads: 2,
	})
}

// spread returns the table as a process of a grid holds it.
func (t *table) spread(c collective.Comm, shape [2]int) (*Matrix, error) {
	g, err := New(c, shape[0], shape[1])
	if err != nil {
		return nil, err
	}
	m, err := NewMatrix(g, NewCut(t.rows, t.cols))
	if err != nil {
		return nil, err
	}
	fromRow, toRow, from, to, err := g.Part(NewCut(t.rows, t.cols))
	for i := fromRow; i < toRow; i++ {
		m.Set(i, t.x[i*t.cols+from:i*t.cols+to])
	}
	return m, err
}

// together calls f as each process of a grid and returns the results, in order.
func together[T any](t *testing.T, shape [2]int, f func(c collective.Comm) (T, error)) []T {
	t.Helper()
	out := make([]T, shape[0]*shape[1])
	var wait sync.WaitGroup
	for p, c := range collective.Group(len(out)) {
		wait.Go(func() {
			var err error
			if out[p], err = f(c); err != nil {
				t.Errorf("%v, process %d: %v", shape, p, err)
				c.Abort(1, "")
			}
		})
	}
	wait.Wait()
	return out
}

// mirror is an objective that passes each call on to all processes.
type mirror struct{ all []*Objective }

func (m mirror) each(f func(p int, o *Objective)) {
	var wait sync.WaitGroup
	for p, o := range m.all {
		wait.Go(func() { f(p, o) })
	}
	wait.Wait()
}

func (m mirror) Layout() anneal.Layout { return m.all[0].Layout() }
func (m mirror) Batches() int          { return m.all[0].Batches() }

func (m mirror) Eval(ctx context.Context, batch int, grad, beta []float64) (sum, weight float64, err error) {
	m.each(func(p int, o *Objective) {
		g := make([]float64, len(grad))
		s, w, e := o.Eval(ctx, batch, g, beta)
		if p == 0 {
			sum, weight, err = s, w, e
			copy(grad, g)
		}
	})
	return sum, weight, err
}

func (m mirror) Curvature(ctx context.Context, batch int, dst, v []float64) (weight float64, err error) {
	m.each(func(p int, o *Objective) {
		h := make([]float64, len(dst))
		w, e := o.Curvature(ctx, batch, h, v)
		if p == 0 {
			weight, err = w, e
			copy(dst, h)
		}
	})
	return weight, err
}

func (m mirror) Keep(ctx context.Context, groups []int) (err error) {
	m.each(func(p int, o *Objective) {
		if e := o.Keep(ctx, groups); p == 0 {
			err = e
		}
	})
	return err
}

var losses = map[string]loss.Loss{
	"squared": loss.Squared{}, "logistic": loss.Logistic{}, "svm": loss.SVM{}, "lorenz": loss.Lorenz{}, "multinomial": loss.Multinomial{Classes: 3},
}

// shapesFor returns all shapes for one loss and only the most awkward one for the others; in quick
// runs, it returns the smallest shape with several rows and columns.
func shapesFor(name string) [][2]int {
	switch {
	case testing.Short():
		return [][2]int{{2, 2}}
	case name == "logistic":
		return shapes
	}
	return shapes[len(shapes)-1:]
}

// place returns the objective of the table as a process holds it.
func (t *table) place(ctx context.Context, c collective.Comm, shape [2]int, batch, final int, ridge float64) (*Objective, error) {
	m, err := t.spread(c, shape)
	if err != nil {
		return nil, err
	}
	o, err := m.Place(ctx, t.objective(m, batch, final, ridge))
	if err != nil {
		return nil, err
	}
	return o.(*Objective), nil
}

// TestContract checks that the objective keeps the promises of the interface on any grid.
func TestContract(t *testing.T) {
	for name, l := range losses {
		for _, shape := range shapesFor(name) {
			t.Run(fmt.Sprint(name, shape), func(t *testing.T) {
				need.LongCase(t, name, "logistic", "multinomial")
				tb := newTable(60, 9, l)
				objectivetest.Run(t, func() anneal.Objective {
					return mirror{together(t, shape, func(c collective.Comm) (*Objective, error) { return tb.place(t.Context(), c, shape, 20, 0, 0.1) })}
				})
			})
		}
	}
}

// TestSameBits expects a descent to have the same bits on any grid, and to select what one machine
// selects.
func TestSameBits(t *testing.T) {
	for name, l := range losses {
		for _, batch := range []int{0, 100} {
			t.Run(fmt.Sprintf("%s, batch %d", name, batch), func(t *testing.T) {
				tb := newTable(300, 80, l)
				set := anneal.Settings{K: 6, Iterations: 30, Mu: 10, Force: []int{3}, FactorWarmUp: 5}
				want, err := anneal.Run(t.Context(), tb.objective(matrix.NewDense(tb.rows, tb.cols, tb.x), batch, 6, 0.01), set)
				if err != nil {
					t.Fatal(err)
				}
				var first *anneal.Result
				for _, shape := range append(shapes[:1:1], shapesFor(name)...) {
					for p, r := range together(t, shape, func(c collective.Comm) (*anneal.Result, error) {
						o, err := tb.place(t.Context(), c, shape, batch, 6, 0.01)
						if err != nil {
							return nil, err
						}
						return anneal.Run(t.Context(), o, set)
					}) {
						if first == nil {
							first = r
						}
						if !reflect.DeepEqual(r, first) {
							t.Errorf("%v, process %d: the result is not that of %v", shape, p, shapes[0])
						}
					}
				}
				if first != nil && !slices.Equal(first.Groups, want.Groups) {
					t.Errorf("groups %v, one machine has %v", first.Groups, want.Groups)
				}
			})
		}
	}
}

// TestResume continues a descent from a state on another grid. The result is that of an
// uninterrupted one except for rounding: which dropped columns are still multiplied by zero depends
// on when others were dropped.
func TestResume(t *testing.T) {
	tb := newTable(300, 60, loss.Logistic{})
	set := anneal.Settings{K: 4, Iterations: 12, Mu: 5}
	type run struct {
		result *anneal.Result
		states []*anneal.State
	}
	whole := together(t, shapes[3], func(c collective.Comm) (r run, err error) {
		o, err := tb.place(t.Context(), c, shapes[3], 100, 4, 0)
		if err != nil {
			return r, err
		}
		watched := set
		watched.Observe = func(e anneal.Epoch) { r.states = append(r.states, e.State()) }
		r.result, err = anneal.Run(t.Context(), o, watched)
		return r, err
	})[0]
	for i, state := range whole.states {
		shape := shapes[i%len(shapes)]
		for _, got := range together(t, shape, func(c collective.Comm) (*anneal.Result, error) {
			o, err := tb.place(t.Context(), c, shape, 100, 4, 0)
			if err != nil {
				return nil, err
			}
			resumed := set
			resumed.Resume = state
			return anneal.Run(t.Context(), o, resumed)
		}) {
			if got == nil {
				continue
			}
			for i, b := range got.Beta {
				if !slices.Equal(got.Groups, whole.result.Groups) || math.Abs(b-whole.result.Beta[i]) > 1e-9 {
					t.Fatalf("resumed after epoch %d on %v: groups %v with %v, want %v with %v", state.Epoch, shape, got.Groups, got.Beta, whole.result.Groups, whole.result.Beta)
				}
			}
		}
	}
}

// TestMeasure expects moments to have the same bits on any grid, and to be those of one machine
// except for rounding.
func TestMeasure(t *testing.T) {
	tb := newTable(500, 20, loss.Squared{})
	tb.x[7] = float32(math.NaN())
	for i := range tb.rows {
		tb.x[i*tb.cols+3] *= 1e-12 // columns of very different magnitudes
		tb.x[i*tb.cols+4] *= 1e12
	}
	weight := func(i int) float64 { return tb.weight[i] }
	want := make([]matrix.Moments, tb.cols)
	if err := matrix.NewDense(tb.rows, tb.cols, tb.x).Measure(t.Context(), want, weight); err != nil {
		t.Fatal(err)
	}
	var first []matrix.Moments
	for _, shape := range shapes {
		for _, got := range together(t, shape, func(c collective.Comm) ([]matrix.Moments, error) {
			m, err := tb.spread(c, shape)
			if err != nil {
				return nil, err
			}
			all := make([]matrix.Moments, tb.cols)
			return all, m.Measure(t.Context(), all, weight)
		}) {
			if first == nil {
				first = got
			}
			if !slices.Equal(got, first) {
				t.Fatalf("%v: other bits", shape)
			}
		}
	}
	for j, m := range first {
		w := want[j]
		near := func(a, b, size float64) bool { return math.Abs(a-b) <= 1e-12*size }
		size := math.Sqrt(w.Squares * w.Weight)
		if !near(m.Sum, w.Sum, size) || !near(m.Squares, w.Squares, w.Squares) || !near(m.Weight, w.Weight, w.Weight) || m.Min != w.Min || m.Max != w.Max || m.Missing != w.Missing || m.Weighted != w.Weighted {
			t.Errorf("column %d: %+v, want %+v", j, m, w)
		}
	}
}

// TestSelect expects the remaining columns to reach every process unchanged.
func TestSelect(t *testing.T) {
	tb := newTable(100, 30, loss.Squared{})
	rows, vars := rand.New(rand.NewPCG(1, 1)).Perm(tb.rows), []int{0, 3, 4, 17, 29}
	for _, shape := range shapes {
		for _, x := range together(t, shape, func(c collective.Comm) (matrix.Matrix, error) {
			m, err := tb.spread(c, shape)
			if err != nil {
				return nil, err
			}
			return m.Select(t.Context(), rows, vars)
		}) {
			for i, r := range rows {
				for k, j := range vars {
					if got := x.(*matrix.Dense).Row(i)[k]; got != tb.x[r*tb.cols+j] {
						t.Fatalf("%v: row %d, column %d is %g", shape, r, j, got)
					}
				}
			}
		}
	}
}

// TestUnits expects the sum of rounded numbers to be the same in any order, and correct.
func TestUnits(t *testing.T) {
	const seed = 11
	rng := rand.New(rand.NewPCG(seed, 0))
	for range 2000 {
		v := make([]float64, 1+rng.IntN(300))
		exact, bound := 0.0, 0.0
		size := math.Ldexp(1, rng.IntN(600)-300)
		for i := range v {
			v[i] = size * rng.NormFloat64() * math.Ldexp(1, -rng.IntN(40))
			bound = max(bound, math.Abs(v[i]))
			exact += v[i]
		}
		u := unitFor(bound, len(v))
		sum := func() int64 {
			var parts [3]int64 // added up as if by several processes
			for _, i := range rng.Perm(len(v)) {
				u.add(parts[i%3:i%3+1], v[i:i+1])
			}
			return parts[0] + parts[1] + parts[2]
		}
		first := sum()
		if again := sum(); again != first {
			t.Fatalf("seed %d: sums %d and %d", seed, first, again)
		}
		if got := u.value(first); math.Abs(got-exact) > 1e-12*bound {
			t.Fatalf("seed %d: the sum is %g, want %g", seed, got, exact)
		}
	}
	if u := unitFor(math.Inf(1), 3); u.value(0) == u.value(0) {
		t.Error("a sum of what is not finite must not be a number")
	}
}

// TestCutWhole expects that no group of columns is cut, and that empty slices disappear.
func TestCutWhole(t *testing.T) {
	for _, c := range []struct{ groups, want []int }{
		{nil, []int{0, 4, 8, 12, 16}},
		{[]int{4, 4}, []int{0, 4, 8, 12, 16}},
		{[]int{5, 0, 2, 4}, []int{0, 5, 11, 12, 16}},
		{[]int{2, 11}, []int{0, 13, 16}},
		{[]int{16}, []int{0, 16}},
	} {
		cut, from := NewCut(100, 16), 0
		for _, n := range c.groups {
			cut = cut.Whole(from, from+n)
			from += n
		}
		if got := cut.Slices; !slices.Equal(got, c.want) {
			t.Errorf("groups of %v columns: slices begin at %v, want %v", c.groups, got, c.want)
		}
	}
}

// TestShape expects the chosen grid to read and send least, and to leave every process something to
// do.
func TestShape(t *testing.T) {
	for _, c := range []struct{ processes, rows, columns, r, c int }{
		{1, 100, 100, 1, 1}, {4, 200_000, 1000, 4, 1}, {4, 1000, 200_000, 4, 1}, {4, 100_000, 100_000, 4, 1}, {6, 20, 3, 6, 1},
		{256, 100_000, 100_000, 16, 16}, {512, 1000, 1_000_000, 8, 64},
	} {
		if r, k := Shape(c.processes, NewCut(c.rows, c.columns), 4*float64(c.rows)*float64(c.columns)); r != c.r || k != c.c {
			t.Errorf("%d processes for %d×%d: %d×%d, want %d×%d", c.processes, c.rows, c.columns, r, k, c.r, c.c)
		}
	}
	if r, k := Shape(4, NewCut(100_000, 1_000_000), 8*1e7); r != 1 || k != 4 {
		t.Errorf("4 processes for a wide sparse table: %d×%d", r, k)
	}
}
