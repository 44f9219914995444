package kind

import (
	"maps"
	"slices"
	"strings"
)

// Booleans remain texts. All spellings with the same meaning are mapped to one spelling, which is
// that of the first cell with this meaning.

var trueWords, falseWords = words("yes y true t ja j wahr oui vrai si sí sim verdadero da on 1"), words("no n false f nein falsch non faux não nao falso nyet off 0")

func words(list string) map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(list) {
		set[w] = true
	}
	return set
}

// truth returns the meaning of a text: true, false, or neither.
func truth(text string) (value, ok bool) {
	if len(text) > 10 {
		return false, false
	}
	text = strings.ToLower(text)
	return trueWords[text], trueWords[text] || falseWords[text]
}

// booleanLayouts implements rule.layouts.
func booleanLayouts(cells []string, _ *Hints) []string {
	var yes, no string
	for _, cell := range cells {
		switch value, ok := truth(cell); {
		case !ok:
			return nil
		case value && yes == "":
			yes = cell
		case !value && no == "":
			no = cell
		}
	}
	if yes == "" || no == "" {
		return nil
	}
	return []string{yes + "/" + no}
}

func cutBoolean(layout string) (yes, no string, ok bool) {
	yes, no, ok = strings.Cut(layout, "/")
	return yes, no, ok && yes != "" && no != ""
}

// Spelling returns a function that maps the texts of a boolean column to one spelling.
func (c Column) Spelling() func(text string) string {
	yes, no, _ := cutBoolean(c.Layout)
	return func(text string) string {
		switch value, ok := truth(text); {
		case !ok:
			return text
		case value:
			return yes
		}
		return no
	}
}

// Spellings returns all texts that mean the same as text, yes or no, in lower case and sorted. It
// returns nil if text means neither.
func Spellings(text string) []string {
	switch value, ok := truth(text); {
	case !ok:
		return nil
	case value:
		return slices.Sorted(maps.Keys(trueWords))
	}
	return slices.Sorted(maps.Keys(falseWords))
}

// SameTruth returns the one of two texts that means the same as text, yes or no. It returns ""
// if neither does.
func SameTruth(text string, of []string) string {
	value, ok := truth(text)
	if !ok || len(of) != 2 {
		return ""
	}
	for i, t := range of {
		v, known := truth(t)
		other, both := truth(of[1-i])
		if known && both && v == value && other != value {
			return t
		}
	}
	return ""
}
