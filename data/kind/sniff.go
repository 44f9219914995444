package kind

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// mostTexts is the largest share of texts among numbers for which the texts are read as missing
// values.
const mostTexts = 0.1

// Sniff decides the kind of a text column from some of its cells that are not missing. It
// returns a [*Doubt] if they can be read in several ways.
func Sniff(cells []string, h Hints) (Column, error) {
	for i := range rules {
		r := &rules[i]
		layouts := r.layouts(cells, &h)
		if len(layouts) == 0 {
			continue
		}
		layout := layouts[0]
		if doubt := r.doubt(layouts, cells); doubt != nil {
			return Column{}, doubt
		}
		c := Column{Kind: r.name, Layout: layout, Why: r.why(layout, cells)}
		if r.name == Number {
			c.Layout, c.decimal = chooseForm(layouts, h.Decimal)
			if slices.Contains(layouts, plainForm) && readsAll(cells, plain) {
				c.Layout = ""
			}
		}
		return c, nil
	}
	return amongTexts(cells, h)
}

func plain(cell string) bool {
	_, err := strconv.ParseFloat(cell, 64)
	return err == nil
}

// doubt returns an error that names a cell with different meanings in different layouts, or nil if
// there is none.
func (r *rule) doubt(layouts, cells []string) error {
	if r.parse == nil {
		return nil
	}
	for _, cell := range cells {
		first, _ := r.parse(layouts[0], cell)
		for _, other := range layouts[1:] {
			if v, _ := r.parse(other, cell); v != first {
				return &Doubt{cell, fmt.Sprintf("%q may be %s or %s: %s, or declare the column as categorical", cell, r.show(first), r.show(v), r.cure)}
			}
		}
	}
	return nil
}

// why returns the reason for a layout.
func (r *rule) why(layout string, cells []string) string {
	switch r.name {
	case Boolean:
		return fmt.Sprintf("all cells say yes or no, such as %s", layout)
	case Number:
		return fmt.Sprintf("numbers written like %s", cells[0])
	}
	return fmt.Sprintf("%ss written like %s", r.name, cells[0])
}

// amongTexts decides the kind of a column whose cells are not all of one kind: numbers with some
// words among them, or categories.
func amongTexts(cells []string, h Hints) (Column, error) {
	var numbers, words []string
	texts := 0
	for _, cell := range cells {
		if Looks(cell) {
			numbers = append(numbers, cell)
			continue
		}
		if !MissingWord(cell) {
			texts++
		}
		if !slices.Contains(words, cell) {
			words = append(words, cell)
		}
	}
	all := texts + len(numbers)
	switch {
	case len(numbers) == 0 && readsAll(cells, isDate):
		return Column{}, &Doubt{cells[0], shorten(cells[0]) + " looks like a date, but the dates of the column are not all written in the same way: write them as 2024-01-31, or leave the column out with --drop"}
	case len(numbers) == 0:
		return Column{Kind: Category, Why: "texts"}, nil
	case slices.ContainsFunc(words, isList):
		return Column{Kind: Category, Why: "texts with lists of numbers among them"}, nil
	case 2*texts > all:
		return Column{Kind: Category, Why: fmt.Sprintf("texts, and %d%% numbers among them", percent(len(numbers), all))}, nil
	case len(words) == 0:
		return Column{}, &Doubt{numbers[0], fmt.Sprintf("%q looks like a number, but the cells of the column are not all written in the same way: describe them with --decimal or --thousands, or declare the column as categorical", numbers[0])}
	case float64(texts) > mostTexts*float64(all):
		word := words[slices.IndexFunc(words, func(w string) bool { return !MissingWord(w) })]
		return Column{}, &Doubt{word, shorten(word) + " is not a number; correct it or leave it empty, or declare the column as categorical"}
	}
	c, err := Sniff(numbers, h)
	if err != nil || c.Kind != Number {
		return c, err
	}
	c.Missing = words
	c.Why = fmt.Sprintf("numbers; %q and the like stand for missing ones", words[0])
	return c, nil
}

// isList reports whether a text that is not a number consists of digits and commas.
func isList(text string) bool {
	return strings.ContainsAny(text, ",;") && strings.Trim(text, "0123456789,; ") == ""
}

// percent returns a share for a person; it is 0 or 100 only if the share is exactly that.
func percent(part, all int) int {
	p := 100 * part / max(all, 1)
	if p == 0 && part > 0 {
		return 1
	}
	return p
}

// HasPoint reports whether the point must be the decimal mark, because some plain number can be
// read in no other way.
func HasPoint(cells []string) bool {
	return slices.ContainsFunc(cells, func(cell string) bool {
		return !likely("1.234,5", cell) && strings.Contains(cell, ".")
	})
}

// Learn takes hints for other columns from a column that can be read in only one way.
func (h *Hints) Learn(c Column) {
	switch c.Kind {
	case Number:
		if h.Decimal == 0 {
			h.Decimal = c.decimal
		}
	case Date:
		if h.DateOrder == "" {
			h.DateOrder = orderOf(c.Layout)
		}
	}
}

// shorten quotes a text, and truncates it if it is long.
func shorten(text string) string {
	const most = 40
	if r := []rune(text); len(r) > most {
		text = string(r[:most]) + "…"
	}
	return strconv.Quote(text)
}
