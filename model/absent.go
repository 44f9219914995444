package model

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// AbsentNote returns a sentence that lists the variables that more than half of the folds have selected, but that the
// model does not use. It is empty if there are none.
func (m *Model) AbsentNote() string {
	v := m.Validation()
	if v == nil {
		return ""
	}
	absent := maps.Clone(v.Shares)
	maps.DeleteFunc(absent, func(_ string, share float64) bool { return share <= 0.5 })
	for _, used := range m.Selected() {
		delete(absent, used.Name)
		delete(absent, used.FullName())
	}
	for _, pair := range m.Interactions() {
		for _, side := range pair.Variables {
			delete(absent, side.Name)
		}
	}
	names := slices.SortedFunc(maps.Keys(absent), func(a, b string) int {
		return cmp.Or(cmp.Compare(absent[b], absent[a]), cmp.Compare(a, b))
	})
	if len(names) == 0 {
		return ""
	}
	var parts []string
	for _, name := range names[:min(len(names), shownTies)] {
		parts = append(parts, fmt.Sprintf("%s (%.0f%%)", name, 100*absent[name]))
	}
	if n := len(names) - shownTies; n > 0 {
		parts = append(parts, fmt.Sprintf("and %d more", n))
	}
	return "selected by most of the folds, but not by the fit of all rows: " + strings.Join(parts, ", ")
}
