package export

import (
	"fmt"
	"slices"
	"strings"

	"fsa/model"
)

// c writes a model as C99. Categories are sorted, because the code finds them by binary search.
// Categories with a zero byte are left out, because no C string can be equal to them.
func c(s *subject, _ *Options) ([]byte, error) {
	s.spell()
	for _, t := range s.categories() {
		sortCategories(t)
	}
	return language{quoteC, "{", "}", lineWidth}.fill("scorer.c.tmpl", s, nil)
}

// sortCategories sorts by bytes and leaves out categories with zero bytes.
func sortCategories(t *model.Term) {
	var order []int
	for l, text := range t.Categories {
		if !strings.Contains(text, "\x00") {
			order = append(order, l)
		}
	}
	slices.SortFunc(order, func(a, b int) int { return strings.Compare(t.Categories[a], t.Categories[b]) })
	sorted := make([]string, len(order))
	for i, l := range order {
		sorted[i] = t.Categories[l]
	}
	for c, own := range t.Coefficients {
		values := make([]float64, len(order))
		for i, l := range order {
			values[i] = own[l]
		}
		t.Coefficients[c] = values
	}
	t.Categories = sorted
}

// quoteC returns a C literal of ASCII characters without trigraphs.
func quoteC(text string) string {
	var out strings.Builder
	out.WriteByte('"')
	for i := range len(text) {
		switch b := text[i]; {
		case b == '"' || b == '\\' || b == '?':
			out.WriteByte('\\')
			out.WriteByte(b)
		case ' ' <= b && b <= '~':
			out.WriteByte(b)
		default:
			fmt.Fprintf(&out, `\%03o`, b)
		}
	}
	out.WriteByte('"')
	return out.String()
}
