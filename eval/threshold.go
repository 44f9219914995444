package eval

import (
	"math"
	"strconv"
	"strings"
)

// The thresholds in this file are chosen on rows of known class: a row is predicted positive if its
// score is above the threshold, which is midway between two neighbouring scores. −Inf predicts all
// rows positive, +Inf none. If several thresholds are equally good, the highest is taken. All are
// NaN if a class has no weight or a score is NaN.

// ThresholdF1 returns the threshold with the highest F1, the harmonic mean of
// precision and recall (van Rijsbergen 1979).
func ThresholdF1(score, y, w []float64) float64 {
	check("ThresholdF1", len(score), len(y), w)
	return threshold(score, y, w, func(c, all cut) float64 {
		return -2 * c.pos / (all.pos + c.pos + c.neg)
	})
}

// ThresholdBalanced returns the threshold with the lowest [BalancedError]
// (Youden 1950).
func ThresholdBalanced(score, y, w []float64) float64 {
	check("ThresholdBalanced", len(score), len(y), w)
	return threshold(score, y, w, func(c, all cut) float64 {
		return c.neg/all.neg - c.pos/all.pos
	})
}

// ThresholdCost returns the threshold with the lowest cost, where a false positive costs fp and a
// false negative costs fn. It is also NaN unless both costs are at least 0 and one is positive.
func ThresholdCost(score, y, w []float64, fp, fn float64) float64 {
	check("ThresholdCost", len(score), len(y), w)
	if !(fp >= 0 && fn >= 0 && fp+fn > 0) {
		return math.NaN()
	}
	return threshold(score, y, w, func(c, all cut) float64 {
		return fp*c.neg + fn*(all.pos-c.pos)
	})
}

// threshold returns the threshold with the lowest loss.
func threshold(score, y []float64, w weights, loss func(c, all cut) float64) float64 {
	list, all := cuts(score, y, w)
	if all.pos == 0 || all.neg == 0 {
		return math.NaN()
	}
	best, least := math.Inf(1), loss(cut{}, all)
	for at, c := range list {
		l := loss(c, all)
		if !(l < least) {
			continue
		}
		least = l
		if best = math.Inf(-1); at+1 < len(list) {
			best = between(list[at+1].score, c.score)
		}
	}
	return best
}

// between returns a number that is at least low, and below high.
func between(low, high float64) float64 {
	if mid := low/2 + high/2; low <= mid && mid < high {
		return mid
	}
	return low // they are neighbours, or one is infinite
}

// thresholdRules is the table of named rules.
var thresholdRules = []struct {
	name string
	rule func(score, y, w []float64) float64
}{
	{"f1", ThresholdF1},
	{"balanced", ThresholdBalanced},
}

// ThresholdNames returns the names that [ThresholdRule] accepts, besides cost=FP:FN.
func ThresholdNames() []string {
	var names []string
	for _, r := range thresholdRules {
		names = append(names, r.name)
	}
	return names
}

// ThresholdRule returns the function that chooses a threshold: f1 for [ThresholdF1], balanced for
// [ThresholdBalanced], and cost=FP:FN for [ThresholdCost] with these costs.
func ThresholdRule(name string) (rule func(score, y, w []float64) float64, ok bool) {
	for _, r := range thresholdRules {
		if r.name == name {
			return r.rule, true
		}
	}
	costs, ok := strings.CutPrefix(name, "cost=")
	first, second, both := strings.Cut(costs, ":")
	fp, err := strconv.ParseFloat(first, 64)
	fn, err2 := strconv.ParseFloat(second, 64)
	if !ok || !both || err != nil || err2 != nil || !(fp >= 0 && fn >= 0 && fp+fn > 0) || math.IsInf(fp+fn, 0) {
		return nil, false
	}
	return func(score, y, w []float64) float64 { return ThresholdCost(score, y, w, fp, fn) }, true
}
