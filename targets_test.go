package fsa_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"fsa"
	"fsa/data"
	"fsa/model"
)

// targetsTable returns rows of normal variables x0, x1 and so on, and targets a, b and c of the first three of them, each
// in its own unit. Labels are the signs of the targets.
func targetsTable(rows, cols int, labels bool, seed uint64) (x []float64, each []*data.Vector) {
	rng := rand.New(rand.NewPCG(seed, 0))
	x = make([]float64, rows*cols)
	for i := range x {
		x[i] = rng.NormFloat64()
	}
	effects := [][]float64{{1, -1, 0.5}, {0.5, 1, 1}, {-1, 0.5, 1}}
	for c, b := range effects {
		v := &data.Vector{Name: string(rune('a' + c))}
		for i := range rows {
			y := rng.NormFloat64()
			for j, b := range b {
				y += b * x[i*cols+j]
			}
			if y = math.Pow(100, float64(c))*y + 3; labels {
				v.Categories = []string{"no", "yes"}
				y = map[bool]float64{true: 1}[y > 3]
			}
			v.Values = append(v.Values, y)
		}
		each = append(each, v)
	}
	return x, each
}

func targetsData(t *testing.T, cols int, x []float64, each ...*data.Vector) *data.Dataset {
	t.Helper()
	b := data.NewBuilder("rows", &data.Schema{Width: cols}, data.Roles{TargetVectors: each})
	if err := b.Add(&data.Block{Rows: len(x) / cols, Dense: x}); err != nil {
		t.Fatal(err)
	}
	d, err := b.Dataset(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func targetsFit(t *testing.T, d *data.Dataset, o fsa.Options) *model.Model {
	t.Helper()
	m, err := fsa.Fit(t.Context(), d, o)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// agrees reports whether two numbers agree to a relative error.
func agrees(a, b, error float64) bool { return math.Abs(a-b) <= error*max(1, math.Abs(b)) }

// TestTargetsApart checks that without a ridge and a selection, several numbers have the least squares of each.
func TestTargetsApart(t *testing.T) {
	const rows, cols = 200, 4
	x, each := targetsTable(rows, cols, false, 1)
	m := targetsFit(t, targetsData(t, cols, x, each...), fsa.Options{K: cols, Bins: fsa.None, Quick: true, Objective: fsa.Objective{Ridge: fsa.None}})
	if m.Task() != model.Regression || m.Loss() != "multitarget" || m.Outputs() != 3 {
		t.Fatalf("a %s with the %s loss and %d outputs", m.Task(), m.Loss(), m.Outputs())
	}
	a := mat.NewDense(rows, cols+1, nil)
	for i := range rows {
		a.Set(i, 0, 1)
		for j := range cols {
			a.Set(i, j+1, x[i*cols+j])
		}
	}
	for c, y := range each {
		var want mat.VecDense
		if err := want.SolveVec(a, mat.NewVecDense(rows, y.Values)); err != nil {
			t.Fatal(err)
		}
		scale := math.Pow(100, float64(c))
		if !agrees(m.Intercept()[c]/scale, want.AtVec(0)/scale, 1e-5) {
			t.Errorf("%s: intercept %v, want %v", y.Name, m.Intercept()[c], want.AtVec(0))
		}
		for _, v := range m.Selected() {
			if got, want := v.Coefficients[c], want.AtVec(v.Index+1); !agrees(got/scale, want/scale, 1e-5) {
				t.Errorf("%s of %s: %v, want %v", v.Name, y.Name, got, want)
			}
		}
	}
}

// TestLabelsApart checks that without a selection, several labels have the logistic fits of each.
func TestLabelsApart(t *testing.T) {
	const rows, cols = 300, 4
	x, each := targetsTable(rows, cols, true, 2)
	o := fsa.Options{K: cols, Bins: fsa.None, Quick: true, Objective: fsa.Objective{Ridge: 1e-3}}
	m := targetsFit(t, targetsData(t, cols, x, each...), o)
	if m.Task() != model.Multilabel || m.Loss() != "multilabel" || len(m.Targets()) != 3 || !slices.Equal(m.Targets()[0].Classes, []string{"no", "yes"}) {
		t.Fatalf("a %s with the %s loss and targets %v", m.Task(), m.Loss(), m.Targets())
	}
	for c, y := range each {
		b := data.NewBuilder("rows", &data.Schema{Width: cols}, data.Roles{TargetVector: y})
		if err := b.Add(&data.Block{Rows: rows, Dense: x}); err != nil {
			t.Fatal(err)
		}
		d, err := b.Dataset(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		one := targetsFit(t, d, o)
		if !agrees(m.Intercept()[c], one.Intercept()[0], 1e-5) {
			t.Errorf("%s: intercept %v, alone %v", y.Name, m.Intercept()[c], one.Intercept()[0])
		}
		for _, v := range m.Selected() {
			for _, w := range one.Selected() {
				if w.Index == v.Index && !agrees(v.Coefficients[c], w.Coefficients[0], 1e-5) {
					t.Errorf("%s of %s: %v, alone %v", v.Name, y.Name, v.Coefficients[c], w.Coefficients[0])
				}
			}
		}
	}
}

// TestTargetsMissing checks that a cell missing in one target takes away its term alone: the others have the least squares
// of all rows.
func TestTargetsMissing(t *testing.T) {
	const rows, cols = 150, 3
	x, each := targetsTable(rows, cols, false, 3)
	o := fsa.Options{K: cols, Bins: fsa.None, Quick: true, Objective: fsa.Objective{Ridge: fsa.None}}
	whole := targetsFit(t, targetsData(t, cols, x, each...), o)
	var some []float64
	rest := &data.Vector{Name: "b"}
	gone := &data.Vector{Name: "b", Values: slices.Clone(each[1].Values)}
	for i := range rows {
		if i%3 == 0 {
			gone.Values[i] = math.NaN()
			continue
		}
		some, rest.Values = append(some, x[i*cols:(i+1)*cols]...), append(rest.Values, each[1].Values[i])
	}
	m := targetsFit(t, targetsData(t, cols, x, each[0], gone, each[2]), o)
	half := targetsFit(t, targetsData(t, cols, some, rest, &data.Vector{Name: "again", Values: rest.Values}), o)
	for j := range cols {
		of := func(m *model.Model, c int) float64 {
			at := slices.IndexFunc(m.Selected(), func(v model.Selected) bool { return v.Index == j })
			return m.Selected()[at].Coefficients[c]
		}
		if !agrees(of(m, 0), of(whole, 0), 1e-4) || !agrees(of(m, 2)/1e4, of(whole, 2)/1e4, 1e-4) || !agrees(of(m, 1)/100, of(half, 0)/100, 1e-4) {
			t.Errorf("x%d: %v, want %v, %v, %v", j, m.Selected(), of(whole, 0), of(half, 0), of(whole, 2))
		}
	}
}

// TestTargetsOrder checks that the order of the targets changes that of the outputs and nothing else, that a target given
// twice changes no selection, and that the bits do not depend on the number of threads.
func TestTargetsOrder(t *testing.T) {
	for _, labels := range []bool{false, true} {
		x, each := targetsTable(150, 12, labels, 4)
		o := fsa.Options{Bins: fsa.None, Selection: fsa.Selection{Sizes: []int{0, 1, 2, 3, 4}}, Validation: fsa.Validation{Folds: 3, Stability: 2}, Run: fsa.Run{Threads: 1}}
		m := targetsFit(t, targetsData(t, 12, x, each...), o)
		turned := targetsFit(t, targetsData(t, 12, x, each[2], each[0], each[1]), o)
		if got, want := selectedNames(turned), selectedNames(m); !slices.Equal(got, want) {
			t.Errorf("labels %v: selected %v, in another order %v", labels, want, got)
		}
		for i, v := range m.Selected() {
			for c := range each {
				if w := turned.Selected()[i].Coefficients[(c+1)%3]; !agrees(w, v.Coefficients[c], 1e-5) {
					t.Errorf("labels %v: %s of %s: %v, in another order %v", labels, v.Name, each[c].Name, v.Coefficients[c], w)
				}
			}
		}
		o.Run.Threads = 3
		if again := targetsFit(t, targetsData(t, 12, x, each...), o); string(modelBytes(t, m)) != string(modelBytes(t, again)) {
			t.Error("another model with 3 threads")
		}
		o.K, o.Selection.Sizes, o.Quick, o.Validation = 3, nil, true, fsa.Validation{}
		alone := targetsFit(t, targetsData(t, 12, x, each[0], each[1]), o)
		twin := func(v *data.Vector) *data.Vector {
			to := *v
			to.Name += "2"
			return &to
		}
		twice := targetsFit(t, targetsData(t, 12, x, each[0], each[1], twin(each[0]), twin(each[1])), o)
		if got, want := selectedNames(twice), selectedNames(alone); !slices.Equal(got, want) {
			t.Errorf("labels %v: selected %v, with each target twice %v", labels, want, got)
		}
	}
}

// TestTargetsFound checks that three targets together find the true variables at least as often as the first one alone.
func TestTargetsFound(t *testing.T) {
	together, alone := 0, 0
	for seed := range uint64(5) {
		x, each := targetsTable(60, 30, false, 10+seed)
		for i := range each {
			rng := rand.New(rand.NewPCG(seed, 1+uint64(i)))
			for row := range each[i].Values {
				each[i].Values[row] += math.Pow(100, float64(i)) * 3 * rng.NormFloat64()
			}
		}
		o := fsa.Options{K: 3, Bins: fsa.None, Quick: true}
		count := func(m *model.Model) (n int) {
			for _, v := range m.Selected() {
				if v.Index < 3 {
					n++
				}
			}
			return n
		}
		together += count(targetsFit(t, targetsData(t, 30, x, each...), o))
		d, err := data.FromRows(nil, 30, x, each[0].Values)
		if err != nil {
			t.Fatal(err)
		}
		alone += count(targetsFit(t, d, o))
	}
	if together < alone {
		t.Errorf("%d of 15 true variables together, %d alone", together, alone)
	}
}

// TestTargetsFile writes and reads a model, predicts each target, and compares the metrics with those of the predictions.
func TestTargetsFile(t *testing.T) {
	for _, labels := range []bool{false, true} {
		x, each := targetsTable(120, 6, labels, 5)
		d := targetsData(t, 6, x, each...)
		written := targetsFit(t, d, fsa.Options{K: 3, Quick: true})
		m, err := model.Read(strings.NewReader(string(modelBytes(t, written))))
		if err != nil {
			t.Fatal(err)
		}
		p, err := m.PredictDataset(t.Context(), d)
		if err != nil {
			t.Fatal(err)
		}
		got, err := p.Metrics(d.Target)
		if err != nil {
			t.Fatal(err)
		}
		want := written.Training().Metrics
		for name, v := range want {
			if math.Abs(got[name]-v) > 1e-4*max(1, math.Abs(v)) {
				t.Errorf("%s is %v, in training %v", name, got[name], v)
			}
		}
		measures := map[bool][]string{false: {"r2", "r2_a", "rmse_b"}, true: {"auc", "error_a", "logloss_c"}}[labels]
		for _, name := range measures {
			if _, ok := want[name]; !ok {
				t.Errorf("labels %v: there is no %s in %v", labels, name, want)
			}
		}
		if list := p.ByTarget(); len(list) != 3 || list[0].Outputs() != 1 || labels == (list[0].Class() == nil) {
			t.Errorf("labels %v: predictions of targets are %v", labels, list)
		}
		if _, _, err := m.Intervals(p, 0.9); !errors.Is(err, fsa.ErrOptions) || !strings.Contains(err.Error(), "one target") {
			t.Errorf("intervals: %v", err)
		}
	}
}

// TestTargetsMistakes checks the messages for what several targets do not support.
func TestTargetsMistakes(t *testing.T) {
	x, numbers := targetsTable(60, 5, false, 6)
	_, labels := targetsTable(60, 5, true, 6)
	constant := &data.Vector{Name: "flat", Values: make([]float64, 60)}
	d := targetsData(t, 5, x, numbers...)
	base := fsa.Options{K: 2, Bins: fsa.None}
	for _, c := range []struct {
		d    *data.Dataset
		edit func(*fsa.Options)
		says string
	}{
		{d, func(o *fsa.Options) { o.Loss = "poisson" }, "--loss multitarget"},
		{d, func(o *fsa.Options) { o.Loss = "multilabel" }, "more than two classes"},
		{d, func(o *fsa.Options) { o.Objective.Balanced = true }, "class weights"},
		{d, func(o *fsa.Options) { o.Objective.Positive = "a" }, "a positive class"},
		{d, func(o *fsa.Options) { o.Validation.Calibrate = true }, "calibration"},
		{d, func(o *fsa.Options) { o.Validation.Threshold = "f1" }, "thresholds"},
		{d, func(o *fsa.Options) { o.Run.Device = "cuda" }, "CPU of one machine"},
		{d, func(o *fsa.Options) { o.Selection.Interactions.Find = true }, "interactions"},
		{d, func(o *fsa.Options) {
			o.Objective.Constraints = []fsa.Constraint{{Column: "x0", Kind: model.Increasing}}
		}, "one output"},
		{d, func(o *fsa.Options) { o.Validation.Measure = "auc" }, "it must be r2"},
		{targetsData(t, 5, x, numbers[0], labels[1]), nil, "different kinds"},
		{targetsData(t, 5, x, numbers[0], constant), nil, "the same in all rows"},
	} {
		o := base
		if c.edit != nil {
			c.edit(&o)
		}
		if _, err := fsa.Fit(t.Context(), c.d, o); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%v, want %q", err, c.says)
		}
	}
	single, err := data.FromRows(nil, 5, x, numbers[0].Values)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := fsa.Fit(t.Context(), single, fsa.Options{K: 2, Loss: "multitarget"}); err == nil || !strings.Contains(err.Error(), "there is one") {
		t.Errorf("one target: %v", err)
	}
	for name, bad := range map[string][]*data.Vector{
		"a name of its own":       {numbers[0], numbers[0]},
		"all targets are missing": {{Name: "a", Values: append([]float64{math.NaN()}, numbers[0].Values[1:]...)}, {Name: "b", Values: append([]float64{math.NaN()}, numbers[1].Values[1:]...)}},
		"is infinite":             {numbers[0], {Name: "b", Values: append([]float64{math.Inf(1)}, numbers[1].Values[1:]...)}},
		fmt.Sprintf("%d target values for %d rows", 59, 60): {numbers[0], {Name: "b", Values: numbers[1].Values[1:]}},
	} {
		b := data.NewBuilder("rows", &data.Schema{Width: 5}, data.Roles{TargetVectors: bad})
		if err := b.Add(&data.Block{Rows: 60, Dense: x}); err != nil {
			t.Fatal(err)
		}
		if _, err := b.Dataset(t.Context()); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%v, want %q", err, name)
		}
	}
}
