package search

import (
	"math"
	"slices"
	"testing"

	"fsa/anneal"
	"fsa/internal/tuning"
)

// optimum returns the minimum of the objective over the coefficients of some groups with a ridge.
func optimum(t *testing.T, s *Sample, groups []int, ridge float64) float64 {
	t.Helper()
	f, err := s.Learn(t.Context(), groups, ridge, false, nil)
	if err != nil {
		t.Fatal(err)
	}
	return f.Solution.Objective
}

// hasty is a descent that drops variables too early: after two epochs, only k are left.
func hasty(s *Sample) *Descent {
	d := descent(s)
	d.Schedule, d.WarmUp = func(_, _, _, k int) int { return k }, 1
	return d
}

// Swaps never raise the objective with their ridge, detours never make the result worse, forced groups stay, and swaps
// repair a hasty selection.
func TestSwaps(t *testing.T) {
	better := 0
	for seed := range uint64(5) {
		for _, name := range []string{"squared", "logistic", "svm"} {
			c := normal(seed, 150, 30, 0.8, 0.5, 2, -2, 1, -1, 1).of(name)
			c.force = []string{"x20"}
			s := c.sample(t, name)
			recipe := annealed(hasty(s), 0.001)
			plain := ran(t, s, []int{5}, recipe, 5)
			before := optimum(t, s, plain.Groups, 0.05)
			for _, detours := range []bool{false, true} {
				recipe.Swaps = Swaps{Ridge: 0.05, Gain: 1e-4, Detours: detours}
				f := ran(t, s, []int{5}, recipe, 5)
				after := optimum(t, s, f.Groups, 0.05)
				if after > before*(1+1e-9) || len(f.Groups) != 5 || !slices.IsSorted(f.Groups) || !slices.Contains(f.Groups, 20) || f.Ridge != 0.001 {
					t.Errorf("seed %d, %s: %v with objective %v, after %v with %v", seed, name, f.Groups, after, plain.Groups, before)
				}
				if before = after; !slices.Equal(f.Groups, plain.Groups) {
					better++
				}
			}
		}
	}
	if better < 20 {
		t.Errorf("%d of 30 hasty selections were improved", better)
	}
	// Swaps are computed precisely even if folds are fitted with a low precision.
	for _, name := range []string{"logistic", "svm"} {
		rough := normal(1, 150, 30, 0.8, 0.5, 2, -2, 1, -1, 1).of(name).sample(t, name)
		groups, err := rough.swap(t.Context(), []int{5, 6, 7, 8, 9}, Swaps{Ridge: 0.05, Gain: 1e-4}, 5)
		if err != nil {
			t.Fatal(err)
		}
		rough.Tolerance = 1e9
		if got, err := rough.swap(t.Context(), []int{5, 6, 7, 8, 9}, Swaps{Ridge: 0.05, Gain: 1e-4}, 5); err != nil || !slices.Equal(got, groups) {
			t.Errorf("%s: %v, precisely %v: %v", name, got, groups, err)
		}
	}
	// If no swap reaches the required gain, nothing changes.
	s := normal(1, 150, 30, 0.8, 0.5, 2, -2, 1, -1, 1).sample(t, "squared")
	recipe := annealed(hasty(s), 0.001)
	plain := ran(t, s, []int{5}, recipe, 5)
	recipe.Swaps = Swaps{Ridge: 0.05, Gain: 10}
	if f := ran(t, s, []int{5}, recipe, 5); !slices.Equal(f.Groups, plain.Groups) {
		t.Errorf("%v, not %v", f.Groups, plain.Groups)
	}
}

// Swaps of curves, categories, groups of columns and many classes never raise the objective, keep forced groups, and
// repair a hasty selection.
func TestGroupSwaps(t *testing.T) {
	better, tried := 0, 0
	for seed := range uint64(3) {
		for _, name := range []string{"squared", "logistic", "multinomial"} {
			c := normal(seed, 150, 20, 0.8, 0.5, 2, -2, 1, -1, 1).of(name)
			c.force = []string{"x10"}
			grouped, curved := *c, *c
			grouped.groups, curved.bins = [][]string{{"x4", "x0"}, {"x12", "x15"}}, 3
			for what, s := range map[string]*Sample{"groups": grouped.sample(t, name), "curves": curved.sample(t, name)} {
				recipe := annealed(hasty(s), 0.001)
				plain := ran(t, s, []int{4}, recipe, 4)
				recipe.Swaps = Swaps{Ridge: 0.01, Gain: 1e-3}
				f := ran(t, s, []int{4}, recipe, 4)
				before, after := optimum(t, s, plain.Groups, 0.01), optimum(t, s, f.Groups, 0.01)
				if after > before*(1+1e-9) || len(f.Groups) != 4 || !slices.IsSorted(f.Groups) || !slices.Contains(f.Columns(), 10) {
					t.Errorf("seed %d, %s of %s: %v with objective %v, after %v with %v", seed, what, name, f.Groups, after, plain.Groups, before)
				}
				if tried++; after < before*(1-1e-3) {
					better++
				}
			}
		}
	}
	if better < tried/2 {
		t.Errorf("%d of %d hasty selections were improved", better, tried)
	}
}

