package search

import (
	"errors"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"fsa/anneal"
	"fsa/internal/need"
	"fsa/internal/solve"
	"fsa/loss"
)

var lossNames = []string{"squared", "huber", "logistic", "svm", "lorenz", "multinomial"}

// The sets of a descent are nested: each is one group smaller than the last. They are sorted, have the requested size,
// and contain the forced groups.
func TestNested(t *testing.T) {
	for _, name := range lossNames {
		for _, batch := range []int{120, 30} {
			c := normal(1, 120, 12, 0.3, 1, 2, -1, 1).of(name)
			c.force = []string{"x9"}
			s := c.sample(t, name)
			d := descent(s)
			d.Batch = batch
			r := NewRunner(s, []int{0, 2, 9, 5})
			last := all(12)
			for size := 9; size > 0; size-- {
				f, err := r.Run(t.Context(), annealed(d, 0.01), size)
				if err != nil {
					t.Fatal(err)
				}
				if size < 2 { // the path has no sets below its smallest size
					if len(f.Groups) != 0 {
						t.Errorf("%s: %v at size %d", name, f.Groups, size)
					}
					continue
				}
				if len(f.Groups) != size || !slices.IsSorted(f.Groups) || !subsetOf(f.Groups, last) || !slices.Contains(f.Groups, 9) {
					t.Errorf("%s, %d rows of a step: %v after %v", name, batch, f.Groups, last)
				}
				last = f.Groups
			}
			p := r.paths[annealed(d, 0.01).Select]
			if got := slices.Sorted(maps.Keys(p.sets)); !slices.Equal(got, []int{2, 3, 4, 5, 6, 7, 8, 9}) {
				t.Errorf("%s: sets of %v", name, got)
			}
		}
	}
}

// If the largest size is the number of groups, its set contains all groups.
func TestAllGroups(t *testing.T) {
	s := normal(1, 60, 4, 0, 1, 1).sample(t, "squared")
	d := descent(s)
	for _, sizes := range [][]int{{4}, {1, 4}, {9}} {
		for _, size := range []int{4, 9} {
			if f := ran(t, s, sizes, annealed(d, 0), size); !slices.Equal(f.Groups, all(4)) {
				t.Errorf("%v: %v", sizes, f.Groups)
			}
		}
	}
}

// The true variables are found.
func TestFinds(t *testing.T) {
	for _, name := range lossNames {
		s := normal(2, 200, 20, 0, 0.3, 2, -2, 2).of(name).sample(t, name)
		d := descent(s)
		for what, r := range map[string]Recipe{"path": annealed(d, 0.001), "direct": {Select: annealed(d, 0.001).Select, Ridge: 0.001, Direct: true}} {
			if f := ran(t, s, []int{3}, r, 3); !slices.Equal(f.Groups, []int{0, 1, 2}) || f.Ridge != 0.001 {
				t.Errorf("%s, %s: %v with ridge %v", name, what, f.Groups, f.Ridge)
			}
		}
	}
}

// The null model selects nothing.
func TestNull(t *testing.T) {
	s := normal(2, 50, 5, 0, 1, 1).sample(t, "squared")
	f := ran(t, s, []int{0, 2}, annealed(descent(s), 0.1), 0)
	mean := 0.0
	for _, y := range s.Target.Y {
		mean += y / 50
	}
	if len(f.Groups) != 0 || !near(f.Intercept()[0], mean, 1e-9) || len(f.Variables()) != 0 || f.Ridge != 0 {
		t.Errorf("%v, intercept %v, not %v", f.Groups, f.Intercept(), mean)
	}
	for _, sizes := range [][]int{{0}, nil} { // no size above 0
		if f := ran(t, s, sizes, annealed(descent(s), 0.1), 2); len(f.Groups) != 0 {
			t.Errorf("%v: %v", sizes, f.Groups)
		}
	}
}

