package part

import (
	"fmt"

	"fsa/data/kind"
	"fsa/internal/grid"
)

// Together decides how variables are stored. The columns of each group are side by side, and groups
// come before all others, so that no process holds only a part of one; the same holds for numbers
// and the variables made of them. Columns are named as those of a dataset are. Names that match
// nothing are left for later checks to refuse.
func (t *Table) Together(groups [][]string) error {
	taken := make([]bool, t.Width())
	t.numbers, t.texts = nil, nil
	var ends []int
	for _, names := range groups {
		for _, name := range names {
			v := t.find(name)
			if v < 0 || taken[v] {
				continue
			}
			if k := t.kindOf(v).Kind; k != kind.Number {
				return t.refuse(t.Columns[v], fmt.Sprintf("a group lists a column of the kind %s", k), "leave it out of the groups, or write it as numbers")
			}
			taken[v] = true
			t.numbers = append(t.numbers, v)
		}
		ends = append(ends, len(t.numbers))
	}
	var apart []int
	var texts []text
	for v := range taken {
		k := t.kindOf(v)
		switch parts := k.Parts(); {
		case taken[v]:
		case k.Text():
			texts = append(texts, text{variable: v})
		case len(parts) > 0:
			apart = append(apart, v)
			for i := range parts {
				t.texts = append(t.texts, text{v, i + 1, &parts[i]})
			}
		default:
			t.numbers = append(t.numbers, v)
		}
	}
	plain, parts := len(t.numbers), len(t.texts)
	t.numbers, t.texts = append(t.numbers, apart...), append(t.texts, texts...)
	t.cut = grid.NewCut(t.Rows, len(t.numbers)+len(t.texts))
	from := 0
	for _, end := range ends {
		t.cut = t.cut.Whole(from, end)
		from = end
	}
	if parts > 0 {
		t.cut = t.cut.Whole(plain, len(t.numbers)+parts)
	}
	return nil
}