// The table returns the requested columns in the requested order.
func TestTable(t *testing.T) {
	c := normal(1, 100, 6, 0, 1, 1)
	c.groups = [][]string{{"x0", "x1"}}
	s := c.sample(t, "squared")
	if _, err := s.table(0).Columns(t.Context(), []int{2, 0}); err == nil {
		t.Error("a group of two columns is returned as one column")
	}
	x, err := s.table(0).Columns(t.Context(), []int{3, 1})
	if err != nil {
		t.Fatal(err)
	}
	for i, v := range x[0] { // in the requested order: x4 and x2
		unit, center := s.Design.Units(4)
		if !near(v, (c.x[i*6+4]-center)/unit, 1e-5) {
			t.Fatalf("cell %d is %v", i, v)
		}
	}
	if got := s.table(0).Count(); got != 5 {
		t.Errorf("%d groups", got)
	}
	if got := s.table(0).Square(1); !near(got, s.Design.Square(2), 1e-12) {
		t.Errorf("square %v", got)
	}
}

// Polishing brings back variables that a hasty descent dropped, and never raises the loss.
func TestPolishing(t *testing.T) {
	found := 0
	for seed := range uint64(6) {
		for _, batch := range []int{200, 50} {
			c := normal(seed, 200, 60, 0.7, 0.3, 2, -2, 2, -2, 2)
			c.force = []string{"x50"}
			s := c.sample(t, "squared")
			d := hasty(s)
			d.Batch = batch
			recipe := annealed(d, 0.001)
			recipe.Direct = true
			plain := ran(t, s, []int{6}, recipe, 6)
			recipe.Polish = true
			f := ran(t, s, []int{6}, recipe, 6)
			before, after := optimum(t, s, plain.Groups, 0.001), optimum(t, s, f.Groups, 0.001)
			if after > before*(1+1e-6) || len(f.Groups) != 6 || !slices.Contains(f.Groups, 50) {
				t.Errorf("seed %d: %v with loss %v, before %v with %v", seed, f.Groups, after, plain.Groups, before)
			}
			if subsetOf(all(5), f.Groups) {
				found++
			}
			if batch == 200 && subsetOf(all(5), plain.Groups) {
				t.Errorf("seed %d: there is nothing to polish", seed)
			}
		}
	}
	if found < 9 {
		t.Errorf("polishing has repaired %d of 12 selections", found)
	}
}

// In the first round of polishing, five dropped variables compete for each selected one; then two and one.
func TestPolishRounds(t *testing.T) {
	s := normal(1, 200, 60, 0.7, 0.3, 2, -2, 2, -2, 2).sample(t, "squared")
	var first []int // number of variables after the first epoch of each descent
	last := 0
	s.Observe = func(p Progress) {
		if p.Groups > last {
			first = append(first, p.Groups)
		}
		last = p.Groups
	}
	recipe := annealed(descent(s), 0.001)
	recipe.Direct, recipe.Polish = true, true
	ran(t, s, []int{6}, recipe, 6)
	if len(first) < 4 {
		t.Fatalf("%v", first)
	}
	for i, rivals := range []int{5, 2, 1} {
		if got, want := first[i+1], 6+6*rivals; got != want {
			t.Errorf("round %d: %d variables, not %d", i, got, want)
		}
	}
}

