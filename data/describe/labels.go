package describe

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
)

// manyClasses reports whether a target has too many different texts to be classes. counts has the rows of each.
func manyClasses(target string, counts map[float64]int, classes int) (p Problem, found bool) {
	const most = 100
	single := 0
	for _, n := range counts {
		if n == 1 {
			single++
		}
	}
	return Problem{
		Column: target, What: fmt.Sprintf("the target has %d different texts, %d of them in a single row", classes, single),
		Cure: "are these classes? Name another target or, if they are numbers, say how they are written with --decimal", weight: 110,
	}, classes > most
}

// alike returns groups of classes whose names differ only in case, spaces and punctuation. They are
// most often one class, written in several ways.
func alike(classes []string) [][]string {
	by := map[string][]string{}
	var order []string
	for _, c := range classes {
		key := strings.Map(func(r rune) rune {
			if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
				return -1
			}
			return unicode.ToLower(r)
		}, c)
		if key == "" || strings.TrimFunc(key, unicode.IsDigit) == "" { // −1 and 1 are different numbers
			continue
		}
		if by[key] == nil {
			order = append(order, key)
		}
		by[key] = append(by[key], c)
	}
	var groups [][]string
	for _, key := range order {
		if group := by[key]; len(group) > 1 {
			slices.Sort(group)
			groups = append(groups, group)
		}
	}
	return groups
}

// alikeProblem describes a group of such classes.
func alikeProblem(target string, group []string) Problem {
	const most = 4
	var names []string
	for _, c := range group[:min(len(group), most)] {
		names = append(names, fmt.Sprintf("%q", c))
	}
	if len(group) > most {
		names = append(names, "…")
	}
	return Problem{Column: target, What: "the classes " + strings.Join(names, ", ") + " look like one class, written in several ways", Cure: "write it in one way in the table, if it is one", weight: 115}
}