// recipes lists one of each kind.
func recipes(d *Descent) []Recipe {
	base := annealed(d, 0.01)
	change := func(f func(r *Recipe)) Recipe {
		r := base
		f(&r)
		return r
	}
	detours := Swaps{Ridge: 0.02, Gain: 1e-4, Detours: true}
	return []Recipe{
		base,
		change(func(r *Recipe) { r.Ridge = 1 }),
		change(func(r *Recipe) { r.Adaptive = true }),
		change(func(r *Recipe) { r.Select.Ridge = 1 }),
		change(func(r *Recipe) { r.Swaps = Swaps{Ridge: 0.01, Gain: 1e-4} }),
		change(func(r *Recipe) { r.Swaps = detours }),
		change(func(r *Recipe) { r.Swaps, r.Ridge = detours, 3 }),
		change(func(r *Recipe) { r.Polish = true }),
		change(func(r *Recipe) { r.Polish, r.Ridge = true, 3 }),
		change(func(r *Recipe) { r.Polish, r.Swaps = true, detours }),
		change(func(r *Recipe) { r.Select = Selection{Method: Lasso, Pooling: 1, Descent: d} }),
		change(func(r *Recipe) { r.Select, r.Polish = Selection{Method: Lasso, Pooling: 1, Descent: d}, true }),
		change(func(r *Recipe) { r.Direct, r.HessianSwaps, r.Guard, r.Polish = true, true, true, true }),
	}
}

// A recipe gives the same result on the same rows, whatever the runner has run before: its cache has no effect.
func TestMemory(t *testing.T) {
	seed := need.Seed(t)
	rng := rand.New(rand.NewPCG(seed, 1))
	tables := uint64(6)
	if testing.Short() {
		tables = 2
	}
	for table := range tables {
		for _, name := range []string{"squared", "logistic"} {
			s := normal(table, 90, 25, 0.9, 2, 2, -2, 1, -1, 1, 1).of(name).holdOut(5).sample(t, name)
			d := descent(s)
			list := recipes(d)
			type task struct{ recipe, size int }
			var tasks []task
			for r := range list {
				for _, size := range []int{2, 4, 5} {
					tasks = append(tasks, task{r, size})
				}
			}
			rng.Shuffle(len(tasks), func(i, j int) { tasks[i], tasks[j] = tasks[j], tasks[i] })
			shared := NewRunner(s, []int{2, 5})
			for _, k := range tasks {
				got, err := shared.Run(t.Context(), list[k.recipe], k.size)
				if err != nil {
					t.Fatal(err)
				}
				want := ran(t, s, []int{2, 5}, list[k.recipe], k.size)
				if !slices.Equal(got.Groups, want.Groups) {
					t.Errorf("seed %d, table %d, %s, %v at size %d: %v, alone %v", seed, table, name, list[k.recipe], k.size, got.Groups, want.Groups)
					continue
				}
				a, err := got.Margins(t.Context())
				if err != nil {
					t.Fatal(err)
				}
				b, err := want.Margins(t.Context())
				if err != nil {
					t.Fatal(err)
				}
				for i := range a {
					if !near(a[i], b[i], 1e-5) {
						t.Errorf("seed %d, table %d, %s, %v at size %d: margin %v, alone %v", seed, table, name, list[k.recipe], k.size, a[i], b[i])
						break
					}
				}
			}
		}
	}
}

// A fit starts from its last solution, or from that of the nearest size.
func TestBegin(t *testing.T) {
	s := normal(3, 80, 10, 0.2, 1, 1, 1).sample(t, "squared")
	r := NewRunner(s, []int{1, 6})
	recipe := annealed(descent(s), 0.01)
	fits := map[int]*Fit{}
	for _, size := range []int{2, 5} {
		f, err := r.Run(t.Context(), recipe, size)
		if err != nil {
			t.Fatal(err)
		}
		fits[size] = f
	}
	p := r.paths[recipe.Select]
	for size, from := range map[int]int{1: 2, 2: 2, 3: 2, 4: 5, 5: 5, 6: 5} {
		got := p.begin(improvedKey{size: size})
		set, near := p.set(size), fits[from]
		if got == nil || size == from && got != near.Solution || size != from && len(got.Beta[0]) != len(set) {
			t.Errorf("size %d: %+v", size, got)
			continue
		}
		for i, g := range set {
			want := 0.0
			if at, found := slices.BinarySearch(near.Groups, g); found {
				want = near.Solution.Beta[0][at]
			}
			if got.Beta[0][i] != want {
				t.Errorf("size %d starts from %v, not from size %d", size, got.Beta[0], from)
			}
		}
	}
	for near, sizes := range map[int][]int{2: {3, 4, 6}, 5: {4, 3, 1}} { // also of sizes further away
		far := *p
		far.last = map[improvedKey]*solve.Solution{{size: near}: fits[near].Solution}
		for _, size := range sizes {
			if got := far.begin(improvedKey{size: size}); got == nil || len(got.Beta[0]) != size {
				t.Errorf("size %d does not start from size %d: %+v", size, near, got)
			}
		}
	}
	if got := p.begin(improvedKey{size: 3, polish: true}); got != nil {
		t.Errorf("a polished selection starts from another one: %+v", got)
	}
	empty := &path{Sample: s, last: map[improvedKey]*solve.Solution{}, members: all(10)}
	if got := empty.begin(improvedKey{size: 3}); got != nil {
		t.Errorf("it starts from %+v", got)
	}
}

