package fsa_test

import (
	"bytes"
	"context"
	"math/rand/v2"
	"sync/atomic"
	"testing"

	"fsa"
	"fsa/data"
	"fsa/data/synth"
	"fsa/internal/need"
)

// ending is a context that ends after n calls of Err.
type ending struct {
	context.Context
	left atomic.Int64
	done chan struct{}
}

func endAfter(ctx context.Context, n int64) *ending {
	e := &ending{Context: ctx, done: make(chan struct{})}
	e.left.Store(n)
	return e
}

func (e *ending) Err() error {
	switch left := e.left.Add(-1); {
	case left == 0:
		close(e.done)
		fallthrough
	case left < 0:
		return context.Canceled
	}
	return e.Context.Err()
}

func (e *ending) Done() <-chan struct{} { return e.done }

// synthetic returns a synthetic table.
func synthetic(t *testing.T, c synth.Config) *data.Dataset {
	t.Helper()
	r, err := synth.NewReader(c)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	d, err := data.Load(t.Context(), r, "synthetic", data.Roles{})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// A fit that is stopped repeatedly at any point, and continued each time from a file with another
// number of threads, gives the same model to the last byte.
func TestResumedFit(t *testing.T) {
	regression := synth.Config{Task: synth.Regression, N: 300, M: 200, K: 5, Seed: 1}
	classes := synth.Config{N: 300, M: 200, K: 5, Seed: 2}
	for name, c := range map[string]struct {
		table synth.Config
		o     fsa.Options
	}{
		"quick":            {regression, fsa.Options{K: 5, Quick: true}},
		"folds":            {regression, fsa.Options{K: 5}},
		"size is chosen":   {regression, fsa.Options{Validation: fsa.Validation{Folds: 5}}},
		"classes":          {classes, fsa.Options{K: 5}},
		"folds together":   {together, fsa.Options{Selection: fsa.Selection{Sizes: []int{0, 2, 5, 9}}}},
		"minibatches":      {classes, fsa.Options{K: 5, Quick: true, Descent: fsa.Descent{Batch: 32, Iterations: 60}}},
		"batches in folds": {classes, fsa.Options{K: 5, Descent: fsa.Descent{Batch: 64, Iterations: 40}, Validation: fsa.Validation{Folds: 3}}},
		"polish":           {regression, fsa.Options{K: 5, Quick: true, Selection: fsa.Selection{Polish: true}}},
		"bins":             {regression, fsa.Options{K: 5, Bins: 4, Descent: fsa.Descent{Iterations: 100}}},
		"guard":            {synth.Config{N: 60, M: 500, K: 5, Seed: 3}, fsa.Options{K: 10, Quick: true}},
		"constraints":      {regression, fsa.Options{K: 5, Bins: 4, Descent: fsa.Descent{Iterations: 60}, Objective: fsa.Objective{Constraints: []fsa.Constraint{{Column: "all", Kind: "increasing"}}}}},
		"extreme targets":  {synth.Config{Task: synth.Regression, N: 150, M: 20, K: 3, Seed: 4}, fsa.Options{K: 3}},
		"bfloat16":         {regression, fsa.Options{K: 5, Design: fsa.Design{Storage: data.StorageBFloat16}}},
	} {
		t.Run(name, func(t *testing.T) {
			if name != "folds" && name != "minibatches" {
				need.Long(t)
			}
			t.Parallel()
			fit := func(ctx context.Context, threads int, discard bool, r *fsa.Record) ([]byte, error) {
				d := synthetic(t, c.table)
				if name == "extreme targets" {
					d.Target.Y[3], d.Target.Y[90] = 1e3, 1e3
				}
				o := c.o
				o.Run.Threads, o.Run.Record, o.Run.Discard = threads, r, discard
				m, err := fsa.Fit(ctx, d, o)
				if err != nil {
					return nil, err
				}
				if name == "extreme targets" && m.Loss() != "huber" {
					t.Errorf("the %s loss was chosen", m.Loss())
				}
				var b bytes.Buffer
				_, err = m.WriteTo(&b)
				return b.Bytes(), err
			}
			want, err := fit(t.Context(), 2, true, nil)
			if err != nil {
				t.Fatal(err)
			}
			rng := rand.New(rand.NewPCG(7, uint64(len(name))))
			for _, discard := range []bool{true, false} {
				record, stops := new(fsa.Record), 0
				for step := int64(50); ; step *= 2 {
					record.Always = true
					got, err := fit(endAfter(t.Context(), step+rng.Int64N(step)), 1+rng.IntN(3), discard, record)
					if err == nil {
						if !bytes.Equal(got, want) {
							t.Errorf("after %d stops the model is another:\n%s\n%s", stops, got, want)
						}
						break
					}
					stops++
					var file bytes.Buffer
					if _, err := record.WriteTo(&file); err != nil {
						t.Fatal(err)
					}
					if record, err = fsa.ReadRecord(&file); err != nil {
						t.Fatal(err)
					}
				}
				if stops < 3 {
					t.Errorf("stopped %d times only", stops)
				}
			}
		})
	}
}
