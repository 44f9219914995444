package motion

import (
	"bytes"
	"context"
	"encoding/xml"
	"errors"
	"io"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"fsa/baseline"
	"fsa/data"
	"fsa/internal/checkpoint"
	"fsa/internal/need"
	"fsa/model"
)

// quick are learners for small problems.
func quick() []Learner {
	o := RankOptions()
	o.K, o.Descent.Iterations = 10, 60
	return []Learner{
		{FSARank, o, PaperFamilies},
		{RankBoost, baseline.RankBoost{Options: baseline.Options{K: 10, Iterations: 20, Threads: 1}}, PaperFamilies},
	}
}

func TestEvaluate(t *testing.T) {
	sequences := rigids(12)
	stages := map[string]int{}
	o := Options{Folds: 3, Assignments: 2, Seed: 1, Learners: quick(), Log: func(stage string, done, of int) { stages[stage] = max(done, stages[stage]) }}
	e, err := Evaluate(context.Background(), sequences, o)
	if err != nil {
		t.Fatal(err)
	}
	if e.Sequences != 12 || e.Candidates < 12 || stages["describing sequences"] != 12 || stages["training models"] != 2*2*3 {
		t.Errorf("%d sequences, %d candidates, stages %v", e.Sequences, e.Candidates, stages)
	}
	oracle, learned := e.Method(Oracle), e.Method(FSARank)
	if oracle == nil || learned == nil || e.Method("absent") != nil {
		t.Fatalf("methods %v", e.Methods)
	}
	for i, v := range learned.Errors {
		if v < oracle.Errors[i%12]-1e-9 {
			t.Errorf("sequence %d: an error of %v is below that of the best candidate, %v", i%12, v, oracle.Errors[i%12])
		}
	}
	if len(learned.Assignments) != 2 || len(learned.Errors) != 24 || len(learned.Train) != len(Groups()) {
		t.Errorf("%d assignments, %d errors, %d groups", len(learned.Assignments), len(learned.Errors), len(learned.Train))
	}
	all, mean := learned.Cell("all"), (learned.Assignments[0]+learned.Assignments[1])/2
	if math.Abs(all.Mean-mean) > 1e-9 || all.Sequences != 12 || learned.Cell("traffic_3").Sequences != 0 {
		t.Errorf("the cell of all is %+v, the mean over assignments %v", all, mean)
	}
	if !testing.Short() {
		again, err := Evaluate(context.Background(), sequences, o)
		if err != nil || !slices.Equal(again.Method(FSARank).Errors, learned.Errors) {
			t.Errorf("a second evaluation differs (%v)", err)
		}
	}
	var text bytes.Buffer
	if err := e.Print(&text); err != nil || !strings.Contains(text.String(), "fsa_rank test") {
		t.Errorf("%v\n%s", err, text.String())
	}
	var svg bytes.Buffer
	if err := WriteCurves(&svg, "two", e.Curves(sequences, 2)); err != nil {
		t.Fatal(err)
	}
	wellFormed(t, &svg)
}

// An evaluation that is stopped repeatedly continues from its record, through a file, and gives the
// same numbers.
func TestEvaluateGoesOn(t *testing.T) {
	need.Long(t)
	sequences := rigids(4)
	o := Options{Pool: WidePool, Folds: 2, Assignments: 2, Seed: 1, Learners: quick()[:1]}
	whole, err := Evaluate(context.Background(), sequences, o)
	if err != nil {
		t.Fatal(err)
	}
	o.Record = checkpoint.New()
	var e *Evaluation
	stops := 0
	for after := 2; e == nil; after += 3 {
		ctx, stop := context.WithCancel(context.Background())
		steps := 0
		o.Log = func(string, int, int) {
			if steps++; steps == after {
				stop()
			}
		}
		e, err = Evaluate(ctx, sequences, o)
		stop()
		if err != nil && !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
		var file bytes.Buffer
		if _, err := o.Record.WriteTo(&file); err != nil {
			t.Fatal(err)
		}
		if o.Record, err = checkpoint.Read(&file); err != nil {
			t.Fatal(err)
		}
		stops++
	}
	if stops < 3 || !reflect.DeepEqual(e, whole) {
		t.Errorf("after %d stops it came to %+v, not %+v", stops, e, whole)
	}
	ran := false
	o.Learners[0].Fitter, o.Log = fitterFunc(func() { ran = true }), nil
	if e, err = Evaluate(context.Background(), sequences, o); err != nil || ran || !reflect.DeepEqual(e, whole) {
		t.Errorf("what is done is done again: %v", err)
	}
	o.Record.Put("rv of "+sequences[0].Name, &checkpoint.Task{Done: true}, time.Now())
	if _, err = Evaluate(context.Background(), sequences, o); !errors.Is(err, checkpoint.ErrFile) {
		t.Errorf("a record without numbers is taken: %v", err)
	}
}

