package report

import (
	"fmt"

	"fsa/internal/plots"
)

// view is one of the sizes of a figure.
type view struct {
	P     *plots.Inline
	F     *figure
	Class string
}

// View returns a size of a figure by its name.
func (f *figure) View(class string) view {
	if class == "narrow" {
		return view{f.Narrow, f, class}
	}
	return view{f.Wide, f, class}
}

// Heads returns the numbers above the columns of a matrix.
func (m *matrix) Heads() []matrixName {
	var heads []matrixName
	for i := range m.Names {
		heads = append(heads, matrixName{X: m.Left + 18*i + 9, Y: m.Top - 8, Number: fmt.Sprint(i + 1)})
	}
	return heads
}

// Cross returns the lines between chosen variables and others.
func (m *matrix) Cross() string {
	if m.Chosen == 0 || m.Left+m.Chosen >= m.Width-8 {
		return ""
	}
	return fmt.Sprintf("M%d %dV%dM%d %dH%d", m.Left+m.Chosen, m.Top, m.Height, m.Left, m.Top+m.Chosen, m.Width)
}

// section is an entry of the navigation.
type section struct{ ID, Name string }

// Sections lists what the page has.
func (p *page) Sections() []section {
	if p.Comparison != nil {
		return []section{{"runs", "Runs"}, {"shared", "Who chose what"}, {"commands", "What was run"}}
	}
	var list []section
	add := func(there bool, id, name string) {
		if there {
			list = append(list, section{id, name})
		}
	}
	add(p.Curve != nil, "size", "How many")
	add(true, "variables", "Variables")
	add(p.Stable != nil, "sure", "How sure")
	add(len(p.Measures) > 0 || len(p.Quality) > 0, "quality", "How good")
	add(len(p.Descent) > 0, "descent", "Descent")
	add(len(p.Examples) > 0, "rows", "Single rows")
	add(p.Matrix != nil, "correlation", "Correlation")
	add(true, "provenance", "What was run")
	return list
}
