package objective

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"fsa/data"
	"fsa/internal/matrix"
	"fsa/loss"
	"fsa/prior"
)

// mixed returns the design of a table of three numbers and two texts with three and four categories.
func mixed(t *testing.T, rows int) *data.Design {
	t.Helper()
	rng := rand.New(rand.NewPCG(5, 1))
	schema := &data.Schema{Width: 5, Names: []string{"a", "b", "c", "t", "u"}, Categories: map[int][]string{3: {"x", "y", "z"}, 4: {"k", "l", "m", "n"}}}
	b := &data.Block{Rows: rows}
	y := make([]float64, rows)
	for i := range rows {
		b.Dense = append(b.Dense, 5+rng.NormFloat64(), 2*rng.NormFloat64(), rng.Float64(), float64(rng.IntN(3)), float64(rng.IntN(4)))
		y[i] = rng.NormFloat64()
	}
	builder := data.NewBuilder("mixed", schema, data.Roles{TargetVector: &data.Vector{Values: y}})
	if err := builder.Add(b); err != nil {
		t.Fatal(err)
	}
	table, err := builder.Dataset(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	d, err := table.Design(t.Context(), data.DesignOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// of adds a design to a configuration.
func of(d *data.Design, c Config) Config {
	c.X, c.Scale, c.Offset, c.Numbers = d.X, d.Scale, d.Offset, d.Numbers
	return c
}

// sine returns deterministic numbers without a simple pattern.
func sine(n int, phase float64) []float64 {
	x := make([]float64, n)
	for i := range x {
		x[i] = math.Sin(float64(3*i) + phase)
	}
	return x
}

func alike(a, b float64) bool { return math.Abs(a-b) <= 1e-6*max(1, math.Abs(a), math.Abs(b)) }

// Margins, products, means and gradients agree with the columns that Columns returns, before and after groups are dropped
// and rows are reordered by batch.
func TestColumnsAreWhatIsLearned(t *testing.T) {
	const rows = 900
	ctx, d := t.Context(), mixed(t, rows)
	y, weight := sine(rows, 1), sine(rows, 2)
	classes := make([]float64, rows)
	for i := range weight {
		weight[i] += 1.5
		classes[i] = float64(i % 3)
	}
	groups := grouped([][]int{{4}, {0, 2}, {1}, {3}})
	for name, c := range map[string]Config{
		"squared":     {Loss: loss.Squared{}, Target: Target{Y: y, Weight: weight}, Ridge: 0.3, CategoryRows: []float64{2, 5}},
		"minibatches": {Loss: loss.Squared{}, Target: Target{Y: y, Weight: weight}, Batch: 100, Final: 1, Threads: 3},
		"multinomial": {Loss: loss.Multinomial{Classes: 3}, Target: Target{Y: classes}, CategoryRows: []float64{1, 0}, Threads: 2},
	} {
		t.Run(name, func(t *testing.T) {
			c.Groups, c.Intercept = groups, true
			ob := New(of(d, c))
			for _, keep := range [][]int{{0, 1, 2, 3}, {0, 1}, {1}} {
				if err := ob.Keep(ctx, keep); err != nil {
					t.Fatal(err)
				}
				outputs, n := c.Loss.Outputs(), ob.Layout().Len()
				beta := sine(n, 0)
				// The first evaluation compacts.
				grad := make([]float64, n)
				var sum, total float64
				all := make([]float64, n)
				for b := range ob.Batches() {
					s, w, err := ob.Eval(ctx, b, grad, beta)
					if err != nil {
						t.Fatal(err)
					}
					sum, total = sum+s, total+w
					for i := range all {
						all[i] += grad[i]
					}
				}
				x, penalty, err := ob.Columns(ctx)
				if err != nil {
					t.Fatal(err)
				}
				if want := (n - outputs) / outputs; len(x) != want || len(penalty) != want {
					t.Fatalf("%d columns, %d penalties, want %d", len(x), len(penalty), want)
				}
				margin, err := ob.Decisions(ctx, beta)
				if err != nil {
					t.Fatal(err)
				}
				// Coefficients are ordered by group and, within a group, by output.
				l := ob.Layout()
				at := make([][]int, outputs) // indices of the coefficients of each output
				for g := range l.Groups() {
					lo, hi := l.Span(g)
					for o := range outputs {
						for i := range (hi - lo) / outputs {
							at[o] = append(at[o], lo+o*(hi-lo)/outputs+i)
						}
					}
				}
				for row := range rows {
					for o := range outputs {
						z := beta[n-outputs+o]
						for i := range x {
							z += x[i][row] * beta[at[o][i]]
						}
						if !alike(z, margin[row*outputs+o]) {
							t.Fatalf("groups %v: the margin of row %d is %v, by its columns %v", keep, row, margin[row*outputs+o], z)
						}
					}
				}
				z, r := make([]float64, rows*outputs), make([]float64, rows*outputs) // by output
				for i, v := range margin {
					z[i%outputs*rows+i/outputs] = v
				}
				value, w := c.Loss.Eval(r, z, loss.Target{Y: c.Target.Y, Weight: c.Target.Weight})
				byOutput := make([][]float64, outputs)
				for o := range byOutput {
					byOutput[o] = r[o*rows : (o+1)*rows]
				}
				// Products supports losses of one output, and needs the original order of rows.
				switch {
				case ob.rows.from != nil:
					if name != "minibatches" {
						t.Error("rows were moved without minibatches")
					}
				case outputs == 1:
					products, err := ob.Products(ctx, byOutput)
					if err != nil {
						t.Fatal(err)
					}
					for i := range x {
						dot := 0.0
						for row, v := range r {
							dot += v * x[i][row]
						}
						if !alike(dot, products[0][i]) {
							t.Errorf("groups %v: product %d is %v, by its column %v", keep, i, products[0][i], dot)
						}
					}
				}
				priors := 0.0
				for o := range outputs {
					for i := range x {
						b, lambda := beta[at[o][i]], c.Ridge+penalty[i]
						dot := 0.0
						for row, v := range byOutput[o] {
							dot += v * x[i][row]
						}
						priors += lambda * b * b
						if want := dot + total*2*lambda*b; !alike(want, all[at[o][i]]) {
							t.Errorf("groups %v: slope %d is %v, by its column %v", keep, at[o][i], all[at[o][i]], want)
						}
					}
				}
				if !alike(w, total) || !alike(sum, value+w*priors) {
					t.Errorf("groups %v: %v of weight %v, want %v of weight %v", keep, sum, total, value+w*priors, w)
				}
				if ob.Batches() > 1 {
					continue
				}
				mean, err := ob.Mean(ctx, beta)
				if err != nil || !alike(mean, sum/total) {
					t.Errorf("the mean is %v, want %v (%v)", mean, sum/total, err)
				}
				without, err := ob.MeanWithoutRidge(ctx, beta)
				norm := prior.Ridge{Lambda: ob.ridge.Lambda}.Eval(make([]float64, n-outputs), beta[:n-outputs], 1)
				if err != nil || !alike(without, mean-norm) {
					t.Errorf("the mean without the ridge is %v, want %v (%v)", without, mean-norm, err)
				}
			}
			if ob.Batches() != 1 {
				t.Errorf("%d batches although no group will be dropped", ob.Batches())
			}
		})
	}
}

// The prior on a category is equivalent to further rows that show no effect, each with the mean curvature. For n rows of
// weight 1 and the squared loss, λ = rows/(2n) per squared unit.
func TestCategoryPrior(t *testing.T) {
	const rows = 400
	d := mixed(t, rows)
	ob := New(of(d, Config{Loss: loss.Squared{}, Target: Target{Y: sine(rows, 0)}, CategoryRows: []float64{3, 10}, Groups: grouped([][]int{{0}, {3}, {4}})}))
	x, penalty, err := ob.Columns(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if penalty[0] != 0 {
		t.Errorf("a numeric variable has a penalty of %v", penalty[0])
	}
	for i, more := range []float64{3, 3, 3, 10, 10, 10, 10} {
		unit := slices.Max(x[1+i]) - slices.Min(x[1+i]) // of a cell that has the category
		if want := more / (2 * rows) * unit * unit; !alike(penalty[1+i]/want, 1) {
			t.Errorf("category %d has a penalty of %v, want %v", i, penalty[1+i], want)
		}
	}
}

// Hessian returns the factorised Hessian bound of the columns, and detects collinear columns.
func TestHessianOfColumns(t *testing.T) {
	const rows = 300
	ctx, d := t.Context(), mixed(t, rows)
	c := of(d, Config{Loss: loss.Squared{}, Target: Target{Y: sine(rows, 0)}, Intercept: true, Ridge: 0.2})
	c.Groups = Single([]int{0, 1, 2})
	if m := matrix.Variables(d.X); m != 5 {
		t.Fatalf("%d variables", m)
	}
	ob := New(c)
	h, ok, err := ob.Hessian(ctx)
	if err != nil || !ok {
		t.Fatalf("%v, %v", ok, err)
	}
	x, _, err := ob.Columns(ctx)
	if err != nil {
		t.Fatal(err)
	}
	ones := slices.Repeat([]float64{1}, rows)
	x = append(x, ones)
	for i := range x {
		for j := range x {
			want := 0.0
			for row := range rows {
				want += x[i][row] * x[j][row] / rows
			}
			if i == j && i < 3 {
				want += 2 * 0.2
			}
			got := 0.0
			for k := range x { // h = Uᵀ U
				got += h.RawU().At(k, i) * h.RawU().At(k, j)
			}
			if !alike(got, want) {
				t.Errorf("the Hessian at %d, %d is %v, want %v", i, j, got, want)
			}
		}
	}
	twice := make([]float32, 2*rows)
	for i := range twice {
		twice[i] = float32(math.Sin(float64(i / 2)))
	}
	same := func() *Objective {
		return New(Config{X: matrix.NewDense(rows, 2, twice), Scale: []float64{1, 1}, Numbers: 2, Loss: loss.Squared{}, Target: Target{Y: sine(rows, 0)}, Groups: Single([]int{0, 1})})
	}
	if _, ok, err := Hessian(ctx, same(), 0); ok || err != nil {
		t.Errorf("without anything on its diagonal: %v, %v", ok, err)
	}
	if _, ok, err := same().Hessian(ctx); !ok || err != nil {
		t.Errorf("with a little on its diagonal: %v, %v", ok, err)
	}
}

// The null model of a numeric target is its mean, with half the variance as the loss; that of classes is the log odds.
func TestNullModel(t *testing.T) {
	ctx := t.Context()
	null := func(c Config) ([]float64, float64) {
		n := len(c.Target.Y)
		c.X, c.Scale, c.Numbers, c.Groups = matrix.NewDense(n, 1, make([]float32, n)), []float64{1}, 1, Single([]int{0})
		return New(c).NullModel(ctx)
	}
	for name, c := range map[string]struct {
		Config
		intercept []float64
		loss      float64
	}{
		"number":      {Config{Loss: loss.Squared{}, Intercept: true, Target: Target{Y: []float64{1, 2, 6}}}, []float64{3}, 14.0 / 6},
		"weights":     {Config{Loss: loss.Squared{}, Intercept: true, Target: Target{Y: []float64{1, 5}, Weight: []float64{3, 1}}}, []float64{2}, 1.5},
		"without":     {Config{Loss: loss.Squared{}, Target: Target{Y: []float64{1, 2, 6}}}, nil, 41.0 / 6},
		"two classes": {Config{Loss: loss.Logistic{}, Intercept: true, Target: Target{Y: []float64{1, 1, 1, -1}}}, []float64{math.Log(3)}, math.Log(4) - 0.75*math.Log(3)},
		"no weight":   {Config{Loss: loss.Squared{}, Intercept: true, Target: Target{Y: []float64{1, 5}, Weight: []float64{0, 0}}}, []float64{0}, 0},
		"infinite":    {Config{Loss: loss.Squared{}, Intercept: true, Target: Target{Y: []float64{1, math.Inf(1)}}}, nil, 0},
	} {
		b, mean := null(c.Config)
		near := len(b) == len(c.intercept) && math.Abs(mean-c.loss) < 1e-5
		for i := range b {
			near = near && math.Abs(b[i]-c.intercept[i]) < 1e-4
		}
		if !near {
			t.Errorf("%s: intercept %v, null loss %v; want %v, %v", name, b, mean, c.intercept, c.loss)
		}
	}
	long := make([]float64, 100_000) // fitted on parts first
	for i := range long {
		long[i] = float64(i % 5)
	}
	if b, mean := null(Config{Loss: loss.Squared{}, Intercept: true, Target: Target{Y: long}}); math.Abs(b[0]-2) > 1e-9 || math.Abs(mean-1) > 1e-9 {
		t.Errorf("of a long target: intercept %v, null loss %v; want 2, 1", b, mean)
	}
}

// Sums have the same bits on any number of threads, whether threads share rows or columns.
func TestThreadsHaveTheSameBits(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 8))
	tall := make([]float32, 40_000*8) // five shards
	for i := range tall {
		tall[i] = float32(rng.NormFloat64())
	}
	const wideRows, cols, cells = 3000, 100_000, 60
	wide := matrix.NewSparse(cols)
	for range wideRows {
		index := make([]uint32, 0, cells)
		for range cells {
			index = append(index, uint32(rng.IntN(cols)))
		}
		slices.Sort(index)
		index = slices.Compact(index)
		wide.Add(index, slices.Repeat([]float32{0.5}, len(index)))
	}
	for name, x := range map[string]matrix.Matrix{"rows": matrix.NewDense(40_000, 8, tall), "columns": wide} {
		rows, cols := x.Dims()
		all := make([]int, cols)
		for j := range all {
			all[j] = j
		}
		y := make([]float64, rows)
		for i := range y {
			y[i] = float64(i%3 - 1)
		}
		type result struct {
			grad        []float64
			sum, weight float64
		}
		at := func(threads int) result {
			ob := New(Config{X: x, Scale: slices.Repeat([]float64{1}, cols), Numbers: cols, Loss: loss.Squared{}, Target: Target{Y: y}, Intercept: true, Groups: Single(all), Threads: threads})
			r := result{grad: make([]float64, cols+1)}
			var err error
			if r.sum, r.weight, err = ob.Eval(t.Context(), 0, r.grad, sine(cols+1, 0)); err != nil {
				t.Fatal(err)
			}
			if sharded := len(ob.shards(0)) > 1; sharded != (name == "rows") || threads > 1 && (ob.ranges != nil) != (name == "columns") {
				t.Fatalf("%s: %d shards, ranges %v", name, len(ob.shards(0)), ob.ranges)
			}
			return r
		}
		one := at(1)
		for _, threads := range []int{2, 5} {
			if r := at(threads); !slices.Equal(r.grad, one.grad) || r.sum != one.sum || r.weight != one.weight {
				t.Errorf("%s: the sums of %d threads differ from those of one", name, threads)
			}
		}
	}
}

// A descent that is resumed with a restored storage has the same bits as an uninterrupted one.
func TestStorageIsLaidAgain(t *testing.T) {
	const rows = 600
	ctx, d := t.Context(), mixed(t, rows)
	fresh := func() *Objective {
		ob := New(of(d, Config{Loss: loss.Squared{}, Target: Target{Y: sine(rows, 0)}, Intercept: true, Groups: Single([]int{0, 1, 2, 3, 4}), Batch: 100, Final: 1}))
		ob.Track()
		return ob
	}
	eval := func(ob *Objective) []float64 {
		grad := make([]float64, ob.Layout().Len())
		if _, _, err := ob.Eval(ctx, 0, grad, sine(len(grad), 0)); err != nil {
			t.Fatal(err)
		}
		return grad
	}
	ob := fresh()
	eval(ob)
	for _, keep := range [][]int{{0, 2, 3}, {0, 2}} { // which are groups 0, 2 and 3, and then 0 and 3
		if err := ob.Keep(ctx, keep); err != nil {
			t.Fatal(err)
		}
		eval(ob)
	}
	s, err := ob.Storage(ctx)
	if err != nil || s.Groups == nil {
		t.Fatalf("%+v, %v: nothing was compacted", s, err)
	}
	want := eval(ob)
	again := fresh()
	again.Lay(s)
	if err := again.Keep(ctx, []int{0, 3}); err != nil {
		t.Fatal(err)
	}
	if got := eval(again); !slices.Equal(got, want) {
		t.Errorf("the gradient is %v, and was %v", got, want)
	}
	never := fresh()
	never.Lay(Storage{})
	if err := never.Laid(ctx); err != nil || !slices.Equal(eval(never), eval(fresh())) {
		t.Errorf("storage that was never compacted: %v", err)
	}
	wrong := fresh()
	wrong.Lay(Storage{Groups: []int{0, 3}})
	if err := wrong.Keep(ctx, []int{0, 1}); !errors.Is(err, errStorage) {
		t.Errorf("a dropped group is active: %v", err)
	}
}

// The pairs of a query are in the block of the query, and are numbered within that block.
func TestPairsOfBlocks(t *testing.T) {
	pairs := []loss.Pair{{I: 5, J: 3, R: 1}, {I: 0, J: 2, R: 0.5}, {I: 4, J: 5, R: 0}, {I: 7, J: 6, R: 1}}
	p := newRowPlan(&Target{Y: make([]float64, 8), Query: []int{0, 3, 6, 8}, Pairs: pairs}, 0, 1, false, 0)
	for s, want := range map[span]loss.Target{
		{0, 3}: {Query: []int{0, 3}, Pairs: pairs[1:2]},
		{3, 6}: {Query: []int{0, 3}, Pairs: []loss.Pair{{I: 2, J: 0, R: 1}, {I: 1, J: 2, R: 0}}},
		{3, 8}: {Query: []int{0, 3, 5}, Pairs: []loss.Pair{{I: 2, J: 0, R: 1}, {I: 1, J: 2, R: 0}, {I: 4, J: 3, R: 1}}},
	} {
		if got := p.target(s); !slices.Equal(got.Query, want.Query) || !slices.Equal(got.Pairs, want.Pairs) {
			t.Errorf("rows %v have the queries %v and the pairs %v, want %v and %v", s, got.Query, got.Pairs, want.Query, want.Pairs)
		}
	}
	if all := newRowPlan(&Target{Y: make([]float64, 8), Pairs: pairs}, 0, 1, false, 0); !slices.Equal(all.query, []int{0, 8}) {
		t.Errorf("pairs without queries are in %v", all.query)
	}
}

// Parts describes the objective, and refuses priors other than ridges.
func TestParts(t *testing.T) {
	const rows = 200
	d := mixed(t, rows)
	ob := New(of(d, Config{Loss: loss.Squared{}, Target: Target{Y: sine(rows, 0)}, Groups: grouped([][]int{{3}, {1, 0}, {2, 4}}), Ridge: 0.1, CategoryRows: []float64{2, 3}, Batch: 50}))
	p, err := ob.Parts()
	if err != nil {
		t.Fatal(err)
	}
	if want := []int{3, 4, 5, 1, 0, 2, 6, 7, 8, 9}; !slices.Equal(p.Columns, want) || !slices.Equal(p.First, []int{0, 3, 5, 10}) || p.Groups() != 3 {
		t.Errorf("columns %v of groups that begin at %v, want %v", p.Columns, p.First, want)
	}
	for j, want := range [][2]int{{0, 3}, {3, 5}, {5, 10}, {10, 10}} {
		if lo, hi := p.Span(j); lo != want[0] || hi != want[1] {
			t.Errorf("group %d is %d to %d, want %v", j, lo, hi, want)
		}
	}
	if lo, hi := ob.First(4); lo != 6 || hi != 10 {
		t.Errorf("the last text has the columns %d to %d", lo, hi)
	}
	if len(p.Penalty) != 10 || slices.Max(p.Penalty[:3]) != 0 || !(slices.Min(p.Penalty[3:]) > 0) {
		t.Errorf("penalties %v", p.Penalty)
	}
	seen := make([]int, rows)
	for _, batch := range p.Batches {
		for _, run := range batch {
			for i := run[0]; i < run[1]; i++ {
				seen[i]++
			}
		}
	}
	if len(p.Batches) != 4 || slices.Min(seen) != 1 || slices.Max(seen) != 1 {
		t.Errorf("%d batches, rows are in them %d to %d times", len(p.Batches), slices.Min(seen), slices.Max(seen))
	}
	if ob.Numbers() == nil {
		t.Error("texts are treated as numbers")
	}
	plain := Config{X: matrix.NewDense(2, 2, []float32{1, 2, 3, 4}), Scale: []float64{1, 1}, Numbers: 2, Loss: loss.Squared{}, Target: Target{Y: []float64{1, 2}}, Groups: Single([]int{1, 0})}
	p, err = New(plain).Parts()
	if lo, hi := p.Span(1); err != nil || p.First != nil || p.Groups() != 2 || lo != 1 || hi != 2 || New(plain).Numbers() != nil {
		t.Errorf("of single numbers: %+v, %v", p, err)
	}
	ranked, curved := plain, plain
	ranked.Loss, ranked.Target.Query = loss.Rank{}, []int{0, 2}
	curved.Bins, curved.Curve = 1, prior.Sum{prior.Smooth{C: 1}}
	if _, err := New(ranked).Parts(); err == nil {
		t.Error("queries: no error")
	}
	if p, err = New(curved).Parts(); err != nil || p.Ridged() == nil || p.Knots != 2 || !slices.Equal(p.Curved, []bool{true, true}) {
		t.Errorf("smoothed curves: %+v, %v", p, err)
	}
}

// asked is a context that counts the calls of Err.
type asked struct {
	context.Context
	times int
}

func (a *asked) Err() error {
	a.times++
	return a.Context.Err()
}

// Columns can be interrupted after a few rows of a table with very many columns.
func TestColumnsAreInterruptible(t *testing.T) {
	const rows, cols = 100, 500
	schema := &data.Schema{Width: cols + 1}
	builder := data.NewBuilder("wide", schema, data.Roles{Target: "0"})
	if err := builder.Add(&data.Block{Rows: rows, Dense: sine(rows*(cols+1), 0)}); err != nil {
		t.Fatal(err)
	}
	table, err := builder.Dataset(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	design, err := table.Design(t.Context(), data.DesignOptions{})
	if err != nil {
		t.Fatal(err)
	}
	all := make([]int, cols)
	for j := range all {
		all[j] = j
	}
	ob := New(of(design, Config{Loss: loss.Squared{}, Target: Target{Y: sine(rows, 1)}, Groups: Single(all)}))
	ctx := &asked{Context: t.Context()}
	if x, _, err := ob.Columns(ctx); err != nil || len(x) != cols || ctx.times < rows/sideBySide {
		t.Errorf("%d columns, %v, %d calls of Err", len(x), err, ctx.times)
	}
}