// fitterFunc records that it was called, and learns nothing.
type fitterFunc func()

func (f fitterFunc) Fit(context.Context, *data.Dataset) (*model.Model, error) {
	f()
	return nil, errors.New("nothing is learned")
}

// A curve rises at each error and is constant up to the end of the axis; larger errors are not
// shown.
func TestCurveSteps(t *testing.T) {
	got := Curve{Name: "a", Errors: []float64{5, 0, 20, 0, 5, 10, 2.5, 0}}.steps()
	if !slices.Equal(got.X, []float64{0, 2.5, 5, 10}) || !slices.Equal(got.Y, []float64{37.5, 50, 75, 75}) || !got.Steps || got.Name != "a" {
		t.Errorf("%+v", got)
	}
}

func TestOptionsValidate(t *testing.T) {
	for _, o := range []Options{{Pool: "deep"}, {Folds: 1}, {Folds: -3}, {Assignments: -1}} {
		if o.Validate() == nil {
			t.Errorf("%+v was not refused", o)
		}
	}
	if err := (Options{}).Validate(); err != nil {
		t.Error(err)
	}
	if _, err := Evaluate(context.Background(), rigids(4), Options{Folds: 10}); err == nil {
		t.Error("two videos were spread over ten folds")
	}
	blind := rigids(4)
	blind[1].Truth = nil
	for _, list := range [][]*Sequence{blind, nil} {
		if _, err := Evaluate(context.Background(), list, Options{Folds: 2}); !errors.Is(err, data.ErrBadData) {
			t.Errorf("%d sequences without all truths: %v", len(list), err)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Evaluate(ctx, rigids(4), Options{Folds: 2}); !errors.Is(err, context.Canceled) {
		t.Errorf("after a cancellation: %v", err)
	}
}

// TestFolds: folds have the same number of videos and split no video.
func TestFolds(t *testing.T) {
	var list []*Described
	for _, s := range rigids(40) { // 20 videos
		list = append(list, &Described{Sequence: s})
	}
	a, err := assign(list, 10, 1)
	if err != nil {
		t.Fatal(err)
	}
	size := make([]int, 10)
	for i := range list {
		size[a[i]]++
		if a[i] != a[i/2*2] {
			t.Errorf("sequences %d and %d of one video are in different folds", i, i/2*2)
		}
	}
	for f, n := range size {
		if n != 4 {
			t.Errorf("fold %d has %d sequences", f, n)
		}
	}
	if b, _ := assign(list, 10, 2); slices.Equal(a, b) {
		t.Error("another seed gives the same folds")
	}
}

func TestSegmenter(t *testing.T) {
	ctx := context.Background()
	list, err := DescribeAll(ctx, rigids(12), PaperPool, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	table, err := Table(ctx, list, PaperPool, AllFamilies)
	if err != nil {
		t.Fatal(err)
	}
	learned, err := quick()[0].Fit(ctx, table)
	if err != nil {
		t.Fatal(err)
	}
	var file bytes.Buffer
	if _, err := learned.WriteTo(&file); err != nil {
		t.Fatal(err)
	}
	if learned, err = model.Read(&file); err != nil {
		t.Fatal(err)
	}
	g, err := NewSegmenter(learned)
	if err != nil {
		t.Fatal(err)
	}
	if g.Pool() != PaperPool {
		t.Errorf("pool %q", g.Pool())
	}
	s := rigid("new", 2, 20, 12, 0.1, 99)
	found, err := g.Segment(ctx, s)
	if err != nil || len(found.Labels) != s.Points || found.Error > 0.1 {
		t.Errorf("%+v, %v", found, err)
	}
	one, err := g.Segment(ctx, rigid("one", 1, 20, 12, 0.1, 99))
	if err != nil || one.Error != 0 {
		t.Errorf("one motion: %+v, %v", one, err)
	}
	var svg bytes.Buffer
	if err := WritePicture(&svg, s, found.Labels); err != nil {
		t.Fatal(err)
	}
	wellFormed(t, &svg)

	table.Target.Name = "price"
	if learned, err = quick()[0].Fit(ctx, table); err != nil {
		t.Fatal(err)
	}
	if _, err := NewSegmenter(learned); err == nil {
		t.Error("a model of prices was not refused")
	}
}

func wellFormed(t *testing.T, r io.Reader) {
	t.Helper()
	d := xml.NewDecoder(r)
	for {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			return
		} else if err != nil {
			t.Fatal(err)
		}
	}
}
