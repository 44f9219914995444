package baseline

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"fsa/data"
)

// The same rankers as a program that lists every pair, on a dense and on a
// sparse table.
func TestRankBoostGolden(t *testing.T) {
	var want struct {
		sample
		Bins, Rounds int
		Heights      [][]float64
		Decision     []float64
	}
	readGolden(t, "rankboost", &want)
	for name, d := range map[string]*data.Dataset{"dense": want.dense(t), "sparse": want.sparse(t)} {
		m := mustFit(t, RankBoost{Options: Options{K: want.Columns, Iterations: want.Rounds}, Bins: want.Bins}, d)
		got := make([][]float64, want.Columns)
		for j := range got {
			got[j] = make([]float64, want.Bins)
		}
		for _, v := range m.Selected() {
			got[v.Index] = v.Coefficients
		}
		for j := range got {
			near(t, name, got[j], want.Heights[j], 1e-9)
		}
		near(t, name+" decision", predicted(t, m, &want.sample), want.Decision, 1e-9)
	}
}

// grades returns rows of queries whose relevance depends on two of the columns.
func grades(seed uint64, queries, rows, columns int) *sample {
	rng := rand.New(rand.NewPCG(seed, 1))
	s := &sample{Columns: columns}
	for q := range queries {
		for range rows {
			x := make([]float64, columns)
			for j := range x {
				x[j] = rng.NormFloat64()
			}
			s.X = append(s.X, x...)
			s.Y = append(s.Y, math.Floor(x[0]-x[1]*x[1]+0.3*rng.NormFloat64()))
			s.Weight = append(s.Weight, float64(rng.IntN(3)))
			s.Query = append(s.Query, float64(q))
		}
	}
	return s
}

// No round may raise the exponential loss.
func TestRankBoostLossFalls(t *testing.T) {
	const seed = 11
	s := grades(seed, 12, 15, 6)
	d := s.dense(t)
	task, err := newTask(context.Background(), "rankboost", d, Options{K: 6, LossName: "rank"}, "rank")
	if err != nil {
		t.Fatal(err)
	}
	pairs := newPairMass(task)
	last := math.Inf(1)
	for rounds := 1; rounds < 60; rounds++ {
		m := mustFit(t, RankBoost{Options: Options{K: 6, Iterations: rounds}}, d)
		_, loss := pairs.weigh(predicted(t, m, s))
		if loss > last {
			t.Errorf("seed %d: round %d raises the loss from %v to %v", seed, rounds, last, loss)
		}
		last = loss
	}
	_, start := pairs.weigh(make([]float64, len(s.Y)))
	if last > start-0.5 {
		t.Errorf("seed %d: the logarithm of the loss fell from %v to %v only", seed, start, last)
	}
}

// Sums by grade give each row what listing all pairs gives it, also where
// scores are so far apart that the mass of most pairs vanishes.
func TestPairMass(t *testing.T) {
	const seed = 5
	for _, spread := range []float64{1, 2000} {
		s := grades(seed, 5, 9, 3)
		d := s.dense(t)
		o := Options{K: 3, LossName: "rank"}
		task, err := newTask(context.Background(), "rankboost", d, o, "rank")
		if err != nil {
			t.Fatal(err)
		}
		h := make([]float64, len(s.Y))
		rng := rand.New(rand.NewPCG(seed, 2))
		for i := range h {
			h[i] = spread * rng.NormFloat64()
		}
		graded, gradedLoss := newPairMass(task).weigh(h)
		for i := range s.Y {
			for j := range s.Y {
				if s.Query[i] == s.Query[j] && s.Y[i] > s.Y[j] {
					// Half of the pairs are told the other way round.
					if (i+j)%2 == 0 {
						d.Target.Pairs = append(d.Target.Pairs, data.Pair{I: i, J: j, R: 1})
					} else {
						d.Target.Pairs = append(d.Target.Pairs, data.Pair{I: j, J: i, R: 0})
					}
				}
			}
		}
		judged, judgedLoss := newPairMass(task).weigh(h)
		near(t, "mass", graded, judged, 1e-12)
		near(t, "loss", []float64{gradedLoss}, []float64{judgedLoss}, 1e-9)
	}
}

// A variable that orders every query must not be given an infinite say, and K
// bounds the variables that are used.
func TestRankBoostExtremes(t *testing.T) {
	const seed = 3
	s := grades(seed, 8, 10, 5)
	for i := range s.Y {
		s.X[i*5+2] = s.Y[i]
		s.Weight[i] = 1
	}
	m := mustFit(t, RankBoost{Options: Options{K: 1}}, s.dense(t))
	if got := chosen(m); !slices.Equal(got, []int{2}) {
		t.Errorf("seed %d: variables %v, want the one that holds the relevance", seed, got)
	}
	if got := m.Training().Metrics["ndcg10"]; got != 1 {
		t.Errorf("seed %d: NDCG %v, want 1", seed, got)
	}
	for k := 1; k < 5; k++ {
		m := mustFit(t, RankBoost{Options: Options{K: k, Iterations: 200}}, grades(seed, 8, 10, 5).dense(t))
		if got := len(m.Selected()); got != k {
			t.Errorf("seed %d: %d variables, want %d", seed, got, k)
		}
	}
}