// After a hasty descent, near copies of one column displace others. Swaps by the Hessian recognise this.
func TestHessianSwaps(t *testing.T) {
	for seed := range uint64(5) {
		c := normal(seed, 1000, 8, 0, 0.5)
		for i := range c.y {
			x := c.x[i*8 : (i+1)*8]
			x[1], x[2] = x[0]+x[1]/50, x[0]+x[2]/50
			c.y[i] += 3*x[0] + 0.5*x[3] + 0.4*x[4]
		}
		for _, name := range []string{"squared", "huber"} {
			s := c.sample(t, name)
			recipe := annealed(hasty(s), 0)
			recipe.Direct = true
			plain := ran(t, s, []int{3}, recipe, 3)
			recipe.HessianSwaps = true
			f := ran(t, s, []int{3}, recipe, 3)
			if !slices.Equal(plain.Groups, []int{0, 1, 2}) || f.Groups[0] > 2 || !slices.Equal(f.Groups[1:], []int{3, 4}) {
				t.Errorf("seed %d, %s: %v, before %v", seed, name, f.Groups, plain.Groups)
			}
			s.Force = []int{7, 2} // forced groups stay
			if f = ran(t, s, []int{3}, recipe, 3); !slices.Equal(f.Groups, []int{2, 3, 7}) {
				t.Errorf("seed %d, %s: %v with groups 2 and 7 forced", seed, name, f.Groups)
			}
		}
	}
	// If every selected variable is worth more than any other, nothing is fitted again: the table is read once, for the
	// gradients of the others.
	strong := normal(1, 300, 20, 0, 1, 2, -2, 2).sample(t, "squared")
	one := annealed(descent(strong), 0)
	one.Direct = true
	ran(t, strong, []int{3}, one, 3)
	before := strong.Meter.Passes()
	one.HessianSwaps = true
	ran(t, strong, []int{3}, one, 3)
	if more := strong.Meter.Passes() - 2*before; more > 1.5 {
		t.Errorf("%v more reads of the table", more)
	}
	// A selection of one variable is swapped, too.
	single := normal(1, 300, 5, 0, 0.5, 2).sample(t, "squared")
	d := descent(single)
	wrong, err := single.relearn(t.Context(), d, []int{4}, 0)
	if err != nil {
		t.Fatal(err)
	}
	if f, err := single.hessianSwaps(t.Context(), d, wrong); err != nil || !slices.Equal(f.Groups, []int{0}) {
		t.Errorf("%v instead of variable 4: %v", f.Groups, err)
	}
	// A gain that selection noise explains is not accepted.
	s := normal(1, 300, 20, 0, 1, 1, 1).sample(t, "squared")
	recipe := annealed(descent(s), 0)
	recipe.Direct = true
	plain := ran(t, s, []int{5}, recipe, 5)
	recipe.HessianSwaps = true
	if f := ran(t, s, []int{5}, recipe, 5); !slices.Equal(f.Groups, plain.Groups) {
		t.Errorf("%v, not %v", f.Groups, plain.Groups)
	}
}

// If much of the explained variance may be selection noise, the ridge rises; if the signal is clear, nothing changes.
func TestGuarded(t *testing.T) {
	for _, name := range []string{"squared", "logistic", "multinomial"} {
		for _, signal := range []bool{false, true} {
			effects := []float64{}
			rows := 60
			if signal {
				effects, rows = []float64{3, -3, 3}, 400
			}
			s := normal(3, rows, 100, 0, 1, effects...).of(name).sample(t, name)
			recipe := annealed(descent(s), 0.0001)
			recipe.Direct = true
			plain := ran(t, s, []int{3}, recipe, 3)
			recipe.Guard = true
			f := ran(t, s, []int{3}, recipe, 3)
			if f.Guarded == signal || (f.Ridge > 10*plain.Ridge) == signal || len(f.Groups) != 3 {
				t.Errorf("%s, signal %v: guarded %v, ridge %v after %v", name, signal, f.Guarded, f.Ridge, plain.Ridge)
			}
			if signal && !slices.Equal(f.Groups, plain.Groups) {
				t.Errorf("%s: %v, not %v", name, f.Groups, plain.Groups)
			}
			if !signal && name != "squared" && f.Ridge < tuning.FewRowsRidge/60 {
				t.Errorf("%s: ridge %v of classes", name, f.Ridge)
			}
		}
	}
}

// The selection of a guarded search is fitted with the ridge that it requires itself, if that is weaker than the ridge
// of the search.
func TestGuardedLearnsWithLess(t *testing.T) {
	const least = tuning.ClassRidgeRows / 60
	less := 0
	for seed := range uint64(8) {
		s := normal(seed, 60, 100, 0, 1, 0.8).sample(t, "squared")
		recipe := annealed(descent(s), 0.0001)
		recipe.Direct = true
		searched, err := s.ridgeFor(t.Context(), ran(t, s, []int{3}, recipe, 3))
		if err != nil {
			t.Fatal(err)
		}
		recipe.Guard = true
		f := ran(t, s, []int{3}, recipe, 3)
		bare, err := s.relearn(t.Context(), recipe.Select.Descent, slices.Clone(f.Groups), least)
		if err != nil {
			t.Fatal(err)
		}
		enough, err := s.ridgeFor(t.Context(), bare)
		if err != nil {
			t.Fatal(err)
		}
		want := searched
		if enough < searched {
			want, less = max(least, enough), less+1
		}
		if f.Guarded != (searched > 0) || f.Guarded && !near(f.Ridge, want, 1e-9) {
			t.Errorf("seed %d: fitted with ridge %v, searched with %v, but %v is enough", seed, f.Ridge, searched, enough)
		}
	}
	if less == 0 {
		t.Error("no selection requires a weaker ridge")
	}
}

