package search

import "slices"

// mayPair reports whether two columns of the dataset may be in an interaction.
func (s *Sample) mayPair(a, b int) bool {
	return s.Among == nil || slices.ContainsFunc(s.Among, func(set map[int]bool) bool { return set[a] && set[b] })
}

// countPairs returns the number of pairs of a number with a later number, or with a text, that may be in an interaction.
func (s *Sample) countPairs(numbers, texts []int) int {
	n := 0
	for i, a := range numbers {
		if s.Among == nil {
			n += len(numbers) - i - 1 + len(texts)
			continue
		}
		for _, others := range [][]int{numbers[i+1:], texts} {
			for _, b := range others {
				if s.mayPair(a, b) {
					n++
				}
			}
		}
	}
	return n
}
