package model

import (
	"maps"
	"math"
	"slices"
	"strconv"

	"fsa/data"
)

// TargetColumn is one of several targets of a model.
type TargetColumn struct {
	Name string `json:"name"`
	// Classes are the two classes of a label, the last of them positive; nil for a number.
	Classes []string `json:"classes,omitempty"`
}

// ClassName returns the name of the class that is encoded as v in a target.
func ClassName(t *data.Target, v float64) string { return className(t, v) }

// className returns the name of the class with response v.
func className(t *data.Target, v float64) string {
	if t.Categories != nil {
		return t.Categories[int(v)]
	}
	v += 0 // turns −0 into 0
	if v == math.Trunc(v) && math.Abs(v) < 1e15 {
		return strconv.FormatFloat(v, 'f', -1, 64)
	}
	return strconv.FormatFloat(v, 'g', -1, 64)
}

// maxClasses prevents a column of identifiers from being read as classes.
const maxClasses = 1000

// distinct returns the different responses of rows with a positive weight, ascending. It stops at
// one more than the largest allowed number of classes.
func distinct(t *data.Target) []float64 {
	seen := make(map[float64]bool)
	for i, v := range t.Y {
		if t.Weight != nil && t.Weight[i] == 0 {
			continue
		}
		if seen[v] = true; len(seen) > maxClasses {
			break
		}
	}
	return slices.Sorted(maps.Keys(seen))
}
