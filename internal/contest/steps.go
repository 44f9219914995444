package contest

import (
	"fmt"
	"sync"

	"fsa/internal/search"
)

// The parts of a contest, in their order. Contests of a given size have neither interactions nor sizes.
const (
	Recipes      = "recipes"
	Interactions = "interactions"
	Sizes        = "sizes"
	Improvements = "improvements"
	Swaps        = "swaps"
	Smaller      = "smaller sizes"
)

// Step is what a contest has done.
type Step struct {
	Part  string
	Share float64 // about what share of the part is done; it never decreases within the part
	Doing string  // what is tried, in words
}

// steps reports the steps of a contest. What a contest does depends on what it finds, so the number of steps of a part is an
// estimate, and a part may enter the same part again.
type steps struct {
	tell func(Step)

	mu        sync.Mutex
	part      string
	share, to float64                  // share that is done, and that will be done
	left      int                      // after this number of steps
	ran       map[search.Selection]int // number of folds on which a selection was run
}

// enter says that a number of steps is about to take a part to a share. It reports that, unless there is nothing to say.
func (s *steps) enter(part string, to float64, n int, doing string) {
	if s == nil || s.tell == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if part != s.part {
		s.part, s.share = part, 0
	}
	if s.to, s.left = max(to, s.share), n; doing != "" {
		s.tell(Step{s.part, s.share, doing})
	}
}

// again enters a part that may be entered again, until a share of what is left of it.
func (s *steps) again(part string, share float64, n int, doing string) {
	if s == nil {
		return
	}
	at := 0.0
	if s.part == part {
		at = s.share
	}
	s.enter(part, at+share*(1-at), n, doing)
}

// did says that a recipe was run at a size on a fold. The first two parts count each selection once on each fold.
func (s *steps) did(at key, fold, folds int) {
	if s == nil || s.tell == nil || at.size == 0 {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	first := fold >= s.ran[at.Select]
	if first {
		s.ran[at.Select] = fold + 1
	}
	if s.left > 0 && (first || s.part != Recipes && s.part != Interactions) {
		s.share += (s.to - s.share) / float64(s.left)
		s.left--
	}
	s.tell(Step{s.part, s.share, fmt.Sprintf("%s, fold %d of %d", s.doing(at), fold+1, folds)})
}

// doing describes what is tried: a selection, or later a size.
func (s *steps) doing(at key) string {
	if s.part == Recipes || s.part == Interactions {
		return selecting(at.Select)
	}
	words := fmt.Sprintf("%d variables", at.size)
	if at.size == 1 {
		words = "1 variable"
	}
	if at.Swaps != (search.Swaps{}) {
		words += ", swaps"
	}
	return words
}

// selecting describes a selection.
func selecting(by search.Selection) string {
	switch {
	case by.Interactions.Most > 0:
		return "interactions"
	case by.Roots:
		return "square roots"
	case by.Bins > 0:
		return fmt.Sprintf("curves with %d bins", by.Bins)
	case by.Method == search.Lasso:
		return "lasso"
	case by.Loss != "":
		return by.Loss + " loss"
	}
	return "straight lines"
}

// shares returns the share of the first part that is done after each selection. The cost of curves grows with their bins.
func shares(list []search.Selection) []float64 {
	const bins = 5 // whose curve costs one more line
	to, sum := make([]float64, len(list)), 0.0
	for i, s := range list {
		sum += 1 + float64(s.Bins)/bins
		to[i] = sum
	}
	for i := range to {
		to[i] /= sum
	}
	return to
}

// triedRidges is about how many ridges are tried for a recipe at a size.
const triedRidges = 3
