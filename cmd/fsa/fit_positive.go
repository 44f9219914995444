package main

import (
	"slices"
	"strings"

	"fsa"
	"fsa/data"
	"fsa/model"
)

// sought are names of classes that one most often wants to find.
var sought = []string{"yes", "y", "true", "t", "1", "bad", "positive", "pos", "case", "sick", "disease", "churn", "churned", "default", "fraud", "spam", "failure", "fail", "dead", "death", "event"}

// positiveNote notes which class is the positive one if it was not given and the other one seems to
// be meant: by its name, or because it is rare.
func positiveNote(p *progress, m *model.Model, t *data.Dataset, o *fsa.Options) {
	const seldom = 0.2 // share of rows of a rare class
	classes := m.Classes()
	if o.Objective.Positive != "" || m.Task() != model.Classification || len(classes) != 2 || len(t.Target.Y) == 0 {
		return
	}
	n := 0
	for _, y := range t.Target.Y {
		if classOf(t.Target, y) == classes[0] {
			n++
		}
	}
	share := float64(n) / float64(len(t.Target.Y))
	named := func(class string) bool { return slices.Contains(sought, strings.ToLower(strings.TrimSpace(class))) }
	if named(classes[1]) || !named(classes[0]) && share >= seldom {
		return
	}
	p.note("the positive class is %s (%.0f%% of the rows), the last in order; --positive %s makes the other one positive", shorten(classes[1], shownLetters), 100*(1-share), shorten(classes[0], shownLetters))
}