// A schedule that passes through every size does so as late as possible, and can be evaluated from any epoch on.
func TestEverySize(t *testing.T) {
	for _, mu := range []float64{1, 20, 300} {
		const epochs, groups, least, most = 60, 500, 3, 20
		base := anneal.Inverse(mu)
		s := everySize(base, least, most)
		seen := map[int]bool{}
		last := groups
		var alive []int
		for e := 1; e <= epochs; e++ {
			n := s(e, epochs, groups, least)
			want := max(base(e, epochs, groups, least), least)
			if want <= most {
				want = max(want, min(last, most+1)-1)
			}
			if n != want || n > last {
				t.Fatalf("μ %v: %d are left after epoch %d of %d", mu, n, e, last)
			}
			seen[n] = true
			last = n
			alive = append(alive, n)
		}
		for size := least; size <= most; size++ {
			if !seen[size] {
				t.Errorf("μ %v: no epoch has %d groups", mu, size)
			}
		}
		for _, e := range []int{30, 7, 60, 1} {
			if got := s(e, epochs, groups, least); got != alive[e-1] {
				t.Errorf("μ %v: epoch %d has %d groups, and %d in order", mu, e, got, alive[e-1])
			}
			if got := everySize(base, least, most)(e, epochs, groups, least); got != alive[e-1] {
				t.Errorf("μ %v: epoch %d has %d groups from there on, and %d in order", mu, e, got, alive[e-1])
			}
		}
	}
	fixed := Within(func(e, epochs, _, _ int) int { return e + 100*epochs }, 7)
	if got := fixed(3, 9, 0, 0); got != 703 {
		t.Errorf("%d", got)
	}
}

// The descent of a path takes as many epochs as its sizes require. It ends at the smallest size, unless the step size is
// given. With minibatches, it takes one epoch per size.
func TestPathEpochs(t *testing.T) {
	for name, c := range map[string]struct {
		batch, epochs, least, most int
		eta                        float64
		want                       int
	}{
		"all rows":             {120, 60, 2, 5, 0, -1},
		"long":                 {120, 500, 2, 5, 0, -1},
		"fewer than sizes":     {120, 10, 2, 50, 0, -1},
		"minibatches":          {30, 20, 2, 12, 0, -2},
		"step given":           {120, 60, 2, 5, 1e-3, 60},
		"step given, sizes":    {120, 10, 2, 50, 1e-3, 96},
		"step and minibatches": {30, 20, 2, 12, 1e-3, 30},
	} {
		s := normal(1, 120, 60, 0, 1, 2, -1, 1).sample(t, "squared")
		d := descent(s)
		d.Batch, d.Epochs, d.Eta, d.Tolerance = c.batch, c.epochs, c.eta, 0.9 // a path does not end early
		r := NewRunner(s, []int{c.least, c.most})
		f, err := r.Run(t.Context(), annealed(d, 0), c.least)
		if err != nil {
			t.Fatal(err)
		}
		p := r.paths[annealed(d, 0).Select]
		trace := p.trace.Trace
		if n := len(trace); c.want > 0 && n != c.want || n != s.Meter.Epochs {
			t.Errorf("%s: %d epochs, %d counted", name, n, s.Meter.Epochs)
		} else if c.want == -1 && (trace[n-1].Groups != c.least || trace[n-2].Groups == c.least) {
			t.Errorf("%s: it ends with %d groups after %d", name, trace[n-1].Groups, trace[n-2].Groups)
		} else if c.want == -2 && (trace[n-1].Groups != c.most || trace[n-2].Groups == c.most || len(p.sets) != c.most-c.least+1) {
			t.Errorf("%s: it ends with %d groups after %d, and there are %d sets", name, trace[n-1].Groups, trace[n-2].Groups, len(p.sets))
		}
		if !(f.Eta() > 0) || f.Status() == "" {
			t.Errorf("%s: step %v, %s", name, f.Eta(), f.Status())
		}
	}
	// A schedule that drops nothing runs to the last epoch.
	lazy := normal(1, 120, 60, 0, 1, 2, -1, 1).sample(t, "squared")
	never := descent(lazy)
	never.Schedule = func(_, _, groups, _ int) int { return groups }
	if _, err := NewRunner(lazy, []int{2, 5}).Run(t.Context(), annealed(never, 0), 2); err != nil || lazy.Meter.Epochs != never.Epochs {
		t.Errorf("%d epochs of a lazy schedule: %v", lazy.Meter.Epochs, err)
	}
	// Many sizes take two epochs each.
	s := normal(1, 120, 100, 0, 1, 2, -1, 1).sample(t, "squared")
	d := descent(s)
	d.Epochs, d.Eta = 20, 1e-3
	r := NewRunner(s, []int{1, 90})
	if _, err := r.Run(t.Context(), annealed(d, 0), 1); err != nil {
		t.Fatal(err)
	}
	if got := len(r.paths[annealed(d, 0).Select].trace.Trace); got != 178 {
		t.Errorf("%d epochs for 90 sizes", got)
	}
}

