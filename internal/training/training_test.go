package training

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"fsa/data"
	"fsa/internal/search"
	"fsa/model"
)

// table returns a table of the numeric columns a, b and c, and a target that depends on the first.
func table(t *testing.T, rows int) *data.Dataset {
	t.Helper()
	rng := rand.New(rand.NewPCG(uint64(rows), 5))
	var x, y []float64
	for range rows {
		a := 3 + 2*rng.NormFloat64()
		x, y = append(x, a, rng.NormFloat64(), 1000*rng.NormFloat64()), append(y, a+rng.NormFloat64())
	}
	d, err := data.FromRows([]string{"a", "b", "c"}, 3, x, y)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// trainOn returns the training data of a dataset.
func trainOn(t *testing.T, d *data.Dataset, r model.ResponseOptions, o Options) *Set {
	t.Helper()
	response, err := model.NewResponse(d, r)
	if err != nil {
		t.Fatal(err)
	}
	set, err := New(context.Background(), d, response, o)
	if err != nil {
		t.Fatal(err)
	}
	return set
}

// A part is what the dataset of its rows alone would be: the same scales, offsets and sizes. The other rows have no weight.
func TestPart(t *testing.T) {
	ctx, d := context.Background(), table(t, 60)
	o := Options{Threads: 4, Seed: 1, Stop: func() bool { return true }, Observe: func(search.Progress) {}}
	set := trainOn(t, d, model.ResponseOptions{}, o)
	var rows []int
	for i := range d.Rows() {
		if i%3 != 1 {
			rows = append(rows, i)
		}
	}
	part, of, err := set.Part(ctx, rows, "fold", 1, 3)
	if err != nil {
		t.Fatal(err)
	}
	for i, w := range part.Target.Weight {
		if want := map[bool]float64{true: 1}[i%3 != 1]; w != want || of.Target.Weight[i] != want {
			t.Errorf("row %d has the weights %v and %v, not %v", i, w, of.Target.Weight[i], want)
		}
	}
	only, err := d.Only(ctx, rows)
	if err != nil {
		t.Fatal(err)
	}
	alone := trainOn(t, only, model.ResponseOptions{}, o).Whole
	for v := range part.Design.Scale {
		if a, b := part.Design.Scale[v], alone.Design.Scale[v]; math.Abs(a-b) > 1e-9*b {
			t.Errorf("variable %d has the scale %v, and %v alone", v, a, b)
		}
	}
	if part.Effective != len(rows) || part.Counted != len(rows) || part.Effective != alone.Effective {
		t.Errorf("effective %d, counted %d of %d rows", part.Effective, part.Counted, len(rows))
	}
	if part.Threads != 1 || part.Stop != nil || part.Observe != nil || part.Owned || !(part.Tolerance > 0) {
		t.Errorf("threads %d, stop %v, observe %v, owned %v, tolerance %v", part.Threads, part.Stop != nil, part.Observe != nil, part.Owned, part.Tolerance)
	}
	if w := set.Whole; w.Target.Weight != nil || w.Stop == nil || w.Observe == nil || w.Tolerance != 0 || w.Threads != 4 {
		t.Error("the sample of all rows was changed")
	}
}

// A sample with curves or pairs counts its reads on the meter of the sample that it was made from, and leaves that sample as
// it is.
func TestVariants(t *testing.T) {
	ctx, d := context.Background(), table(t, 40)
	s := trainOn(t, d, model.ResponseOptions{}, Options{Threads: 1, Design: data.DesignOptions{Discard: true}}).Whole
	curved, err := s.Curved(ctx, 3)
	if err != nil {
		t.Fatal(err)
	}
	if curved.Meter != s.Meter || curved.Design.Bins != 3 || s.Design.Bins != 0 {
		t.Errorf("%d bins, %d of the sample that they come from", curved.Design.Bins, s.Design.Bins)
	}
	with, err := s.WithInteractions(ctx, []data.PairTerm{{Interaction: data.Interaction{0, 1}}})
	if err != nil {
		t.Fatal(err)
	}
	if with.Meter != s.Meter || with.Groups.Count() != 4 || s.Groups.Count() != 3 {
		t.Errorf("%d groups with a pair, %d without", with.Groups.Count(), s.Groups.Count())
	}
}

// Rows without an event contain little information: the effective sample size counts events with a weight, at least one.
func TestEvents(t *testing.T) {
	for _, c := range []struct {
		event, weight []float64
		want          int
	}{{[]float64{1, 0, 1, 1}, nil, 3}, {[]float64{1, 0, 1, 1}, []float64{0, 1, 2, 0}, 1}, {[]float64{0, 0}, nil, 1}} {
		if got := events(&data.Target{Event: c.event, Weight: c.weight}); got != c.want {
			t.Errorf("events %v with weights %v: %d", c.event, c.weight, got)
		}
	}
}

// Parts share the threads, and each gets at least one.
func TestPartThreads(t *testing.T) {
	d := table(t, 20)
	for _, c := range []struct{ threads, of, want int }{{8, 2, 4}, {8, 3, 2}, {2, 5, 1}, {1, 1, 1}, {6, 1, 6}} {
		set := trainOn(t, d, model.ResponseOptions{}, Options{Threads: c.threads})
		part, _, err := set.Part(context.Background(), []int{0, 1, 2, 3, 4, 5, 6}, "half", 0, c.of)
		if err != nil {
			t.Fatal(err)
		}
		if set.Abreast() != c.threads || part.Threads != c.want {
			t.Errorf("%d threads for %d parts: %d parts at a time with %d threads each, want %d", c.threads, c.of, set.Abreast(), part.Threads, c.want)
		}
	}
}

// Class weights are part of the loss of a fold, and not of the weights by which its columns are measured.
func TestPartClassWeights(t *testing.T) {
	d := table(t, 30)
	for i := range d.Target.Y {
		d.Target.Y[i] = float64(i % 2)
	}
	set := trainOn(t, d, model.ResponseOptions{ClassWeights: map[string]float64{"1": 3}}, Options{Threads: 1})
	part, of, err := set.Part(context.Background(), []int{2, 3, 4, 5}, "fold", 0, 2)
	if err != nil {
		t.Fatal(err)
	}
	for i, w := range part.Target.Weight {
		held := i < 2 || i > 5
		if want := map[bool]float64{true: 1, false: 3}[i%2 == 0]; !held && (w != want || of.Target.Weight[i] != 1) || held && w != 0 {
			t.Errorf("row %d has the weights %v and %v", i, w, of.Target.Weight[i])
		}
	}
}

// A message about a part names it and its size.
func TestPartMessage(t *testing.T) {
	d := table(t, 20)
	set := trainOn(t, d, model.ResponseOptions{}, Options{Threads: 1})
	set.options.Force = []string{"nobody"}
	if _, _, err := set.Part(context.Background(), []int{1, 2, 3}, "half", 4, 6); err == nil || !strings.Contains(err.Error(), "half 5 of 6 with 3 training rows") || !errors.Is(err, model.ErrOptions) {
		t.Errorf("%v", err)
	}
}

// The scheme spreads classes by their names, and keeps queries whole.
func TestScheme(t *testing.T) {
	d := table(t, 30)
	for i := range d.Target.Y {
		d.Target.Y[i] = float64(i % 2)
	}
	s, err := trainOn(t, d, model.ResponseOptions{}, Options{Threads: 1, Seed: 9}).Scheme(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if s.Seed != 9 || len(s.Class) != 30 || s.ClassName(s.Class[0]) != "0" || s.ClassName(s.Class[1]) != "1" || s.Query != nil {
		t.Errorf("%+v", s)
	}
	for i := range d.Target.Y {
		d.Target.Y[i] = float64(i % 3)
	}
	if s, err = trainOn(t, d, model.ResponseOptions{Loss: "multinomial"}, Options{Threads: 1}).Scheme(context.Background()); err != nil {
		t.Fatal(err)
	}
	if s.ClassName(s.Class[0]) != "0" || s.ClassName(s.Class[2]) != "2" {
		t.Errorf("classes %q and %q", s.ClassName(s.Class[0]), s.ClassName(s.Class[2]))
	}
	d.Target.Query = []int{0, 10, 20, 30}
	if s, err = trainOn(t, d, model.ResponseOptions{Loss: "rank"}, Options{Threads: 1}).Scheme(context.Background()); err != nil || s.Class != nil || !slices.Equal(s.Query, d.Target.Query) {
		t.Errorf("%v, %+v", err, s)
	}
}

func at(v float64) *float64 { return &v }

// TestLimits converts constraints to limits of columns.
func TestLimits(t *testing.T) {
	d := table(t, 20)
	inf := math.Inf(1)
	for _, c := range []struct {
		list   []model.Constraint
		of     map[int]search.Limit
		others search.Limit
	}{
		{[]model.Constraint{{Column: "b", Kind: model.Nonnegative}}, map[int]search.Limit{1: {Upper: inf}}, search.Free},
		{[]model.Constraint{{Column: "all", Kind: model.Increasing}}, map[int]search.Limit{}, search.Limit{Lower: -inf, Upper: inf, Slope: 1}},
		{[]model.Constraint{{Column: "a", Kind: model.Convex}, {Column: "all", Kind: model.Increasing}}, map[int]search.Limit{0: {Lower: -inf, Upper: inf, Slope: 1, Bend: 1}}, search.Limit{Lower: -inf, Upper: inf, Slope: 1}},
		{[]model.Constraint{{Column: "c", Kind: model.Bounds, Lower: at(-1), Upper: at(5)}, {Column: "c", Kind: model.Nonpositive}}, map[int]search.Limit{2: {Lower: -1}}, search.Free},
		{[]model.Constraint{{Column: "c", Kind: model.Decreasing}, {Column: "c", Kind: model.Concave}}, map[int]search.Limit{2: {Lower: -inf, Upper: inf, Slope: -1, Bend: -1}}, search.Free},
		{[]model.Constraint{{Column: "a", Kind: model.Bounds, Lower: at(1)}}, map[int]search.Limit{0: {Lower: 1, Upper: inf}}, search.Free},
	} {
		l := trainOn(t, d, model.ResponseOptions{}, Options{Threads: 1, Constraints: c.list, Force: []string{"a"}}).Whole.Limits
		if !maps.Equal(l.Of, c.of) || l.Others != c.others {
			t.Errorf("%v: %+v", c.list, l)
		}
	}
	if trainOn(t, d, model.ResponseOptions{}, Options{Threads: 1}).Whole.Limits != nil {
		t.Error("limits without constraints")
	}
}

// TestLimitsRefused checks that constraints that a dataset cannot keep name the cause.
func TestLimitsRefused(t *testing.T) {
	d := table(t, 20)
	r, err := model.NewResponse(d, model.ResponseOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for says, list := range map[string][]model.Constraint{
		"no variable":             {{Column: "nobody", Kind: model.Increasing}},
		"force the variable":      {{Column: "b", Kind: model.Bounds, Upper: at(-1)}},
		"of all columns":          {{Column: "all", Kind: model.Increasing}, {Column: "b", Kind: model.Decreasing}},
		"the other constraints":   {{Column: "b", Kind: model.Increasing}, {Column: "b", Kind: model.Decreasing}},
		"it must be":              {{Column: "b", Kind: "upwards"}},
		"only the kind bounds":    {{Column: "b", Kind: model.Convex, Lower: at(0)}},
		"the bounds of":           {{Column: "b", Kind: model.Bounds}},
		"not above the upper one": {{Column: "b", Kind: model.Bounds, Lower: at(2), Upper: at(1)}},
	} {
		err := CheckConstraints(list)
		if err == nil {
			_, err = (&Options{Constraints: list}).limits(d, r)
		}
		if !errors.Is(err, model.ErrOptions) || !strings.Contains(fmt.Sprint(err), says) {
			t.Errorf("%v: %v, not %q", list, err, says)
		}
	}
}
