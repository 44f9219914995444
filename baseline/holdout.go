package baseline

import (
	"cmp"
	"math/rand/v2"
	"slices"

	"fsa/model"
)

// holdOut splits the weights of the rows: a fifth of the rows, drawn at random, has its weight in
// held and none in train. For a classification it is a fifth of each class; a class with fewer than
// five rows stays in training.
func (t *task) holdOut() (train, held []float64) {
	order := rand.New(rand.NewPCG(t.Seed, 0x401d)).Perm(len(t.Y))
	if t.Task == model.Classification {
		slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(t.Y[a], t.Y[b]) })
	}
	train, held = make([]float64, len(t.Y)), make([]float64, len(t.Y))
	rank := 0
	for at, i := range order {
		if at > 0 && t.Task == model.Classification && t.Y[i] != t.Y[order[at-1]] {
			rank = 0
		}
		if rank++; rank%5 == 0 {
			held[i] = t.weight(i)
		} else {
			train[i] = t.weight(i)
		}
	}
	return train, held
}

// weighing returns the task with other row weights.
func (t *task) weighing(weight []float64) *task {
	to, p := *t, *t.Problem
	p.Weight = weight
	to.Problem = &p
	return &to
}

// leastOf returns the index of the smallest number, the first of equal ones, or the middle index if
// all are NaN.
func leastOf(v []float64) int {
	best := -1
	for i, x := range v {
		if x == x && (best < 0 || x < v[best]) {
			best = i
		}
	}
	if best < 0 {
		return len(v) / 2
	}
	return best
}
