package cuda

import (
	"context"
	"fmt"
	"math"
	"slices"
	"testing"
	"time"

	"fsa/anneal"
	"fsa/loss"
)

type timed struct {
	*Objective
	what  string
	times map[string][3]float64
	order *[]string
}

func (t *timed) note(key string, n int, start time.Time) {
	if t.times[key][2] == 0 {
		*t.order = append(*t.order, key)
	}
	v := t.times[key]
	t.times[key] = [3]float64{v[0] + time.Since(start).Seconds(), v[1] + float64(n), v[2] + 1}
}

func (t *timed) Epoch(ctx context.Context, w anneal.Walk) (anneal.Walked, error) {
	s := time.Now()
	_ = t.ready(ctx)
	t.d.wait()
	t.note(t.what+" compact", 1, s)
	s = time.Now()
	r, err := t.Objective.Epoch(ctx, w)
	k := t.work.short.kernel
	if len(t.batches) == 1 {
		k = "one"
	}
	if k == "" {
		k = "way " + t.work.ways[t.batches[0].rows].kernel
	}
	t.note(fmt.Sprintf("%s epoch %s cols<=%d", t.what, k, (t.table.cols+255)/256*256), len(t.batches), s)
	return r, err
}
func (t *timed) Lipschitz(ctx context.Context) (anneal.Lipschitz, error) {
	s := time.Now()
	r, err := t.Objective.Lipschitz(ctx)
	t.note(t.what+" lipschitz", 1, s)
	return r, err
}
func (t *timed) KeepStrongest(ctx context.Context, m int) error {
	s := time.Now()
	err := t.Objective.KeepStrongest(ctx, m)
	t.note(t.what+" keep", 1, s)
	return err
}
func (t *timed) Load(ctx context.Context, c anneal.Coefficients, r anneal.Rank) error {
	s := time.Now()
	err := t.Objective.Load(ctx, c, r)
	t.note(t.what+" load", 1, s)
	return err
}
func (t *timed) Loss(ctx context.Context, b int) (float64, float64, error) {
	s := time.Now()
	x, y, err := t.Objective.Loss(ctx, b)
	t.note(t.what+" loss", 1, s)
	return x, y, err
}

func TestProbePolish(t *testing.T) {
	d, err := Open(0)
	if err != nil {
		t.Skip(err)
	}
	defer d.Close()
	ctx := t.Context()
	const n, m, k = 100000, 100000, 500
	for _, seed := range []uint64{1, 2, 3} {
		made, err := d.Synthetic(ctx, Synthetic{Rows: n, Columns: m, True: k, Every: 10, Loss: loss.Logistic{}, Ridge: 0.05 / n, Seed: seed})
		if err != nil {
			t.Fatal(err)
		}
		for rep := range 3 {
			times, order := map[string][3]float64{}, []string{}
			total := &timed{what: "", times: times, order: &order}
			descend := func(what string, among []int, batch int64, epochs int, mu float64) *anneal.Result {
				s := time.Now()
				o, err := made.Objective(batch, k)
				if err != nil {
					t.Fatal(err)
				}
				total.note(what+" objective", 1, s)
				s = time.Now()
				if among != nil {
					_ = o.Keep(ctx, among)
				}
				total.note(what+" Keep", 1, s)
				schedule := anneal.Inverse(mu)
				s = time.Now()
				var obj anneal.Objective = o
				if rep == 0 {
					obj = &timed{o, what, times, &order}
				}
				res, err := anneal.Run(ctx, obj, anneal.Settings{K: k, Iterations: epochs + 20, Tolerance: 1e-4, FactorWarmUp: 20, NullLoss: math.Ln2,
					Schedule: func(e, _, groups, k int) int { return schedule(min(e, epochs), epochs, groups, k) }})
				if err != nil {
					t.Fatal(err)
				}
				total.note(what+" run", 1, s)
				s = time.Now()
				o.Close()
				total.note(what+" close", 1, s)
				return res
			}
			start := time.Now()
			res := descend("plain", nil, 500, 20, 30)
			for round := range 3 {
				s := time.Now()
				beta, grad := make([]float64, m+1), make([]float64, m+1)
				for i, g := range res.Groups {
					beta[g] = res.Beta[i]
				}
				beta[m] = res.Beta[len(res.Beta)-1]
				o, err := made.Objective(0, 0)
				if err != nil {
					t.Fatal(err)
				}
				total.note("rivals objective", 1, s)
				s = time.Now()
				o.Eval(ctx, 0, grad, beta)
				total.note("rivals eval", 1, s)
				s = time.Now()
				o.Close()
				total.note("rivals close", 1, s)
				s = time.Now()
				slope := make([]float64, m)
				for g := range slope {
					slope[g] = math.Abs(grad[g])
				}
				for _, g := range res.Groups {
					slope[g] = math.Inf(1)
				}
				limit := anneal.NthLargest(slices.Clone(slope), min(max(2>>round, 1)*k+k, m))
				var among []int
				for g, s := range slope {
					if s >= limit {
						among = append(among, g)
					}
				}
				total.note("rivals choose", 1, s)
				res = descend(fmt.Sprint("round", round), among, 125, 40, 3)
			}
			sec := time.Since(start).Seconds()
			found, hash := 0, uint64(0)
			for _, g := range res.Groups {
				if (g+1)%10 == 0 && g < 10*k {
					found++
				}
			}
			for _, b := range res.Beta {
				hash = hash*31 + math.Float64bits(b)
			}
			fmt.Printf("seed %d rep %d: %.3f s, found %d, bits %x\n", seed, rep, sec, found, hash)
			if rep == 0 && seed < 3 {
				for _, key := range order {
					v := times[key]
					fmt.Printf("  %-44s %8.2f ms  %6.0f calls %8.0f steps  %7.2f us/step\n", key, v[0]*1e3, v[2], v[1], v[0]*1e6/v[1])
				}
			}
		}
		made.Close()
	}
}