// A path of one size that the schedule reaches at once has one epoch.
func TestPathOfOneEpoch(t *testing.T) {
	s := normal(1, 120, 60, 0, 1, 2, -1, 1).sample(t, "squared")
	d := descent(s)
	d.Schedule = func(_, _, _, k int) int { return k }
	if f := ran(t, s, []int{3}, annealed(d, 0), 3); s.Meter.Epochs != 1 || len(f.Groups) != 3 {
		t.Errorf("%d epochs, %v", s.Meter.Epochs, f.Groups)
	}
}

// Fits of one selection with several ridges share its descent, polishing and swaps.
func TestOnce(t *testing.T) {
	for _, recipe := range recipes(nil)[:12] {
		s := normal(1, 90, 25, 0.5, 1, 2, -2, 1).sample(t, "squared")
		recipe.Select.Descent = descent(s)
		r := NewRunner(s, []int{2, 5})
		read := 0.0
		for i, ridge := range []float64{0.01, 0.1, 1} {
			recipe.Ridge = ridge
			if _, err := r.Run(t.Context(), recipe, 4); err != nil {
				t.Fatal(err)
			}
			if i == 0 {
				read = s.Meter.Cells
			}
		}
		if s.Meter.Cells != read {
			t.Errorf("%v: %v cells are read for three ridges, %v for one", recipe, s.Meter.Cells, read)
		}
	}
}

// A step size that is too large is an error, on every call.
func TestDiverges(t *testing.T) {
	s := normal(1, 60, 6, 0, 1, 1).sample(t, "squared")
	d := descent(s)
	d.Eta = 1e9
	r := NewRunner(s, []int{2})
	direct := annealed(d, 0)
	direct.Direct = true
	for _, recipe := range []Recipe{annealed(d, 0), annealed(d, 0), direct} {
		if f, err := r.Run(t.Context(), recipe, 2); !errors.Is(err, anneal.ErrDiverged) || f != nil {
			t.Errorf("%v: %v", recipe, err)
		}
	}
}

