package main

import (
	"slices"
	"strings"

	"fsa/data"
	"fsa/model"
)

// ranges are what holds the response of each row with some probability: an interval, or a
// set of classes.
type ranges struct {
	low, high []float64
	sets      [][]string
}

func (r *ranges) head() []string {
	switch {
	case r == nil:
		return nil
	case r.sets != nil:
		return []string{"classes"}
	}
	return []string{"low", "high"}
}

func (r *ranges) row(i int) []string {
	switch {
	case r == nil:
		return nil
	case r.sets != nil:
		return []string{strings.Join(r.sets[i], "|")}
	}
	return []string{exactly(r.low[i]), exactly(r.high[i])}
}

// measure adds how often they hold the response, and how wide they are on average.
func (r *ranges) measure(metrics map[string]float64, t *data.Target) {
	var held, width float64
	for i, y := range t.Y {
		if r.sets != nil {
			width += float64(len(r.sets[i]))
			if slices.Contains(r.sets[i], model.ClassName(t, y)) {
				held++
			}
			continue
		}
		width += r.high[i] - r.low[i]
		if r.low[i] <= y && y <= r.high[i] {
			held++
		}
	}
	n := float64(len(t.Y))
	metrics["coverage"], metrics["width"] = held/n, width/n
}
