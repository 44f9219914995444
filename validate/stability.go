package validate

import (
	"fmt"
	"math"
)

// A selection is the set of variables that were selected on one half sample or fold, as distinct numbers from 0.

// Frequencies returns the inclusion frequency of each variable: the share of selections that
// contain it.
func Frequencies(selections [][]int, variables int) []float64 {
	f := make([]float64, variables)
	for _, s := range selections {
		for _, j := range s {
			f[j]++
		}
	}
	for j := range f {
		f[j] /= float64(len(selections))
	}
	return f
}

// Stability measures how well selections agree.
type Stability struct {
	// Index is 1 if all selections are equal, and 0 on average if they are random.
	Index    float64
	Variance float64 // variance of the index
	Low      float64 // lower end of the confidence interval
	High     float64 // upper end of the confidence interval
}

// Agreement measures the stability of selections (Nogueira, Sechidis and Brown 2018,
// Definition 4, Theorem 7 and Corollary 9), which may have different sizes. The result is NaN
// for fewer than two selections, and if all selections are empty or complete. The interval
// treats selections as independent, which is right for many small samples.
func Agreement(selections [][]int, variables int, confidence float64) Stability {
	if !(confidence > 0 && confidence < 1) {
		panic(fmt.Sprintf("validate: a confidence of %v", confidence))
	}
	n, d := float64(len(selections)), float64(variables)
	frequency := Frequencies(selections, variables)
	var mean, noise float64 // mean inclusion frequency p, and mean of p(1−p)
	for _, p := range frequency {
		mean += p
		noise += p * (1 - p)
	}
	mean, noise = mean/d, noise/d
	chance := mean * (1 - mean) // value of noise for random selections
	if len(selections) < 2 || !(chance > 0) {
		nan := math.NaN()
		return Stability{nan, nan, nan, nan}
	}
	index := 1 - n/(n-1)*noise/chance

	// Influence of each selection on the index.
	phi := make([]float64, len(selections))
	var average float64
	for i, s := range selections {
		var agree float64
		for _, j := range s {
			agree += frequency[j] / d
		}
		share := float64(len(s)) / d
		phi[i] = (agree - share*mean + index/2*(2*share*mean-share-mean+1)) / chance
		average += phi[i] / n
	}
	var variance float64
	for _, v := range phi {
		variance += 4 / (n * n) * (v - average) * (v - average)
	}
	half := math.Sqrt2 * math.Erfinv(confidence) * math.Sqrt(variance)
	return Stability{index, variance, index - half, index + half}
}

// Verdict describes the stability in words, by the scale that the authors of the index propose
// (after Fleiss 1981). It is empty if the index is NaN.
func (s Stability) Verdict() string {
	switch {
	case s.Index > 0.75:
		return "excellent"
	case s.Index >= 0.4:
		return "fair to good"
	case s.Index < 0.4:
		return "poor"
	}
	return ""
}
