package main

import (
	"fmt"
	"io"
	"strings"

	"fsa/internal/decimal"
	"fsa/model"
)

// money writes an amount.
func money(v float64) string { return decimal.Digits(v, 6) }

// printCosts prints what the selected columns cost.
func printCosts(w io.Writer, c *model.Costs) {
	if c == nil {
		return
	}
	var texts []string
	for _, p := range c.Paid[:min(len(c.Paid), shownConstraints)] {
		name := p.Name
		if p.Panel {
			name = "panel " + name
		}
		texts = append(texts, shorten(name, shownLetters)+" "+money(p.Price))
	}
	if more := len(c.Paid) - len(texts); more > 0 {
		texts = append(texts, fmt.Sprintf("and %d more", more))
	}
	wrapped(w, fmt.Sprintf("costs %s of a budget of %s: %s", money(c.Spent), money(c.Budget), strings.Join(texts, ", ")))
}

// sizeName returns what is printed for a point of a curve: its size, or its budget.
func sizeName(v *model.Validation, p model.ValidationPoint) string {
	for i, of := range v.Points {
		if v.Budgets != nil && of.Size == p.Size {
			return money(v.Budgets[i])
		}
	}
	return fmt.Sprint(p.Size)
}
