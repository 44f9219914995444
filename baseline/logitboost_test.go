package baseline

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"fsa/data"
	"fsa/data/synth"
	"fsa/internal/need"
)

// The same learners as a program written from the definition, on a dense and on
// a sparse table.
func TestLogitBoostGolden(t *testing.T) {
	type result struct {
		Coef     [][]float64
		Decision []float64
	}
	var want struct {
		sample
		Bins, Rounds  int
		Lines, Stairs result
	}
	readGolden(t, "logitboost", &want)
	o := Options{K: want.Columns, Iterations: want.Rounds}
	for name, d := range map[string]*data.Dataset{"dense": want.dense(t), "sparse": want.sparse(t)} {
		m := mustFit(t, LogitBoost{Options: o}, d)
		for j, slope := range slopes(m, want.Columns) {
			near(t, name+" slope", []float64{slope}, want.Lines.Coef[j][1:], 1e-9)
		}
		near(t, name+" lines", predicted(t, m, &want.sample), want.Lines.Decision, 1e-9)

		m = mustFit(t, LogitBoost{Options: o, Bins: want.Bins}, d)
		for _, v := range m.Selected() {
			near(t, name+" heights", v.Coefficients, want.Stairs.Coef[v.Index], 1e-9)
		}
		near(t, name+" stairs", predicted(t, m, &want.sample), want.Stairs.Decision, 1e-9)
	}
}

// classes returns rows of two classes that depend on the first two columns.
func classes(seed uint64, rows, columns int, noise float64) *sample {
	rng := rand.New(rand.NewPCG(seed, 7))
	s := &sample{Columns: columns}
	for range rows {
		x := make([]float64, columns)
		for j := range x {
			x[j] = rng.NormFloat64()
		}
		y := 0.0
		if x[0]+2*x[1]+noise*rng.NormFloat64() > 0 {
			y = 1
		}
		s.X, s.Y = append(s.X, x...), append(s.Y, y)
	}
	return s
}

// No round may raise the deviance, not even where classes can be told apart
// without an error and Newton steps grow.
func TestLogitBoostDevianceFalls(t *testing.T) {
	need.Long(t)
	const seed = 21
	for _, noise := range []float64{0, 1} {
		for _, m := range []LogitBoost{{}, {Bins: 16}, {Share: 0.5}} {
			s := classes(seed, 120, 4, noise)
			if noise == 0 {
				for i, y := range s.Y {
					s.X[i*4+3] = y // tells it all
				}
			}
			d := s.dense(t)
			last := math.Ln2
			m.K = 4
			for m.Iterations = 1; m.Iterations <= 60; m.Iterations++ {
				loss := mustFit(t, m, d).Training().Metrics["logloss"]
				if loss > last {
					t.Errorf("seed %d, noise %v, %s: round %d raises the deviance from %v to %v", seed, noise, m.name(), m.Iterations, last, loss)
				}
				last = loss
			}
			if last > 0.5 {
				t.Errorf("seed %d, noise %v, %s: the deviance is still %v", seed, noise, m.name(), last)
			}
		}
	}
}

// With enough rows the true variables are found in as many rounds, as in the
// paper's table (N = 3000, k = 10: 97 of 100 tables).
func TestLogitBoostFindsTheTruth(t *testing.T) {
	c := synth.Config{N: 3000, M: 200, K: 5, Seed: 2}
	m := mustFit(t, LogitBoost{Options: Options{K: c.K}}, synthetic(t, c))
	if got, want := chosen(m), synth.Truth(c); !slices.Equal(got, want) {
		t.Errorf("seed %d: variables %v, want %v", c.Seed, got, want)
	}
}

// The random variant draws as its seed says, and K bounds the variables.
func TestLogitBoostRandom(t *testing.T) {
	d := synthetic(t, synth.Config{N: 300, M: 100, K: 5, Seed: 3})
	a := mustFit(t, LogitBoost{Options: Options{K: 5, Seed: 1}, Share: 0.1}, d)
	b := mustFit(t, LogitBoost{Options: Options{K: 5, Seed: 2}, Share: 0.1}, d)
	if slices.Equal(chosen(a), chosen(b)) {
		t.Errorf("two seeds draw the same variables %v", chosen(a))
	}
	m := mustFit(t, LogitBoost{Options: Options{K: 5, Seed: 1, Iterations: 100}, Share: 0.1}, d)
	if got := len(m.Selected()); got != 5 {
		t.Errorf("%d variables, want 5", got)
	}
}

func BenchmarkLogitBoost(b *testing.B) {
	d := synthetic(b, synth.Config{N: 10000, M: 1000, K: 30, Seed: 1})
	for b.Loop() {
		mustFit(b, LogitBoost{Options: Options{K: 30}}, d)
	}
}