// The lasso has sets of every size, which contain the forced groups.
func TestLassoSets(t *testing.T) {
	for _, name := range []string{"squared", "logistic", "svm"} {
		c := normal(4, 60, 90, 0.2, 0.5, 2, -2, 2).of(name)
		c.force = []string{"x50", "x7"}
		s := c.sample(t, name)
		r := NewRunner(s, []int{0, 2, 8})
		found := 0
		for size := 2; size <= 8; size++ {
			f, err := r.Run(t.Context(), Recipe{Select: Selection{Method: Lasso, Pooling: 1}, Ridge: 0.01}, size)
			if err != nil {
				t.Fatal(err)
			}
			if len(f.Groups) != size || !slices.IsSorted(f.Groups) || !subsetOf([]int{7, 50}, f.Groups) {
				t.Errorf("%s, size %d: %v", name, size, f.Groups)
			}
			if found = 0; size == 8 {
				for g := range 3 {
					if slices.Contains(f.Groups, g) {
						found++
					}
				}
			}
			if f.Eta() != 0 {
				t.Errorf("%s: a step of %v without a descent", name, f.Eta())
			}
		}
		if found < 3 {
			t.Errorf("%s: %d of 3 variables found", name, found)
		}
		free := *c
		free.force = nil
		if f := ran(t, free.sample(t, name), []int{1}, Recipe{Select: Selection{Method: Lasso, Pooling: 1}, Ridge: 0.01}, 1); len(f.Groups) != 1 || f.Groups[0] > 2 {
			t.Errorf("%s: %v is the first", name, f.Groups)
		}
	}
}

// If only one size is fitted, only its columns are fetched.
func TestOnly(t *testing.T) {
	s := normal(1, 60, 12, 0, 0.5, 2, -1, 1).sample(t, "squared")
	recipe := annealed(descent(s), 0.01)
	r := NewRunner(s, []int{1, 3, 8})
	r.Only = 3
	f, err := r.Run(t.Context(), recipe, 3)
	if err != nil {
		t.Fatal(err)
	}
	if p := r.paths[recipe.Select]; len(f.Groups) != 3 || !slices.Equal(p.members, f.Groups) {
		t.Errorf("columns %v are fetched for %v", p.members, f.Groups)
	}
}

// A descent uses the known Lipschitz constant of all rows, which does not include a ridge.
func TestLipschitz(t *testing.T) {
	s := normal(5, 100, 8, 0.5, 1, 1).sample(t, "squared")
	l, err := NewRunner(s, nil).Lipschitz(t.Context(), Selection{})
	if err != nil {
		t.Fatal(err)
	}
	if l.Constant < 2 || l.Constant > 8 || l.Weight != 100 { // the common factor has an eigenvalue of about 1 + 7/2
		t.Errorf("%+v", l)
	}
	d := descent(s)
	want := ran(t, s, []int{3}, annealed(d, 0.1), 3)
	s.Known = map[Form]anneal.Lipschitz{{}: l}
	got := ran(t, s, []int{3}, annealed(d, 0.1), 3)
	if !slices.Equal(got.Groups, want.Groups) || !near(got.descent.Trace[0].Eta, 1/(l.Constant+0.2), 1e-9) {
		t.Errorf("%v with a first step of %v, not %v with %v", got.Groups, got.descent.Trace[0].Eta, want.Groups, 1/(l.Constant+0.2))
	}
}

// String describes recipes.
func TestStrings(t *testing.T) {
	base := annealed(&Descent{}, 0.25)
	for _, c := range []struct {
		change func(r *Recipe)
		want   string
	}{
		{func(*Recipe) {}, "annealing with λ = 0.25, fitted with ridge λ = 0.25"},
		{func(r *Recipe) { r.Select.Pooling = 0.1 }, "annealing with λ = 0.25, 0.1 of the prior on categories, fitted with ridge λ = 0.25"},
		{func(r *Recipe) { *r = Recipe{} }, "null model"},
		{func(r *Recipe) { r.Select.Loss, r.Select.Bins = "lorenz", 5 }, "annealing with λ = 0.25 by the lorenz loss of curves with 5 bins, fitted with ridge λ = 0.25"},
		{func(r *Recipe) { r.Select.Bins = 1 }, "annealing with λ = 0.25 of curves with 1 bins, fitted with ridge λ = 0.25"},
		{func(r *Recipe) { r.Select.Interactions = Interactions{Most: 1, Heredity: Weak} }, "annealing with λ = 0.25 of variables and at most 1 interactions with weak heredity, fitted with ridge λ = 0.25"},
		{func(r *Recipe) { r.Select.Interactions = Interactions{Most: math.MaxInt32, Heredity: Strong} }, "annealing with λ = 0.25 of variables and interactions with strong heredity, fitted with ridge λ = 0.25"},
		{func(r *Recipe) { r.Select.Method, r.Polish = Lasso, true }, "lasso, polished, fitted with ridge λ = 0.25"},
		{func(r *Recipe) { r.Swaps, r.Adaptive = Swaps{Ridge: 2}, true }, "annealing with λ = 0.25, swaps with λ = 2, fitted with adaptive ridge λ = 0.25"},
		{func(r *Recipe) { r.Swaps.Detours = true }, "annealing with λ = 0.25, swaps and detours with λ = 0, fitted with ridge λ = 0.25"},
		{func(r *Recipe) { r.HessianSwaps, r.Guard = true, true }, "annealing with λ = 0.25, swaps by the Hessian, fitted with ridge λ = 0.25, guarded"},
	} {
		r := base
		if c.change(&r); r.String() != c.want {
			t.Errorf("%q, not %q", r.String(), c.want)
		}
	}
}

