package data

import (
	"fmt"
	"strings"
)

// Nearest returns the name that a misspelt name probably means: one that differs only in case, or
// by at most two edits, or one of three letters. It returns "" if there is none.
func Nearest(name string, among []string) string {
	for _, a := range among {
		if strings.EqualFold(strings.TrimSpace(name), strings.TrimSpace(a)) {
			return a
		}
	}
	found, least := "", min(3, 1+len(name)/2)
	for _, a := range among {
		if d := len(a) - len(name); d >= least || -d >= least {
			continue
		}
		if d := edits(name, a); d < least {
			found, least = a, d
		}
	}
	return found
}

// edits returns the number of letters that must be changed, added or removed to turn a into b.
func edits(a, b string) int {
	row := make([]int, len(b)+1) // edits from the letters of a so far to each prefix of b
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		before := row[0]
		row[0] = i + 1
		for j := range len(b) {
			changed := before
			if a[i] != b[j] {
				changed++
			}
			before = row[j+1]
			row[j+1] = min(changed, row[j]+1, before+1)
		}
	}
	return row[len(b)]
}

// Suggest returns a hint for a name that is not a column: the most similar name, or the
// columns of the table.
func (s *Schema) Suggest(name string) string {
	if near := Nearest(name, s.Names); near != "" && !s.Sparse {
		return fmt.Sprintf("did you mean %.40q?", near)
	}
	return s.List()
}
