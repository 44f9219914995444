package real

import (
	"hash/fnv"
	"math/rand/v2"
	"slices"
)

// split divides the rows of a table at random: train of them for training, or half if that is 0,
// and others for prediction, at most test of them unless that is 0. Every class is divided in the
// same way, and the rows of a query stay together.
func split(t *Table, train, test int, rng *rand.Rand) (*Table, *Table) {
	share := 0.5
	if train > 0 {
		share = min(share, float64(train)/float64(t.Rows))
	}
	var learn, rest []int
	for _, part := range strata(t) {
		rng.Shuffle(len(part), func(i, j int) { part[i], part[j] = part[j], part[i] })
		// Remainders go to either side at random.
		cut := int(share*float64(len(part)) + rng.Float64())
		cut = min(max(cut, 1), len(part)-1)
		for i, unit := range part {
			if i < cut {
				learn = append(learn, unit...)
			} else {
				rest = append(rest, unit...)
			}
		}
	}
	if test > 0 && len(rest) > test {
		rng.Shuffle(len(rest), func(i, j int) { rest[i], rest[j] = rest[j], rest[i] })
		rest = rest[:test]
	}
	slices.Sort(learn)
	slices.Sort(rest)
	return t.pick(learn), t.pick(rest)
}

// strata returns units of rows that stay together: those of each class, or queries, or all rows.
func strata(t *Table) [][][]int {
	switch t.task() {
	case ranking:
		var units [][]int
		for i, q := range t.Query {
			if i == 0 || q != t.Query[i-1] {
				units = append(units, nil)
			}
			units[len(units)-1] = append(units[len(units)-1], i)
		}
		return [][][]int{units}
	case regression:
		var units [][]int
		for i := range t.Rows {
			units = append(units, []int{i})
		}
		return [][][]int{units}
	}
	parts := make([][][]int, len(t.Classes))
	for i, y := range t.Y {
		parts[int(y)] = append(parts[int(y)], []int{i})
	}
	return parts
}

// stream returns the random numbers of a set and a seed.
func stream(name string, seed uint64) *rand.Rand {
	h := fnv.New64a()
	h.Write([]byte(name))
	return rand.New(rand.NewPCG(seed, h.Sum64()))
}
