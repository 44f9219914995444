package paper

import "fsa/internal/plots"

// sideBySide returns a picture of charts in a row with one legend, and its
// points as a table.
func sideBySide(name string, charts ...plots.Chart) picture {
	p := picture{name: name, points: [][]string{{"chart", "curve", "x", "y"}}}
	for _, c := range charts {
		for _, line := range c.Curves {
			for i := range line.X {
				p.points = append(p.points, []string{c.Y + " against " + c.X, line.Name, exact(line.X[i]), exact(line.Y[i])})
			}
		}
	}
	p.draw = plots.Sheet{Width: 300, Height: 250, Charts: charts}.WriteSVG
	return p
}
