package export

import (
	"fmt"
	"slices"
	"strings"

	"fsa/model"
)

// predictions returns classes and probabilities, computed from the decision values in levels, each
// of which uses the previous ones.
func (q *query) predictions(decision []result) ([][]result, error) {
	if q.Labels() {
		return q.labels(decision)
	}
	if !q.Classifies() {
		return nil, nil
	}
	classes, err := q.quoted(q.Classes)
	if err != nil {
		return nil, err
	}
	z := make([]string, len(decision))
	for c := range z {
		z[c] = identifier(decision[c].name)
	}
	if len(z) == 1 {
		out := []result{{q.name("class"), q.positive(z[0], classes)}}
		if q.Link == model.Logistic {
			out = append(out, result{q.name("probability"), q.logistic(z[0])})
		}
		return [][]result{out}, nil
	}
	top := result{q.name("top"), q.largest(z)}
	parts := make([]string, len(z))
	for c := range z {
		parts[c] = q.exp(z[c] + " - " + identifier(top.name))
	}
	total := result{q.name("total"), add(parts)}
	which := make([]string, len(z)) // if several are equal, the first counts
	for c := range z {
		which[c] = "WHEN " + z[c] + " THEN " + classes[c]
	}
	last := []result{{q.name("class"), "CASE " + identifier(top.name) + "\n    " + strings.Join(which, "\n    ") + " END"}}
	for c, name := range q.perClass("probability") {
		last = append(last, result{name, parts[c] + " / " + identifier(total.name)})
	}
	return [][]result{{top}, {total}, last}, nil
}

// labels returns the class of each label, and its probability.
func (q *query) labels(decision []result) ([][]result, error) {
	var classes, probabilities []result
	names := q.perClass("probability")
	for c, name := range q.perClass("class") {
		own, err := q.quoted(q.Targets[c].Classes)
		if err != nil {
			return nil, err
		}
		z := identifier(decision[c].name)
		classes = append(classes, result{name, q.positive(z, own)})
		probabilities = append(probabilities, result{names[c], q.logistic(z)})
	}
	return [][]result{append(classes, probabilities...)}, nil
}

// quoted returns the names of classes as texts.
func (q *query) quoted(classes []string) ([]string, error) {
	out := make([]string, len(classes))
	for c, text := range classes {
		quoted, err := q.quote(text)
		if err != nil {
			return nil, fmt.Errorf("class %q has %w in its name, which SQL does not allow: rename the class and fit again", text, err)
		}
		out[c] = quoted
	}
	return out, nil
}

// positive returns the class of a decision value, of two.
func (q *query) positive(z string, classes []string) string {
	return "CASE WHEN " + z + " > " + q.threshold() + " THEN " + classes[1] + " WHEN " + z + " IS NOT NULL THEN " + classes[0] + " END"
}

// logistic returns the probability of a decision value.
func (q *query) logistic(z string) string { return "1e0 / (1e0 + " + q.exp("-"+z) + ")" }

// threshold returns the decision value above which the last of two classes is predicted.
func (q *query) threshold() string {
	if q.Threshold == 0 {
		return "0e0"
	}
	return literal(q.Threshold)
}

// exp returns an exponential. Some engines refuse numbers that are too large or too close to zero;
// beyond ±700 the result does not change.
func (q *query) exp(x string) string {
	return "exp(" + q.least + "(" + q.greatest + "(" + x + ", -700e0), 700e0))"
}

// largest returns the largest of several numbers. Functions accept about 100 arguments.
func (q *query) largest(x []string) string {
	const most = 100
	if len(x) == 1 {
		return x[0]
	}
	if len(x) <= most {
		return q.greatest + "(" + strings.Join(x, ", ") + ")"
	}
	var groups []string
	for group := range slices.Chunk(x, most) {
		groups = append(groups, q.largest(group))
	}
	return q.largest(groups)
}
