package fsa_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"fsa"
	"fsa/data"
	"fsa/loss"
	"fsa/model"
)

func at(v float64) *float64 { return &v }

// bent returns a table with curved, linear and missing effects of columns in different units, and a target for a loss.
func bent(t testing.TB, rows, cols int, seed uint64, loss string) *data.Dataset {
	t.Helper()
	rng := rand.New(rand.NewPCG(seed, 11))
	effect := make([]float64, cols)
	for j := range effect {
		effect[j] = rng.NormFloat64()
	}
	var names []string
	for j := range cols {
		names = append(names, fmt.Sprint("x", j))
	}
	var x, y []float64
	for range rows {
		common, s := rng.NormFloat64(), 0.0
		for j := range cols {
			v := rng.NormFloat64() + 0.5*common
			if s += effect[j] * v; j%3 == 1 {
				s += effect[j] * v * v
			}
			if v = 50*float64(j*j) + v*math.Pow(10, float64(j%4)-1); j == 2 && rng.IntN(8) == 0 {
				v, s = math.NaN(), s+3
			}
			x = append(x, v)
		}
		switch s += rng.NormFloat64(); loss {
		case "logistic", "svm":
			s = math.Copysign(1, s)
		case "poisson":
			s = math.Floor(math.Exp(min(s/2, 4)))
		}
		y = append(y, s)
	}
	d, err := data.FromRows(names, cols, x, y)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// checkKept fails if an effect of a model violates a constraint. Signs, bounds and slopes must hold to the last bit.
func checkKept(t *testing.T, m *model.Model, list []fsa.Constraint) {
	t.Helper()
	for i, v := range m.Selected() {
		for _, c := range list {
			if c.Column != v.Name && c.Column != model.AllColumns {
				continue
			}
			lower, upper := c.Range()
			if v.Knots == nil {
				if b := v.Coefficients[0]; b < lower || b > upper {
					t.Errorf("%s: the coefficient is %v", c, b)
				}
				continue
			}
			f := m.Response(i, 0, v.Knots)
			size := slices.Max(f) - slices.Min(f)
			sign := map[string]float64{model.Increasing: 1, model.Decreasing: -1, model.Convex: 1, model.Concave: -1}[c.Kind]
			for k := 1; k < len(f); k++ {
				if (c.Kind == model.Increasing || c.Kind == model.Decreasing) && sign*(f[k]-f[k-1]) < 0 {
					t.Errorf("%s: %s has %v at the knots", c, v.Name, f)
				}
				if (c.Kind == model.Convex || c.Kind == model.Concave) && k < len(f)-1 {
					left, right := v.Knots[k]-v.Knots[k-1], v.Knots[k+1]-v.Knots[k]
					if sign*((f[k+1]-f[k])*left-(f[k]-f[k-1])*right)/(left+right) < -1e-9*size {
						t.Errorf("%s: %s has %v at the knots %v", c, v.Name, f, v.Knots)
					}
				}
			}
		}
	}
}

// TestConstraintsKept fits random tables with random constraints.
func TestConstraintsKept(t *testing.T) {
	losses, kinds := []string{"squared", "logistic", "poisson", "svm", "absolute"}, model.ConstraintKinds()
	for seed := range uint64(200) {
		rng := rand.New(rand.NewPCG(seed, 5))
		o := fsa.Options{K: 3, Quick: seed%20 != 0, Loss: losses[rng.IntN(len(losses))], Bins: fsa.None, Run: fsa.Run{Threads: 1}, Descent: fsa.Descent{Iterations: 40}}
		if curved := rng.IntN(2) == 0; curved {
			o.Bins = 2 + rng.IntN(5)
		}
		sign := map[string]int{}
		for range 4 {
			c := fsa.Constraint{Column: fmt.Sprint("x", rng.IntN(6)), Kind: kinds[rng.IntN(len(kinds))]}
			if c.Kind == model.Bounds {
				c.Lower, c.Upper = at(-rng.Float64()), at(rng.Float64())
			}
			if _, twice := sign[c.Column]; twice || o.Bins > 0 && c.Coefficient() {
				continue
			}
			sign[c.Column] = 1
			o.Objective.Constraints = append(o.Objective.Constraints, c)
		}
		if seed%5 == 0 && o.Bins > 0 {
			o.Objective.Constraints = []fsa.Constraint{{Column: "all", Kind: model.Increasing}, {Column: "x1", Kind: model.Convex}}
		}
		j, err := fsa.Prepare(t.Context(), bent(t, 70, 6, seed, o.Loss), o)
		if err != nil {
			t.Fatal(err)
		}
		m, err := j.Run(t.Context())
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			checkKept(t, m, o.Objective.Constraints)
			if e := j.Evidence(); e != nil && e.Folds != nil {
				for _, of := range e.Folds.Models() {
					checkKept(t, of, o.Objective.Constraints)
				}
			}
		})
	}
}

