package main

import (
	"cmp"
	"encoding/csv"
	"io"
	"strconv"

	"fsa/model"
)

// writeSelected writes all that was selected as CSV: a line for each coefficient.
func writeSelected(w io.Writer, m *model.Model) error {
	table := csv.NewWriter(w)
	table.Write([]string{"rank", "variable", "part", "strength", "missing_share", "class", "at", "coefficient"})
	outputs := m.Outputs()
	for rank, v := range m.Selected() {
		each := len(v.Coefficients) / outputs
		for c := range outputs {
			class := ""
			if outputs > 1 {
				if class = strconv.Itoa(c); m.Classes() != nil {
					class = m.Classes()[c]
				}
			}
			line := func(at string, x float64) {
				table.Write([]string{strconv.Itoa(rank + 1), v.Name, v.Part, exactly(v.Norm), exactly(v.Gaps), class, at, exactly(x)})
			}
			for i, x := range v.Coefficients[c*each : (c+1)*each] {
				at := ""
				switch {
				case len(v.Levels) == each:
					at = cmp.Or(v.Levels[i], "(missing)")
				case len(v.Knots) == each:
					at = exactly(v.Knots[i])
				case each > 1:
					at = "bin " + strconv.Itoa(i)
				}
				line(at, x)
			}
			if v.Missing != nil {
				line("(missing)", v.Missing[c])
			}
		}
	}
	table.Flush()
	return table.Error()
}
