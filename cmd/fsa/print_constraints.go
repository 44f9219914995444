package main

import (
	"fmt"
	"strings"

	"fsa/model"
)

// shownConstraints is the number of constraints that a line of text names.
const shownConstraints = 8

// constraintsOf describes constraints in one line.
func constraintsOf(list []model.Constraint) string {
	var texts []string
	for _, c := range list[:min(len(list), shownConstraints)] {
		texts = append(texts, c.String())
	}
	if more := len(list) - len(texts); more > 0 {
		texts = append(texts, fmt.Sprintf("and %d more", more))
	}
	return strings.Join(texts, ", ")
}
