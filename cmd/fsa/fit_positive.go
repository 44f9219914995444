package main

import (
	"slices"
	"strings"

	"fsa/data"
)

// sought are names of classes that are usually of interest.
var sought = []string{"yes", "y", "true", "t", "1", "bad", "positive", "pos", "case", "sick", "disease", "churn", "churned", "default", "fraud", "spam", "failure", "fail", "dead", "death", "event"}

// choosePositive chooses the positive class of two if none was given: the one whose name says that it is of interest, or
// the rare one. Otherwise it is the last in order.
func (r *fitRun) choosePositive() {
	if to := &r.options.Objective.Positive; *to == "" && r.method == nil && r.twoClasses() {
		if class, why := likelyPositive(r.table.Target); class != "" {
			*to = class
			r.progress.note("the positive class is %s, %s; --positive makes the other one positive", shorten(class, shownLetters), why)
		}
	}
}

// twoClasses reports whether the loss is one for two classes.
func (r *fitRun) twoClasses() bool {
	for _, name := range r.variants.losses {
		if !slices.Contains([]string{"auto", "logistic", "svm", "lorenz"}, name) {
			return false
		}
	}
	return true
}

// likelyPositive returns the first of two classes that are texts if it is the one of interest, by its name or because it
// is rare, and the reason.
func likelyPositive(t *data.Target) (class, why string) {
	const seldom = 0.2 // share of the rows, below which a class is rare
	if t.Each != nil || t.Categories == nil {
		return "", ""
	}
	rows := map[string]int{}
	for _, y := range t.Y {
		if y == y {
			rows[t.Categories[int(y)]]++
		}
	}
	if len(rows) != 2 {
		return "", ""
	}
	var classes []string
	for name := range rows {
		classes = append(classes, name)
	}
	slices.Sort(classes)
	named := func(class string) bool { return slices.Contains(sought, strings.ToLower(strings.TrimSpace(class))) }
	switch first, last := classes[0], classes[1]; {
	case named(last):
	case named(first):
		return first, "by its name"
	case float64(rows[first]) < seldom*float64(rows[first]+rows[last]):
		return first, "because it is rare"
	}
	return "", ""
}
