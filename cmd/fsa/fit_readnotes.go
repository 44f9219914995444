package main

import (
	"math"
	"regexp"
	"slices"

	"fsa/data"
	"fsa/data/describe"
	"fsa/data/kind"
)

// readNotes prints notes about surprising properties of a table.
func readNotes(p *progress, t *data.Dataset) {
	noteTexts(p, t)
	if t.Target != nil {
		noteCodes(p, t.Target)
	}
}

// suspectNotes prints possible problems of the table as a whole, like describe: leaks, copies and
// ordered rows, each with the flag that helps.
func (r *fitRun) suspectNotes() error {
	const most = 3 // duplicates that are named
	o := &r.options
	found, err := describe.Suspects(r.ctx, r.table, o.Validation.Ordered || o.Validation.FoldOf != nil)
	copies := 0
	for _, f := range found {
		if f.Copy {
			if copies++; copies > most {
				continue
			}
		}
		where := "column " + shorten(f.Column, shownLetters)
		if f.Column == "" { // a target without a name
			where = "target"
		}
		if f.Table {
			r.progress.note("%s; %s", f.What, f.Cure)
			continue
		}
		r.progress.note("%s: %s; %s", where, f.What, f.Cure)
		r.leak = r.leak || f.Leak
	}
	if copies > most {
		r.progress.note("%d more columns are copies of others; fsa describe lists them", copies-most)
	}
	return err
}

// noteTexts names numeric columns in which texts are treated as missing.
func noteTexts(p *progress, t *data.Dataset) {
	const most = 3 // columns that are named
	n := 0
	for j := range t.Columns {
		words := slices.DeleteFunc(slices.Clone(t.Kind(j).Missing), kind.MissingWord)
		if len(words) == 0 {
			continue
		}
		if n++; n <= most {
			p.note("column %s: %.40q is not a number and is treated as missing; give --categorical if it is a category", shorten(t.ColumnName(j), shownLetters), words[0])
		}
	}
	if n > most {
		p.note("%d more columns have texts among numbers, which are treated as missing", n-most)
	}
}

// coded matches names of columns whose numbers have no order.
var coded = regexp.MustCompile(`(?i)(^|[^a-z])(zip|zipcode|zip code|postcode|postal|plz|code|id)([^a-z]|$)`)

// noteCodes warns about a target whose numbers look like codes.
func noteCodes(p *progress, t *data.Target) {
	const least, rowsPerCode = 20, 4 // with fewer, another note is printed
	if t.Categories != nil || t.Each != nil || len(t.Y) == 0 {
		return
	}
	seen := map[float64]bool{}
	low, high := math.Inf(1), math.Inf(-1)
	for _, v := range t.Y {
		if v != math.Trunc(v) {
			return
		}
		if low, high = min(low, v), max(high, v); len(seen) < len(t.Y) {
			seen[v] = true
		}
	}
	alike := low >= 10_000 && high < 100_000 && rowsPerCode*len(seen) <= len(t.Y) // like zip codes
	if len(seen) > least && (alike || coded.MatchString(t.Name)) {
		p.note("the target has %d different whole numbers that look like codes and is treated as a number; if they are classes, give --loss multinomial", len(seen))
	}
}
