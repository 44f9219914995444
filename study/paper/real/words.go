package real

import (
	"math"
	"math/rand/v2"
	"slices"
)

// words generates sparse tables like word counts: frequencies follow Zipf's law, a text mixes a few
// topics with their own words, and its class is whether one topic is in it.
func words(rows int) func(*rand.Rand) (*Table, *Table) {
	const (
		vocabulary = 4000
		topics     = 6
		favoured   = 60 // words of a topic
		length     = 80 // words of a text, on average
	)
	return func(rng *rand.Rand) (*Table, *Table) {
		common := make([]float64, vocabulary)
		for j := range common {
			common[j] = 1 / float64(j+10)
		}
		draw := make([]func() int, topics)
		for c := range draw {
			weight := slices.Clone(common)
			for range favoured {
				// Words that are neither the most common nor almost never used.
				j := int(math.Exp(math.Log(20) + rng.Float64()*math.Log(vocabulary/20)))
				weight[min(j, vocabulary-1)] *= 8
			}
			draw[c] = discrete(weight, rng)
		}
		t := &Table{Rows: rows + held, Cols: vocabulary, Start: []int{0}, Classes: []string{"other", "topic"}}
		for range t.Rows {
			first, second := rng.IntN(topics), rng.IntN(topics)
			if rng.IntN(5) < 2 { // this topic is in more texts than the others
				first = 0
			}
			share := 0.3 + 0.7*rng.Float64()
			count := map[int]float64{}
			for range int(length * math.Exp(0.5*rng.NormFloat64())) {
				topic := second
				if rng.Float64() < share {
					topic = first
				}
				count[draw[topic]()]++
			}
			var present []int
			for j := range count {
				present = append(present, j)
			}
			slices.Sort(present)
			for _, j := range present {
				t.Index, t.Value = append(t.Index, uint32(j)), append(t.Value, count[j])
			}
			t.Start = append(t.Start, len(t.Index))
			y := 0.0
			if first == 0 {
				y = 1
			}
			t.Y = append(t.Y, y)
		}
		return cut(t, rows)
	}
}

// discrete returns a function that draws numbers with probabilities proportional to weights.
func discrete(weight []float64, rng *rand.Rand) func() int {
	sum := make([]float64, len(weight))
	total := 0.0
	for j, w := range weight {
		total += w
		sum[j] = total
	}
	return func() int {
		at, _ := slices.BinarySearch(sum, rng.Float64()*total)
		return min(at, len(sum)-1)
	}
}