// The ridge that a selection requires, by the formula: the best k of m groups explain by chance about k·c/N of the
// logarithm, where c is the smaller of log m and 1 + 1.5·log(m/k).
func TestRidgeFor(t *testing.T) {
	for k, want := range map[float64]float64{1: 4.605170, 10: 4.453878, 50: 2.039721, 100: 1} {
		if got := chanceGain(k, 100); !near(got, want, 1e-5) {
			t.Errorf("%v of 100 gain %v, not %v", k, got, want)
		}
	}
	for _, c := range []struct {
		loss string
		bins int
	}{{"squared", 0}, {"squared", 3}, {"logistic", 0}, {"multinomial", 0}} {
		of := normal(5, 80, 50, 0, 1, 0.6).of(c.loss)
		of.bins = c.bins
		s := of.sample(t, c.loss)
		recipe := annealed(descent(s), 0.001)
		recipe.Direct = true
		f := ran(t, s, []int{4}, recipe, 4)
		got, err := s.ridgeFor(t.Context(), f)
		if err != nil {
			t.Fatal(err)
		}
		// Each of four of 50 groups gains the smaller of log 50 and 1 + 1.5·log(50/4), plus 1 for each class beyond two,
		// plus ½ for each bin of every class but one. The sum is divided by 2N.
		mean, err := f.ob.MeanWithoutRidge(t.Context(), f.res.Beta)
		if err != nil {
			t.Fatal(err)
		}
		_, null := f.ob.NullModel(t.Context())
		each := math.Log(50) + map[string]float64{"multinomial": 1}[c.loss] + float64(c.bins)/2
		byChance := math.Expm1(4 * each / 80) // as e^(2·noise) − 1
		left, curvature, least := mean/null, 1/float64(c.bins+1), 0.0
		if c.loss != "squared" {
			classes := float64(s.Classes)
			left, curvature, least = math.Exp(2*(mean-null)), (classes-1)/classes/classes*mean/null, 0.5/80
		}
		share := max(1-byChance*left/(1-left), 0.1)
		if want := max(curvature*(1/share-1/0.9)/2, least); !(got > 0) || !near(got, want, 1e-6) {
			t.Errorf("%s, %d bins: ridge %v, not %v", c.loss, c.bins, got, want)
		}
		// With few rows, the share that is not noise is at least 1 − GuardCertain.
		s.Effective = 8
		most, err := s.ridgeFor(t.Context(), f)
		if err != nil {
			t.Fatal(err)
		}
		if want := max(curvature*(10-1/0.9)/2, 10*least); !near(most, want, 1e-6) {
			t.Errorf("%s, %d bins: ridge %v of few rows, not %v", c.loss, c.bins, most, want)
		}
		s.Effective = 80
		// More rows with the same mean loss require a weaker ridge.
		s.Effective *= 4
		less, err := s.ridgeFor(t.Context(), f)
		if err != nil {
			t.Fatal(err)
		}
		if !(less < got) {
			t.Errorf("%s: ridge %v of four times the rows, and %v", c.loss, less, got)
		}
		if s.Effective *= 1000; true {
			if none, _ := s.ridgeFor(t.Context(), f); none != 0 {
				t.Errorf("%s: ridge %v of very many rows", c.loss, none)
			}
		}
		clear(f.res.Beta) // explains nothing
		free, _ := f.ob.NullModel(t.Context())
		copy(f.res.Beta[len(f.res.Beta)-len(free):], free)
		s.Effective = 80
		if none, _ := s.ridgeFor(t.Context(), f); none != 0 && c.loss != "multinomial" { // its null loss is approximate
			t.Errorf("%s: ridge %v of the null model", c.loss, none)
		}
	}
}

// If the guarded search diverges, the first selection stays.
func TestGuardDiverges(t *testing.T) {
	s := normal(3, 60, 100, 0, 1).sample(t, "squared")
	d := descent(s)
	d.Eta, d.Momentum = 0.45, anneal.None // converges without a ridge, and not with one
	recipe := annealed(d, 0)
	recipe.Direct = true
	plain, err := NewRunner(s, []int{3}).Run(t.Context(), recipe, 3)
	if err != nil {
		t.Fatal(err)
	}
	recipe.Guard = true
	f, err := NewRunner(s, []int{3}).Run(t.Context(), recipe, 3)
	if err != nil {
		t.Fatal(err)
	}
	if !f.Guarded && !slices.Equal(f.Groups, plain.Groups) {
		t.Errorf("%v, not %v", f.Groups, plain.Groups)
	}
}
