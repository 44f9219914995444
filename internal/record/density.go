package record

import (
	"math"
	"slices"
	"strconv"

	"fsa/report"
)

// The number of bars of a histogram, and of listed texts of a category.
const (
	bars  = 40
	texts = 1000
)

// density describes the distribution of a variable.
func density(x []float64, names []string) report.Density {
	d := report.Density{Rows: len(x)}
	if names != nil {
		count := make([]int, len(names))
		for _, v := range x {
			if math.IsNaN(v) || names[int(v)] == "" {
				d.Missing++
			} else {
				count[int(v)]++
			}
		}
		for i, n := range count {
			if names[i] != "" {
				d.Levels = append(d.Levels, report.Level{Text: names[i], Rows: n})
			}
		}
		slices.SortStableFunc(d.Levels, func(a, b report.Level) int { return b.Rows - a.Rows })
		d.Levels = d.Levels[:min(len(d.Levels), texts)]
		return d
	}
	low, high, n := math.Inf(1), math.Inf(-1), 0
	var mean, squares float64
	for _, v := range x {
		if math.IsNaN(v) {
			d.Missing++
			continue
		}
		low, high = min(low, v), max(high, v)
		n++
		step := v - mean
		mean += step / float64(n)
		squares += step * (v - mean)
	}
	if n == 0 {
		return d
	}
	d.Mean, d.SD = finite(mean), finite(math.Sqrt(squares/float64(n)))
	d.Quantiles, d.Levels = quantiles(x), two(x, low, high, n)
	width := high - low
	if !(width > 0) || math.IsInf(width, 0) {
		d.Edges, d.Counts = []float64{low, high}, []int{n}
		return d
	}
	d.Counts = make([]int, bars)
	for i := range bars + 1 {
		d.Edges = append(d.Edges, round(low+width*float64(i)/bars))
	}
	d.Edges[0], d.Edges[bars] = low, high
	for _, v := range x {
		if !math.IsNaN(v) {
			d.Counts[min(int(bars*((v-low)/width)), bars-1)]++
		}
	}
	return d
}

// quantiles returns the quantiles of the numbers, without missing ones, at equal distances from the
// smallest to the largest.
func quantiles(x []float64) []float64 {
	sorted := slices.DeleteFunc(slices.Clone(x), math.IsNaN)
	slices.Sort(sorted)
	out := make([]float64, bars+1)
	for i := range out {
		out[i] = sorted[(len(sorted)-1)*i/bars]
	}
	return out
}

// two returns the two values of a column that has no others, and nil for other columns.
func two(x []float64, low, high float64, n int) []report.Level {
	count := 0
	for _, v := range x {
		switch {
		case math.IsNaN(v):
		case v == high:
			count++
		case v != low:
			return nil
		}
	}
	if low == high {
		return nil
	}
	return []report.Level{{Text: strconv.FormatFloat(low, 'f', -1, 64), Rows: n - count}, {Text: strconv.FormatFloat(high, 'f', -1, 64), Rows: count}}
}
