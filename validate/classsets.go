package validate

import "fmt"

// ClassSets computes sets of classes that contain the true class with a given probability.
type ClassSets struct {
	// Adaptive sets are larger for difficult rows (APS of Romano, Sesia and Candès 2020; without
	// its random part, so the coverage is slightly higher than requested). The others are the
	// smallest on average (LAC of Sadinle, Lei and Wasserman 2019).
	Adaptive bool
	// Limit is the highest score that a class of a set has; +Inf allows all.
	Limit float64
}

// NewClassSets chooses the limit from out-of-fold probabilities. y[i] is the class 0, 1, …,
// classes−1, and p[i*classes+c] is the probability that row i is of class c. A set contains
// the class of a new row with probability coverage or more.
func NewClassSets(p []float64, classes int, y, w []float64, coverage float64, adaptive bool) ClassSets {
	if classes < 1 || len(p) != classes*len(y) {
		panic(fmt.Sprintf("validate: %d probabilities of %d rows and %d classes", len(p), len(y), classes))
	}
	s := ClassSets{Adaptive: adaptive}
	score := make([]float64, len(y))
	for i := range y {
		c := int(y[i])
		if float64(c) != y[i] || c < 0 || c >= classes {
			panic(fmt.Sprintf("validate: class %v of %d", y[i], classes))
		}
		score[i] = s.score(p[i*classes:(i+1)*classes], c)
	}
	s.Limit = Quantile(score, w, coverage)
	return s
}

// score returns the nonconformity score of a class, given the probabilities of a row.
func (s ClassSets) score(p []float64, class int) float64 {
	if !s.Adaptive {
		return 1 - p[class]
	}
	var sum float64 // of the classes that are at least as probable
	for _, v := range p {
		if v >= p[class] {
			sum += v
		}
	}
	return sum
}

// Set returns the set of classes, ascending, for a row with the given probabilities. It always
// contains the most probable class.
func (s ClassSets) Set(p []float64) []int {
	top := 0
	for c, v := range p {
		if v > p[top] {
			top = c
		}
	}
	var set []int
	for c := range p {
		if c == top || s.score(p, c) <= s.Limit {
			set = append(set, c)
		}
	}
	return set
}
