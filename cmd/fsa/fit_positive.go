package main

import (
	"slices"
	"strings"

	"fsa"
	"fsa/data"
	"fsa/model"
)

// sought are names of classes that are usually of interest.
var sought = []string{"yes", "y", "true", "t", "1", "bad", "positive", "pos", "case", "sick", "disease", "churn", "churned", "default", "fraud", "spam", "failure", "fail", "dead", "death", "event"}

// positiveNote names the positive class if none was given and the other class seems to be the one
// of interest: by its name, or because it is rare.
func positiveNote(p *progress, m *model.Model, t *data.Dataset, o *fsa.Options) {
	const seldom = 0.2 // share of the rows, below which a class is rare
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