// closable is a device that counts calls of Close.
type closable struct {
	solve.Device
	closed int
}

func (e *closable) Close() { e.closed++ }

// The columns on a device are released exactly once.
func TestClose(t *testing.T) {
	s := normal(1, 60, 6, 0, 1, 1).sample(t, "squared")
	r := NewRunner(s, []int{2})
	swapped := annealed(descent(s), 0)
	swapped.Swaps = Swaps{Ridge: 0.1, Gain: 1e-4}
	if _, err := r.Run(t.Context(), swapped, 2); err != nil { // no column of the path is fitted
		t.Fatal(err)
	}
	r.Close()
	if _, err := r.Run(t.Context(), annealed(swapped.Select.Descent, 0), 2); err != nil {
		t.Fatal(err)
	}
	r.Close()
	device := &closable{}
	r.paths[swapped.Select].shared.Device = device
	r.Close()
	if r.Close(); device.closed != 1 {
		t.Errorf("closed %d times", device.closed)
	}
}

// The columns of curves are fetched when a larger size needs them, and those of lines once.
func TestFetched(t *testing.T) {
	s := normal(3, 200, 8, 0.2, 0.5, 2, -1, 1, -1, 0.5).sample(t, "squared")
	for _, bins := range []int{0, 4} {
		r := annealed(descent(s), 0.01)
		r.Select.Bins = bins
		sizes := []int{1, 2, 3, 4, 5}
		together := NewRunner(s, sizes)
		var columns []int
		for _, size := range []int{2, 1, 5, 3} {
			f, err := together.Run(t.Context(), r, size)
			if err != nil {
				t.Fatal(err)
			}
			alone := ran(t, s, sizes, r, size)
			if !slices.Equal(f.Groups, alone.Groups) || !near(f.Solution.Objective, alone.Solution.Objective, 1e-6) {
				t.Errorf("%d bins, size %d: %v with %v, not %v with %v", bins, size, f.Groups, f.Solution.Objective, alone.Groups, alone.Solution.Objective)
			}
			columns = append(columns, len(together.paths[r.Select].shared.groups))
		}
		if want := map[int][]int{0: {5, 5, 5, 5}, 4: {2, 2, 5, 5}}[bins]; !slices.Equal(columns, want) {
			t.Errorf("%d bins: %v groups are fetched, not %v", bins, columns, want)
		}
	}
}

// The loss that selects has the offsets of the rows, too, and the fit has its own.
func TestSelectingWithOffset(t *testing.T) {
	s := normal(3, 40, 3, 0, 0.5, 1).of("logistic").sample(t, "logistic")
	if s.selecting(Selection{}) != s {
		t.Error("without another loss it is the sample")
	}
	z, target := []float64{1}, loss.Target{Y: []float64{1}, Offset: []float64{2}}
	for _, offset := range []bool{false, true} {
		if s.Target.Offset = nil; offset {
			s.Target.Offset = make([]float64, 40)
		}
		to := s.selecting(Selection{Loss: "lorenz"})
		got, _ := to.Loss.Eval(make([]float64, 1), z, target)
		want, _ := (loss.Lorenz{}).Eval(make([]float64, 1), []float64{1 + 2*map[bool]float64{true: 1}[offset]}, loss.Target{Y: target.Y})
		if got != want || s.Loss == to.Loss {
			t.Errorf("offset %v: %v, not %v", offset, got, want)
		}
	}
}
