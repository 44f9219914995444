package baseline

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"fsa/data/synth"
)

// scripted is a judge that counts, and likes low variables.
type scripted struct {
	tested int
	sizes  []int
	least  float64
}

func (s *scripted) test(_ context.Context, variables []int) (float64, error) {
	s.tested++
	s.sizes = append(s.sizes, len(variables))
	if !slices.IsSorted(variables) || len(slices.Compact(slices.Clone(variables))) != len(variables) {
		return 0, errors.New("variables are not ascending, or one is there twice")
	}
	e := 0.1
	for _, v := range variables {
		e += float64(v)
	}
	s.least = min(s.least, e)
	return e, nil
}

func (s *scripted) fit(context.Context, []int) (float64, []float64, error) { panic("not asked for") }

// Annealing asks as often as it may, keeps the number of variables where that is
// fixed, and ends with the best subset it has seen.
func TestAnnealing(t *testing.T) {
	const seed, rounds = 3, 150
	task, err := newTask(context.Background(), "sa", synthetic(t, synth.Config{N: 30, M: 40, K: 2}), Options{K: 6}, "logistic")
	if err != nil {
		t.Fatal(err)
	}
	for _, fixed := range []bool{true, false} {
		rng := rand.New(rand.NewPCG(seed, 0))
		j := &scripted{least: math.Inf(1)}
		s := newSubset(task, fixed, rng)
		start := slices.Clone(s.in)
		if err := s.anneal(context.Background(), j, rounds, 10); err != nil {
			t.Fatal(err)
		}
		if j.tested != rounds+1 {
			t.Errorf("seed %d: %d subsets tested, want %d", seed, j.tested, rounds+1)
		}
		if fixed && (slices.Min(j.sizes) != 6 || slices.Max(j.sizes) != 6) {
			t.Errorf("seed %d: subsets of %d to %d variables, want 6", seed, slices.Min(j.sizes), slices.Max(j.sizes))
		}
		if !fixed && (slices.Min(j.sizes) < 1 || slices.Min(j.sizes) == slices.Max(j.sizes)) {
			t.Errorf("seed %d: subsets of %d to %d variables", seed, slices.Min(j.sizes), slices.Max(j.sizes))
		}
		least := j.least
		if got, _ := j.test(context.Background(), s.in); got != least {
			t.Errorf("seed %d: ended with an error of %v, but had seen %v", seed, got, least)
		}
		if first, _ := j.test(context.Background(), start); least > first/2 {
			t.Errorf("seed %d: the error fell from %v to %v only", seed, first, least)
		}
	}
}

// What follows from products of variables is what least squares on each half
// give, in any order of subsets.
func TestHalfSquares(t *testing.T) {
	const seed = 17
	ctx := context.Background()
	rng := rand.New(rand.NewPCG(seed, 0))
	s := &sample{Columns: 7}
	for range 60 {
		y := 1000.0
		for j := range s.Columns {
			x := rng.NormFloat64() + float64(j)
			s.X = append(s.X, x)
			y += float64(j) * x
		}
		s.Y, s.Weight = append(s.Y, y+rng.NormFloat64()), append(s.Weight, float64(rng.IntN(3)))
	}
	d := s.dense(t)
	task, err := newTask(ctx, "sa", d, Options{K: 7}, "squared")
	if err != nil {
		t.Fatal(err)
	}
	made, err := newJudge(ctx, task, rng)
	if err != nil {
		t.Fatal(err)
	}
	judge := made.(*halfSquares)
	halves := [2][]int{judge.half[0].rows, judge.half[1].rows}
	for _, variables := range [][]int{{0, 3}, {3, 4, 6}, {0, 1, 2, 3, 4, 5, 6}, {6}} {
		var sum, total float64
		for h := range halves {
			part, err := d.Select(ctx, halves[h])
			if err != nil {
				t.Fatal(err)
			}
			learn, err := newTask(ctx, "sa", part, Options{K: 7}, "squared")
			if err != nil {
				t.Fatal(err)
			}
			intercept, beta, err := learn.refit(ctx, variables, 0)
			if err != nil {
				t.Fatal(err)
			}
			m, err := learn.linear(1, intercept, variables, beta)
			if err != nil {
				t.Fatal(err)
			}
			z := predicted(t, m, s)
			for _, i := range halves[1-h] {
				sum += s.Weight[i] * (s.Y[i] - z[i]) * (s.Y[i] - z[i])
				total += s.Weight[i]
			}
		}
		got, err := judge.test(ctx, variables)
		if err != nil {
			t.Fatal(err)
		}
		near(t, "error", []float64{got}, []float64{math.Sqrt(sum / total)}, 1e-5)
	}
}

// Both judges prefer the true variables to others.
func TestJudges(t *testing.T) {
	ctx := context.Background()
	for _, c := range []struct {
		config synth.Config
		loss   string
	}{
		{synth.Config{Task: synth.Regression, N: 200, M: 40, K: 3, Seed: 2}, "squared"},
		{synth.Config{Task: synth.Classification, N: 200, M: 40, K: 3, Seed: 2}, "svm"},
	} {
		task, err := newTask(ctx, "sa", synthetic(t, c.config), Options{K: 3, LossName: c.loss}, c.loss)
		if err != nil {
			t.Fatal(err)
		}
		judge, err := newJudge(ctx, task, rand.New(rand.NewPCG(1, 0)))
		if err != nil {
			t.Fatal(err)
		}
		good, err := judge.test(ctx, synth.Truth(c.config))
		if err != nil {
			t.Fatal(err)
		}
		bad, err := judge.test(ctx, []int{0, 33, 36})
		if err != nil {
			t.Fatal(err)
		}
		if good > 0.7*bad {
			t.Errorf("%s: error %v of the true variables, %v of others", c.loss, good, bad)
		}
	}
}
