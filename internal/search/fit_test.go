package search

import (
	"context"
	"math"
	"slices"
	"testing"

	"fsa/anneal"
	"fsa/loss"
)

// byRow reorders margins from output after output to row after row.
func byRow(z []float64, outputs int) []float64 {
	rows := len(z) / outputs
	to := make([]float64, len(z))
	for i := range rows {
		for c := range outputs {
			to[i*outputs+c] = z[c*rows+i]
		}
	}
	return to
}

// tables returns samples of all kinds: several outputs, groups of columns, curves, categories.
func tables(t *testing.T) map[string]*Sample {
	list := map[string]*Sample{}
	for _, name := range lossNames {
		c := normal(1, 120, 6, 0.2, 1, 2, -1, 1).of(name)
		list[name] = c.sample(t, name)
		grouped, curved, mixed := *c, *c, *c
		grouped.groups = [][]string{{"x4", "x0"}, {"x1", "x5", "x2"}}
		list[name+" in groups"] = grouped.sample(t, name)
		curved.bins = 3
		list[name+" in bins"] = curved.sample(t, name)
		mixed.texts, mixed.x = 1, slices.Clone(c.x)
		for i := range c.y {
			mixed.x[i*6] = float64(i % 5)
		}
		list[name+" of texts"] = mixed.sample(t, name)
	}
	return list
}

