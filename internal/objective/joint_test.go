package objective

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"fsa/anneal"
	"fsa/data"
	"fsa/internal/objectivetest"
	"fsa/loss"
)

// jointTable returns the configurations of the objectives of folds: the held-out rows have no weight.
func jointTable(t *testing.T, rows, cols, folds int) []Config {
	t.Helper()
	rng := rand.New(rand.NewPCG(3, 4))
	x, y := make([]float64, rows*cols), make([]float64, rows)
	for i := range y {
		row := x[i*cols : (i+1)*cols]
		for j := range row {
			row[j] = rng.NormFloat64()
		}
		y[i] = math.Copysign(1, row[0]-row[1]+row[2]/2+rng.NormFloat64()/4)
	}
	table, err := data.FromRows(nil, cols, x, y)
	if err != nil {
		t.Fatal(err)
	}
	list := make([]Config, folds)
	for f := range list {
		weight := make([]float64, rows)
		for i := range weight {
			if i%folds != f {
				weight[i] = 1
			}
		}
		part, err := table.Weighted(t.Context(), weight)
		if err != nil {
			t.Fatal(err)
		}
		d, err := part.Design(t.Context(), data.DesignOptions{})
		if err != nil {
			t.Fatal(err)
		}
		groups := Lists()
		for v := range cols {
			groups.Add(v)
		}
		list[f] = Config{
			X: d.X, Scale: d.Scale, Offset: d.Offset, Numbers: d.Numbers, Groups: groups, Intercept: true, Final: 3,
			Loss: loss.Logistic{}, Target: Target{Y: y, Weight: weight}, Ridge: 0.001,
		}
	}
	return list
}

// A Joint of one member satisfies the contract of an objective, joint and separate.
func TestMember(t *testing.T) {
	c := jointTable(t, 60, 8, 3)
	c[0].Final = 0
	for _, least := range []int{0, math.MaxInt} {
		for _, batch := range []int{0, 16} {
			t.Run(fmt.Sprint(least > 0, batch), func(t *testing.T) {
				objectivetest.Run(t, func() anneal.Objective {
					to := c[0]
					to.Batch = batch
					j := NewJoint(1, 2)
					j.least = least
					j.Member(0).Join(New(to))
					return j.Member(0)
				})
			})
		}
	}
}

// descents runs a joint descent for each objective, and returns the results and the number of cells read.
func descents(t *testing.T, configs []Config, batch, threads, least int) (results []*anneal.Result, read float64) {
	t.Helper()
	j := NewJoint(len(configs), threads)
	j.least = least
	results = make([]*anneal.Result, len(configs))
	meters := make([]Meter, len(configs))
	var wg sync.WaitGroup
	for i, c := range configs {
		c.Batch, c.Meter = batch, &meters[i]
		wg.Go(func() {
			m := j.Member(i)
			defer m.Leave()
			m.Join(New(c))
			var err error
			if results[i], err = anneal.Run(t.Context(), m, anneal.Settings{K: 3, Mu: 10, Iterations: 30, Momentum: 0.9}); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	for _, m := range meters {
		read += m.Cells
	}
	return results, read
}

// Joint descents give the same results as separate ones, with the same bits for any number of threads, and read the table
// about once for all.
func TestJoint(t *testing.T) {
	configs := jointTable(t, 4000, 60, 5)
	for _, batch := range []int{0, 400} {
		var alone []*anneal.Result
		var each float64
		for _, c := range configs {
			c.Batch = batch
			var meter Meter
			c.Meter = &meter
			r, err := anneal.Run(t.Context(), New(c), anneal.Settings{K: 3, Mu: 10, Iterations: 30, Momentum: 0.9})
			if err != nil {
				t.Fatal(err)
			}
			alone, each = append(alone, r), each+meter.Cells/float64(len(configs))
		}
		for _, least := range []int{0, 1 << 16} {
			var first []*anneal.Result
			for _, threads := range []int{1, 3, 16} {
				results, read := descents(t, configs, batch, threads, least)
				for i, r := range results {
					if !slices.Equal(r.Groups, alone[i].Groups) {
						t.Errorf("batch %d: fold %d selects %v, and %v by itself", batch, i, r.Groups, alone[i].Groups)
					}
					for b, v := range r.Beta {
						if math.Abs(v-alone[i].Beta[b]) > 1e-6 {
							t.Errorf("batch %d: fold %d has coefficients %v, and %v by itself", batch, i, r.Beta, alone[i].Beta)
							break
						}
					}
					if first != nil && !slices.Equal(r.Beta, first[i].Beta) {
						t.Errorf("batch %d: other bits with %d threads", batch, threads)
					}
				}
				if first == nil {
					first = results
				}
				if least == 0 && read > 2*each { // some descents need more reads to measure the step size
					t.Errorf("batch %d: %.0f cells were read together, %.0f by one alone", batch, read, each)
				}
			}
		}
	}
}

// A member that fails, panics or never joins does not block the others.
func TestJointLeaves(t *testing.T) {
	configs := jointTable(t, 300, 20, 4)
	j := NewJoint(4, 2)
	j.least = 0
	errs := make([]error, 4)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var wg sync.WaitGroup
	for i, c := range configs {
		wg.Go(func() {
			m := j.Member(i)
			defer m.Leave()
			if i == 0 {
				return // it never joins
			}
			m.Join(New(c))
			_, errs[i] = anneal.Run(ctx, m, anneal.Settings{K: 3, Iterations: 1 << 20, Observe: func(e anneal.Epoch) {
				if i == 1 && e.Epoch == 3 {
					cancel()
				}
			}})
		})
	}
	wg.Wait()
	for i, err := range errs[1:] {
		if !errors.Is(err, context.Canceled) {
			t.Errorf("descent %d: %v", i+1, err)
		}
	}
	j = NewJoint(2, 1)
	j.least = 0
	j.Member(0).Join(New(configs[0]))
	wg.Go(func() {
		defer j.Member(0).Leave()
		_, errs[0] = anneal.Run(t.Context(), j.Member(0), anneal.Settings{K: 3})
	})
	j.Break()
	wg.Wait()
	if !errors.Is(errs[0], errBroken) {
		t.Errorf("after a panic of another descent: %v", errs[0])
	}
}

// The sums of one shard do not change later sums over several shards.
func TestSumsOfShards(t *testing.T) {
	c := jointTable(t, 4000, 60, 2)[0]
	beta := make([]float64, 61)
	for i := range beta {
		beta[i] = float64(i%7) / 7
	}
	fresh, used := New(c), New(c)
	shards := used.shards(0)
	if len(shards) < 2 {
		t.Fatalf("%d shards are too few", len(shards))
	}
	if _, err := used.sum(t.Context(), shards[:1], used.gradient(used.scatter(beta))); err != nil {
		t.Fatal(err)
	}
	got, err := used.sum(t.Context(), shards, used.gradient(used.scatter(beta)))
	if err != nil {
		t.Fatal(err)
	}
	want, err := fresh.sum(t.Context(), fresh.shards(0), fresh.gradient(fresh.scatter(beta)))
	if err != nil {
		t.Fatal(err)
	}
	if got.sum != want.sum || got.weight != want.weight || !slices.Equal(got.g, want.g) {
		t.Errorf("loss %v over weight %v, not %v over %v", got.sum, got.weight, want.sum, want.weight)
	}
}