// TestConstraintsRecorded checks that signs against the data make some coefficients exactly 0, at the cost of a larger
// training error, and that the model records them.
func TestConstraintsRecorded(t *testing.T) {
	d := bent(t, 300, 5, 1, "squared")
	free, err := fsa.Fit(t.Context(), d, fsa.Options{K: 5, Bins: fsa.None, Quick: true, Objective: fsa.Objective{Ridge: fsa.None}})
	if err != nil {
		t.Fatal(err)
	}
	var list []fsa.Constraint
	for _, v := range free.Selected() {
		kind := model.Nonnegative
		if v.Coefficients[0] > 0 && v.Index%2 == 0 {
			kind = model.Nonpositive
		}
		list = append(list, fsa.Constraint{Column: v.Name, Kind: kind})
	}
	m, err := fsa.Fit(t.Context(), d, fsa.Options{K: 5, Bins: fsa.None, Quick: true, Objective: fsa.Objective{Ridge: fsa.None, Constraints: list}})
	if err != nil {
		t.Fatal(err)
	}
	checkKept(t, m, list)
	zeros := 0
	for _, v := range m.Selected() {
		if v.Coefficients[0] == 0 {
			zeros++
		}
	}
	if r := m.Training().Metrics["rmse"]; zeros == 0 || zeros == 5 || !(r > free.Training().Metrics["rmse"]) {
		t.Errorf("%d coefficients are zero, RMSE %v", zeros, r)
	}
	if got := m.Training().Constraints; !reflect.DeepEqual(got, list) {
		t.Errorf("the model records %v", got)
	}
}

// TestConstraintsRefused checks the messages about constraints that cannot be kept.
func TestConstraintsRefused(t *testing.T) {
	d := bent(t, 60, 4, 1, "squared")
	one := func(c ...fsa.Constraint) fsa.Options {
		return fsa.Options{K: 2, Objective: fsa.Objective{Constraints: c}}
	}
	with := func(o fsa.Options, change func(*fsa.Options)) fsa.Options {
		change(&o)
		return o
	}
	up := fsa.Constraint{Column: "x1", Kind: model.Increasing}
	bounds := fsa.Constraint{Column: "x1", Kind: model.Bounds, Lower: at(-1), Upper: at(1)}
	for _, c := range []struct {
		options fsa.Options
		says    string
	}{
		{one(fsa.Constraint{Column: "x1", Kind: "round"}), `the constraint of "x1" is "round": it must be nonnegative`},
		{one(fsa.Constraint{Column: "x9", Kind: model.Convex}), `there is no variable "x9"`},
		{one(fsa.Constraint{Column: "x1", Kind: model.Bounds}), `the bounds of "x1" are missing`},
		{one(fsa.Constraint{Column: "x1", Kind: model.Bounds, Lower: at(2), Upper: at(1)}), "not above the upper one"},
		{one(fsa.Constraint{Column: "x1", Kind: model.Bounds, Lower: at(math.NaN())}), "must be a number"},
		{one(fsa.Constraint{Column: "x1", Kind: model.Convex, Lower: at(1)}), "only the kind bounds"},
		{one(up, fsa.Constraint{Column: "x1", Kind: model.Decreasing}), "no effect satisfies this"},
		{one(fsa.Constraint{Column: "all", Kind: model.Nonpositive}, fsa.Constraint{Column: "x1", Kind: model.Bounds, Lower: at(1)}), "no effect satisfies this"},
		{one(fsa.Constraint{Column: "x1", Kind: model.Bounds, Lower: at(1)}), "force the variable"},
		{with(one(bounds), func(o *fsa.Options) { o.Bins = 4 }), "straight line"},
		{with(one(up), func(o *fsa.Options) { o.Bins, o.Objective.CurvePriors = 4, map[string]float64{"smooth": 1} }), "priors on curves"},
		{with(one(up), func(o *fsa.Options) { o.Run.Device = "cuda" }), "use the CPU"},
		{with(one(up), func(o *fsa.Options) { o.Loss, o.Objective.Quantiles = "quantile", []float64{0.1, 0.9} }), "one quantile"},
		{with(one(bounds), func(o *fsa.Options) { o.Validation.Calibrate = true }), "out of their bounds"},
	} {
		_, err := fsa.Fit(t.Context(), d, c.options)
		if !errors.Is(err, fsa.ErrOptions) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%v, want %q", err, c.says)
		}
	}
	forced := one(fsa.Constraint{Column: "x1", Kind: model.Bounds, Lower: at(1), Upper: at(2)})
	forced.Selection.Force = []string{"x1"}
	m, err := fsa.Fit(t.Context(), d, forced)
	if err != nil {
		t.Fatal(err)
	}
	checkKept(t, m, forced.Objective.Constraints)
	if len(m.Selected()) != 2 {
		t.Error(m.Selected())
	}
}

