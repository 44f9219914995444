package motion

import (
	"fmt"
	"math/rand/v2"

	"fsa/data"
)

// assign spreads videos at random over folds of equal size and returns the fold of each sequence.
// Sequences of one video share points and stay in one fold.
func assign(list []*Described, folds int, seed uint64) ([]int, error) {
	var videos []string
	place := map[string]int{}
	for _, d := range list {
		if _, known := place[d.Video]; !known {
			place[d.Video] = len(videos)
			videos = append(videos, d.Video)
		}
	}
	if len(videos) < folds {
		return nil, &data.Error{Msg: fmt.Sprintf("%d videos cannot be spread over %d folds: each fold needs at least one video", len(videos), folds)}
	}
	fold := make([]int, len(videos))
	for i, v := range rand.New(rand.NewPCG(seed, foldStream)).Perm(len(videos)) {
		fold[v] = i * folds / len(videos)
	}
	out := make([]int, len(list))
	for i, d := range list {
		out[i] = fold[place[d.Video]]
	}
	return out, nil
}

// foldStream separates the random numbers of folds from those of other purposes.
const foldStream = 0x666f6c64