// Coefficients, decision values and margins of a fit agree, and a direct recipe reaches the optimum of the solver.
func TestFit(t *testing.T) {
	for name, s := range tables(t) {
		d := descent(s)
		d.Epochs = 200
		recipe := annealed(d, 0.02)
		solved := ran(t, s, []int{2}, recipe, 2)
		recipe.Direct = true
		direct := ran(t, s, []int{2}, recipe, 2)
		if solved.Solution == nil || direct.Solution != nil || len(direct.Groups) != 2 {
			t.Fatalf("%s: %v", name, direct.Groups)
		}
		outputs := s.Loss.Outputs()
		for what, f := range map[string]*Fit{"solved": solved, "direct": direct} {
			z, err := f.Decisions(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			margins, err := f.Margins(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			for i, want := range byRow(margins, outputs) {
				if !near(z[i], want, 1e-5) {
					t.Errorf("%s, %s: decision %d is %v, the margin %v", name, what, i, z[i], want)
					break
				}
			}
			// The mean loss is that of the margins, without penalties.
			target, weight, coefficients := s.lossTarget(), 0.0, 0
			for i := range s.Rows() {
				weight += target.WeightOf(i)
			}
			for _, v := range f.Variables() {
				coefficients += len(v.Values)
			}
			sum, _ := s.Loss.Eval(make([]float64, len(margins)), margins, target)
			if mean, n, err := f.MeanLoss(t.Context()); err != nil || !near(mean, sum/weight, 1e-6) || n != coefficients {
				t.Errorf("%s, %s: mean loss %v of %d coefficients, not %v of %d: %v", name, what, mean, n, sum/weight, coefficients, err)
			}
			// z = b + Σ x β, by the columns of the objective.
			x, _, err := s.objective(f.Groups, len(f.Groups), 0, s.Rows()).Columns(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			for row := 0; row < s.Rows(); row += 17 {
				for c := range outputs {
					sum, at := f.Intercept()[c], 0
					for _, v := range f.Variables() {
						n := len(v.Values) / outputs
						for i, beta := range v.Values[c*n : (c+1)*n] {
							sum += beta * x[at+i][row]
						}
						at += n
					}
					if !near(sum, z[row*outputs+c], 1e-4) {
						t.Fatalf("%s, %s: the coefficients give %v in row %d, output %d, not %v", name, what, sum, row, c, z[row*outputs+c])
					}
				}
			}
		}
		if !slices.Equal(direct.Groups, solved.Groups) || s.Kind.Task == loss.Classification && name[:3] == "lor" || s.Design.Bins > 0 {
			continue // lorenz has several optima, and the solver penalises curves in another basis
		}
		a, _ := solved.Margins(t.Context())
		b, _ := direct.Margins(t.Context())
		for i := range a {
			if !near(a[i], b[i], 1e-3) {
				t.Errorf("%s: margin %d of the descent is %v, of the solver %v", name, i, b[i], a[i])
				break
			}
		}
	}
}

// pack and unpack reorder coefficients without changing them.
func TestPack(t *testing.T) {
	for name, s := range tables(t) {
		f, err := s.Learn(t.Context(), []int{0, 1}, 0.1, false, nil)
		if err != nil {
			t.Fatal(err)
		}
		l := f.objective().Layout()
		back := f.problem.unpack(l, f.problem.pack(l, f.Solution, f.problem.bases))
		for c, beta := range f.Solution.Beta {
			for i, v := range beta {
				if !near(back.Beta[c][i], v, 1e-12) {
					back.Intercept = nil
				}
			}
		}
		if !slices.Equal(back.Intercept, f.Solution.Intercept) {
			t.Errorf("%s: %v %v, not %v %v", name, back.Beta, back.Intercept, f.Solution.Beta, f.Solution.Intercept)
		}
		again, err := s.Learn(t.Context(), []int{0, 1}, 0.1, false, f)
		if err != nil {
			t.Fatal(err)
		}
		if !near(again.Solution.Objective, f.Solution.Objective, 1e-9) || again.loss != again.Solution.Objective || again.descent != f.result() {
			t.Errorf("%s: %v from %v", name, again.Solution.Objective, f.Solution.Objective)
		}
	}
}

// A fit has the trace of its descent, or one empty epoch if there is no trace.
func TestTrace(t *testing.T) {
	s := normal(1, 60, 6, 0, 0.5, 2, -1).sample(t, "squared")
	f := ran(t, s, []int{2}, annealed(descent(s), 0.01), 2)
	if got := f.result().Trace; len(got) != len(f.descent.Trace) || len(got) < 10 {
		t.Errorf("%d epochs of %d", len(got), len(f.descent.Trace))
	}
	f.res, f.descent = nil, &anneal.Result{}
	if got := f.result().Trace; len(got) != 1 {
		t.Errorf("%d epochs of none", len(got))
	}
}

// Values of held-out rows far outside the range of the training rows are clamped.
func TestClamp(t *testing.T) {
	c := normal(1, 40, 1, 0, 0.1, 1)
	low, high := math.Inf(1), math.Inf(-1)
	for _, v := range c.x[3:] {
		low, high = min(low, v), max(high, v)
	}
	c.x[0], c.x[1], c.x[2] = 50, -50, (low+high)/2
	c.w = slices.Repeat([]float64{1}, 40)
	c.w[0], c.w[1], c.w[2] = 0, 0, 0
	near1 := *c
	near1.x = slices.Clone(c.x)
	near1.x[0], near1.x[1] = high+0.1*(high-low), low-0.1*(high-low)
	margins := func(c *cells) []float64 {
		s := c.sample(t, "squared")
		z, err := ran(t, s, []int{1}, annealed(descent(s), 0), 1).Margins(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return z
	}
	got, want := margins(c), margins(&near1)
	for i := range got {
		if !near(got[i], want[i], 1e-5) {
			t.Errorf("row %d has margin %v, not %v", i, got[i], want[i])
		}
	}
	if got[0]-got[2] < 1 || got[2]-got[1] < 1 {
		t.Errorf("margins %v", got[:3])
	}
	c.w, c.y[0], c.y[1] = nil, 50, -50 // all rows are training rows
	if z := margins(c); z[0] < 40 || z[1] > -40 {
		t.Errorf("margins %v", z[:2])
	}
}

// Groups that are not selected are sorted by the norm of their gradient, which is |xᵀr|/N for the squared loss.
func TestOutside(t *testing.T) {
	c := normal(2, 80, 6, 0.3, 1, 1, -1, 0.5)
	s := c.sample(t, "squared")
	f, err := s.Learn(t.Context(), []int{1, 4}, 0.3, false, nil)
	if err != nil {
		t.Fatal(err)
	}
	order, slope, mean, err := s.outside(t.Context(), f)
	if err != nil {
		t.Fatal(err)
	}
	if !near(mean, f.Solution.Objective, 1e-6) || len(order) != 4 || len(slope) != 6 {
		t.Errorf("loss %v, not %v; %v", mean, f.Solution.Objective, order)
	}
	x, _, err := s.objective(all(6), 6, 0, 80).Columns(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for g, column := range x {
		want := 0.0
		for i, v := range column {
			want += v * (f.Solution.Z[i] - c.y[i]) / 80
		}
		if g == 1 || g == 4 {
			want = 0
		}
		if !near(slope[g], math.Abs(want), 1e-5) {
			t.Errorf("slope of group %d is %v, not %v", g, slope[g], want)
		}
	}
	if !slices.IsSortedFunc(order, func(a, b int) int { return -int(math.Copysign(1, slope[a]-slope[b])) }) || slices.Contains(order, 1) || slices.Contains(order, 4) {
		t.Errorf("%v by %v", order, slope)
	}
	// Ties are broken by index.
	twins := normal(2, 80, 4, 0, 1, 1)
	for i := range twins.y {
		twins.x[i*4+1], twins.x[i*4+2] = twins.x[i*4+3], twins.x[i*4+3]
	}
	s = twins.sample(t, "squared")
	if f, err = s.Learn(t.Context(), []int{0}, 0, false, nil); err != nil {
		t.Fatal(err)
	}
	if order, _, _, err = s.outside(t.Context(), f); err != nil || !slices.Equal(order, []int{1, 2, 3}) {
		t.Errorf("%v %v", order, err)
	}
}

// For the squared loss, the worth of a group is the rise of the objective without it.
func TestWorth(t *testing.T) {
	for _, name := range []string{"squared", "squared in groups"} {
		s := tables(t)[name]
		s.Force = []int{1}
		for _, ridge := range []float64{0, 0.2} {
			recipe := annealed(descent(s), ridge)
			recipe.Direct = true
			f := ran(t, s, []int{3}, recipe, 3)
			mean, err := f.ob.Mean(t.Context(), f.res.Beta)
			if err != nil {
				t.Fatal(err)
			}
			f.loss = mean
			for _, known := range []bool{true, false} {
				if !known {
					f.hessian = nil
				}
				chosen, worth, curvature, err := s.byWorth(t.Context(), f)
				if err != nil {
					t.Fatal(err)
				}
				if len(chosen) != 3 || chosen[2] != 1 || !math.IsInf(worth[2], 1) || worth[0] > worth[1] || !near(curvature, 1+2*ridge*float64(len(f.res.Beta)-1)/float64(len(f.res.Beta)), 0.05) {
					t.Errorf("%s: %v by %v, curvature %v", name, chosen, worth, curvature)
				}
				for i, g := range chosen[:2] {
					rest := slices.DeleteFunc(slices.Clone(f.Groups), func(other int) bool { return other == g })
					without, err := s.Learn(t.Context(), rest, ridge, false, nil)
					if err != nil {
						t.Fatal(err)
					}
					if want := without.Solution.Objective - mean; !near(worth[i], want, 1e-4) {
						t.Errorf("%s, ridge %v: group %d is worth %v, not %v", name, ridge, g, worth[i], want)
					}
				}
			}
		}
	}
	// For other losses, it is at most the rise if the other coefficients stay unchanged.
	s := normal(1, 200, 4, 0, 1, 8, -1, 1).of("logistic").sample(t, "logistic")
	recipe := annealed(descent(s), 0.001)
	recipe.Direct = true
	f := ran(t, s, []int{3}, recipe, 3)
	f.loss, _ = f.ob.Mean(t.Context(), f.res.Beta)
	chosen, worth, _, err := s.byWorth(t.Context(), f)
	if err != nil {
		t.Fatal(err)
	}
	for i, g := range chosen {
		without := slices.Clone(f.res.Beta)
		without[slices.Index(f.Groups, g)] = 0
		most, err := f.ob.Mean(t.Context(), without)
		if err != nil {
			t.Fatal(err)
		}
		if worth[i] > most-f.loss+1e-9 || worth[i] <= 0 {
			t.Errorf("group %d is worth %v, more than %v", g, worth[i], most-f.loss)
		}
	}
}

// The settings of a descent follow the sample and the round.
func TestSettings(t *testing.T) {
	for _, c := range []struct{ rows, warmUp, factor int }{{8, 0, 20}, {7, 0, 0}, {8, 3, 0}} {
		of := normal(1, c.rows, 8, 0, 1, 1)
		of.force = []string{"x5", "x2"}
		s := of.sample(t, "squared")
		r := descent(s).round(0.1, 3)
		r.warmUp = c.warmUp
		to := s.settings(t.Context(), s.objective(nil, 3, 0.1, s.Rows()), &r)
		if to.K != 3 || to.FactorWarmUp != c.factor || to.WarmUp != c.warmUp || to.Iterations != 60 || to.Momentum != 0.9 || !slices.Equal(to.Force, []int{5, 2}) || to.NullLoss == 0 || to.Weight(1) != 1 {
			t.Errorf("%d rows: %+v", c.rows, to)
		}
		r.among = []int{1, 5, 6}
		if to = s.settings(t.Context(), s.objective(r.among, 3, 0.1, s.Rows()), &r); !slices.Equal(to.Force, []int{1}) {
			t.Errorf("forced %v", to.Force)
		}
		r.keep = 9
		if to = s.settings(t.Context(), s.objective(r.among, 9, 0.1, s.Rows()), &r); to.K != 3 {
			t.Errorf("keeps %d of 3", to.K)
		}
	}
}

// Refining reaches the optimum even if the bound on the Hessian is much too large, as for well separated classes.
func TestRefine(t *testing.T) {
	for _, name := range []string{"squared", "logistic", "multinomial", "huber"} {
		for _, noise := range []float64{3, 0.5, 0.2} {
			s := normal(6, 300, 5, 0.9, noise, 2, -1, 1).of(name).sample(t, name)
			recipe := annealed(descent(s), 0.001)
			recipe.Direct = true
			f := ran(t, s, []int{3}, recipe, 3)
			got, err := f.ob.Mean(t.Context(), f.res.Beta)
			if err != nil {
				t.Fatal(err)
			}
			want := optimum(t, s, f.Groups, 0.001)
			if got > want*(1+1e-7) || f.hessian == nil {
				t.Errorf("%s, noise %v: objective %v, at the optimum %v", name, noise, got, want)
			}
		}
	}
	// With few rows per coefficient and no ridge, the coefficients are not refined.
	s := normal(6, 29, 5, 0, 1, 2, -1, 1).sample(t, "squared")
	recipe := annealed(descent(s), 0)
	recipe.Direct = true
	if f := ran(t, s, []int{2}, recipe, 2); f.hessian != nil {
		t.Error("it was refined")
	}
}

// Margins returns the decision values of all rows, output after output.
func (f *Fit) Margins(ctx context.Context) ([]float64, error) {
	return f.MarginsOf(ctx, all(f.sample.Rows()))
}