// TestConstraintsOfAllLosses gives a column the wrong sign. Its coefficient becomes 0, and the others adapt to that, as a
// clipped fit would not.
func TestConstraintsOfAllLosses(t *testing.T) {
	const rows, cols = 150, 4
	for _, name := range model.LossNames() {
		if kind, _ := loss.Named(name); kind.Several || name == "multinomial" || name == "auto" {
			continue
		}
		t.Run(name, func(t *testing.T) {
			rng := rand.New(rand.NewPCG(3, 1))
			roles := data.Roles{TargetVector: &data.Vector{}}
			var x, query, event []float64
			for i := range rows {
				common, s := rng.NormFloat64(), 0.0
				for j := range cols {
					v := common + rng.NormFloat64()
					s += float64(2-j) * v / 2
					x = append(x, 10*v)
				}
				y := s + rng.NormFloat64()
				switch kind, _ := loss.Named(name); {
				case kind.Ordered:
					y = min(max(math.Round(y/2), -1), 1)
				case kind.Task == loss.Classification && name != "binomial":
					y = math.Copysign(1, y)
				case kind.Task == loss.Survival:
					y = math.Exp(-y / 3) // a high risk
				case kind.Link == loss.Exp && name == "gamma":
					y = math.Exp(min(y/2, 4))
				case kind.Link == loss.Exp:
					y = math.Floor(math.Exp(min(y/2, 4)))
				case name == "binomial":
					y = 1 / (1 + math.Exp(-y))
				}
				roles.TargetVector.Values = append(roles.TargetVector.Values, y)
				switch kind, _ := loss.Named(name); kind.Task {
				case loss.Ranking:
					query = append(query, float64(i/10))
				case loss.Survival:
					event = append(event, float64(i%2))
				}
			}
			if query != nil {
				roles.QueryVector = &data.Vector{Values: query}
			}
			if event != nil {
				roles.EventVector = &data.Vector{Values: event}
			}
			b := data.NewBuilder("cells", &data.Schema{Names: []string{"a", "b", "c", "d"}, Width: cols}, roles)
			if err := b.Add(&data.Block{Rows: rows, Dense: x}); err != nil {
				t.Fatal(err)
			}
			d, err := b.Dataset(background)
			if err != nil {
				t.Fatal(err)
			}
			fit := func(list ...fsa.Constraint) map[string]float64 {
				m, err := fsa.Fit(t.Context(), d, fsa.Options{K: cols, Bins: fsa.None, Quick: true, Loss: name, Objective: fsa.Objective{Constraints: list}})
				if err != nil {
					t.Fatal(err)
				}
				of := map[string]float64{}
				for _, v := range m.Selected() {
					of[v.Name] = v.Coefficients[0]
				}
				return of
			}
			free, bound := fit(), fit(fsa.Constraint{Column: "a", Kind: model.Nonpositive})
			if !(free["a"] > 0) || bound["a"] != 0 || !(math.Abs(bound["b"]-free["b"]) > 0.01*math.Abs(free["b"])) {
				t.Errorf("free %v, constrained %v", free, bound)
			}
		})
	}
}

// TestConstraintsOfClasses checks that models of several outputs are refused.
func TestConstraintsOfClasses(t *testing.T) {
	x, y := []float64{}, []float64{}
	for i := range 60 {
		x, y = append(x, float64(i%7), float64(i%5)), append(y, float64(i%3))
	}
	d, err := data.FromRows([]string{"a", "b"}, 2, x, y)
	if err != nil {
		t.Fatal(err)
	}
	_, err = fsa.Fit(t.Context(), d, fsa.Options{K: 1, Loss: "multinomial", Objective: fsa.Objective{Constraints: []fsa.Constraint{{Column: "a", Kind: model.Increasing}}}})
	if !errors.Is(err, fsa.ErrOptions) || !strings.Contains(err.Error(), "one output") {
		t.Error(err)
	}
}
