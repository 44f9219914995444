package record

import (
	"math"

	"fsa/report"
)

const (
	// correlated is the number of selected variables that are compared with each other, the most
	// important ones, and beside the number of those that were dropped last.
	correlated = 60
	rivals     = 12
	// sampled is the number of rows on which correlations are measured, spread over the table: their
	// standard error is below 0.02.
	sampled = 4000
)

// sample returns evenly spread rows, with missing numbers replaced by the mean of the others.
func sample(x []float64) []float64 {
	step := max(1, (len(x)+sampled-1)/sampled)
	var out []float64
	sum, n := 0.0, 0
	for i := 0; i < len(x); i += step {
		out = append(out, x[i])
		if !math.IsNaN(x[i]) {
			sum += x[i]
			n++
		}
	}
	for i, v := range out {
		if math.IsNaN(v) {
			out[i] = sum / float64(n)
		}
	}
	return out
}

// correlation returns the correlation matrix of samples. Variables that do not vary in the sample
// have correlation 0.
func correlation(names []string, chosen int, x [][]float64) *report.Correlation {
	c := &report.Correlation{Names: names, Chosen: chosen}
	if len(x) == 0 {
		return nil
	}
	c.Rows = len(x[0])
	for _, v := range x {
		standardise(v)
	}
	c.Values = make([][]float64, len(x))
	for i := range x {
		c.Values[i] = make([]float64, len(x))
		for j := range x {
			if j < i {
				c.Values[i][j] = c.Values[j][i]
				continue
			}
			sum := 0.0
			for r, v := range x[i] {
				sum += v * x[j][r]
			}
			c.Values[i][j] = math.Round(1000*finite(sum)) / 1000
		}
	}
	return c
}

// standardise gives numbers the mean 0 and the length 1, in place.
func standardise(x []float64) {
	mean, squares := 0.0, 0.0
	for _, v := range x {
		mean += v / float64(len(x))
	}
	for i := range x {
		x[i] -= mean
		squares += x[i] * x[i]
	}
	for i := range x {
		if squares > 0 {
			x[i] /= math.Sqrt(squares)
		} else {
			x[i] = 0
		}
	}
}
