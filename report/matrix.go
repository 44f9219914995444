package report

import (
	"fmt"
	"math"
	"strings"

	"fsa/internal/plots"
)

// matrix is a picture of correlations. It has one path per shade, so that it stays small.
type matrix struct {
	Width, Height int
	Shades        []shade
	Names         []matrixName
	Chosen        int // end of the selected variables, in pixels
	Left, Top     int
	Side          int          // of a cell
	Values        []matrixName // shown in the cells; none if there is no space
	Cells         []matrixCell
	Cut           int    // number of selected variables shown, if not all
	Most          string // number in the table in that case
}

type shade struct{ Class, D string }

// matrixName is a name beside a row.
type matrixName struct {
	X, Y   int
	Text   string
	Number string
	Chosen bool
}

// matrixCell describes one of the strongest correlations in words.
type matrixCell struct{ Text string }

const (
	// matrixNames is the largest number of variables with names.
	matrixNames = 40
	// writtenNames is the largest number of variables with values in the cells.
	writtenNames = 20
	// shades is the number of shades from 0 to 1.
	shades = 5
)

// newMatrix draws the correlations. It returns nil if there are fewer than two variables.
func newMatrix(c *Correlation) *matrix {
	if c == nil || len(c.Names) < 2 {
		return nil
	}
	var show []int
	chosen := min(c.Chosen, matrixNames-12)
	for i := range c.Names {
		if i < chosen || i >= c.Chosen && len(show) < matrixNames {
			show = append(show, i)
		}
	}
	const left, top = 170, 26
	side, written := 18, len(show) <= writtenNames
	if written {
		side = 36
	}
	m := &matrix{Width: left + side*len(show) + 4, Height: top + side*len(show) + 4, Chosen: side * chosen, Left: left, Top: top, Side: side}
	paths := map[string]*strings.Builder{}
	var order []string
	for s := 1; s <= shades; s++ {
		order = append(order, fmt.Sprintf("n%d", s), fmt.Sprintf("p%d", s))
	}
	for _, class := range order {
		paths[class] = &strings.Builder{}
	}
	var diagonal strings.Builder
	for a, i := range show {
		m.Names = append(m.Names, matrixName{X: left - 6, Y: top + side*a + side/2 + 4, Text: plots.Isolate(plots.Cut(c.Names[i], left-44)), Number: fmt.Sprint(a + 1), Chosen: i < c.Chosen})
		for b, j := range show {
			v := c.Values[i][j]
			s := int(math.Ceil(math.Abs(v) * shades))
			if a == b {
				fmt.Fprintf(&diagonal, "M%d %dh%dv%dh-%dz", left+side*b+1, top+side*a+1, side-1, side-1, side-1)
				if written {
					m.Values = append(m.Values, matrixName{X: left + side*b + side/2, Y: top + side*a + side/2 + 4, Text: "1"})
				}
				continue
			}
			if written {
				m.Values = append(m.Values, matrixName{X: left + side*b + side/2, Y: top + side*a + side/2 + 4, Text: minus(fmt.Sprintf("%.2f", math.Round(100*v)/100+0))})
			}
			if s == 0 {
				continue
			}
			class := fmt.Sprintf("p%d", min(s, shades))
			if v < 0 {
				class = "n" + class[1:]
			}
			fmt.Fprintf(paths[class], "M%d %dh%dv%dh-%dz", left+side*b+1, top+side*a+1, side-1, side-1, side-1)
		}
	}
	for _, class := range order {
		if d := paths[class].String(); d != "" {
			m.Shades = append(m.Shades, shade{class, d})
		}
	}
	m.Shades = append(m.Shades, shade{"same", diagonal.String()})
	m.Cells = strongest(c)
	if chosen < c.Chosen {
		m.Cut, m.Most = chosen, plural(len(c.Names), "variable", "variables")
	}
	return m
}

// strongest lists the pairs with the strongest correlations.
func strongest(c *Correlation) []matrixCell {
	const most, least = 8, 0.5
	var cells []matrixCell
	used := map[[2]int]bool{}
	for len(cells) < most {
		best, at := least, [2]int{-1, -1}
		for i := range c.Names {
			for j := range i {
				if v := math.Abs(c.Values[i][j]); v > best && !used[[2]int{i, j}] && j < c.Chosen {
					best, at = v, [2]int{i, j}
				}
			}
		}
		if at[0] < 0 {
			return cells
		}
		used[at] = true
		kind := ""
		if at[0] >= c.Chosen {
			kind = " (dropped late)"
		}
		cells = append(cells, matrixCell{fmt.Sprintf("%s and %s%s: %s", plots.Isolate(c.Names[at[1]]), plots.Isolate(c.Names[at[0]]), kind, brief(c.Values[at[0]][at[1]]))})
	}
	return cells
}

// table returns the numbers for a CSV file.
func (c *Correlation) table() [][]string {
	out := [][]string{append([]string{"variable"}, c.Names...)}
	for i, row := range c.Values {
		line := []string{c.Names[i]}
		for _, v := range row {
			line = append(line, exact(v))
		}
		out = append(out, line)
	}
	return out
}

// shorten shortens a text to n letters, keeping its beginning and its end.
func shorten(s string, n int) string {
	r := []rune(s)
	if len(r) <= n {
		return s
	}
	return string(r[:n/2]) + "…" + string(r[len(r)-(n-1)/2:])
}

// Heads returns the numbers above the columns of a matrix.
func (m *matrix) Heads() []matrixName {
	var heads []matrixName
	for i := range m.Names {
		heads = append(heads, matrixName{X: m.Left + m.Side*i + m.Side/2, Y: m.Top - 8, Number: fmt.Sprint(i + 1)})
	}
	return heads
}

// Cross returns the lines between selected variables and others.
func (m *matrix) Cross() string {
	if m.Chosen == 0 || m.Left+m.Chosen >= m.Width-8 {
		return ""
	}
	return fmt.Sprintf("M%d %dV%dM%d %dH%d", m.Left+m.Chosen, m.Top, m.Height, m.Left, m.Top+m.Chosen, m.Width)
}
