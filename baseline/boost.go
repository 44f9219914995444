package baseline

import (
	"math/rand/v2"
	"slices"
)

// entrants are the variables that boosting may choose from in a round: all of them, or a random
// share, until k different ones are in use; after that, only those.
type entrants struct {
	k     int
	all   []int
	share float64 // share of the variables that enter a round; 0 means all
	rng   *rand.Rand
	used  []int // ascending
}

func newEntrants(t *task, share float64) *entrants {
	return &entrants{k: t.K, all: slices.Clone(t.design.Usable), share: share, rng: rand.New(rand.NewPCG(t.Seed, 0xb0057))}
}

// next returns the variables of the next round, valid until it is called again.
func (e *entrants) next() []int {
	switch {
	case len(e.used) >= e.k:
		return e.used
	case e.share == 0:
		return e.all
	}
	n := max(1, int(e.share*float64(len(e.all))))
	for i := range n {
		j := i + e.rng.IntN(len(e.all)-i)
		e.all[i], e.all[j] = e.all[j], e.all[i]
	}
	slices.Sort(e.all[:n]) // ties go to the lower variable
	return e.all[:n]
}

// use records that a variable was chosen.
func (e *entrants) use(v int) {
	if at, found := slices.BinarySearch(e.used, v); !found {
		e.used = slices.Insert(e.used, at, v)
	}
}
