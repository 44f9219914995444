package main

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// exactly writes a number so that it can be read back.
func exactly(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

// numbers shows a few.
func numbers(v []float64) string {
	var parts []string
	for i, x := range v {
		if i == shownCoefficients {
			parts = append(parts, "…")
			break
		}
		parts = append(parts, fmt.Sprintf("%.4g", x))
	}
	return strings.Join(parts, " ")
}

// bar draws a share of ten letters.
func bar(share float64) string {
	return strings.Repeat("▪", int(math.Round(10*min(max(share, 0), 1))))
}

// spark draws shares.
func spark(shape []float64) string {
	if len(shape) == 0 {
		return ""
	}
	const marks = "▁▂▃▄▅▆▇█"
	most := slices.Max(shape)
	var b strings.Builder
	for _, v := range shape {
		level := 0
		if most > 0 {
			level = int(7*v/most + 0.5)
		}
		b.WriteRune([]rune(marks)[level])
	}
	return b.String()
}
