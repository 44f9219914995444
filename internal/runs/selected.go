package runs

import (
	"cmp"
	"encoding/csv"
	"io"
	"strconv"
	"strings"

	"fsa/model"
)

// writeSelected writes the selected variables as CSV: a line for each coefficient.
func writeSelected(w io.Writer, m *model.Model) error {
	table := csv.NewWriter(w)
	table.Write([]string{"rank", "variable", "part", "importance", "missing_share", "class", "at", "coefficient"})
	outputs := m.Outputs()
	for rank, v := range m.Selected() {
		each := len(v.Coefficients) / outputs
		for c := range outputs {
			class := ""
			if outputs > 1 {
				class = m.OutputNames()[c]
			}
			line := func(at string, x float64) {
				table.Write([]string{strconv.Itoa(rank + 1), noFormula(v.Name), v.Part, exactly(v.Norm), exactly(v.Gaps), noFormula(class), noFormula(at), exactly(x)})
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

// noFormula returns a text that a spreadsheet does not read as a formula: a text that looks like
// one gets an apostrophe, which spreadsheets do not show. Numbers are not changed.
func noFormula(text string) string {
	if text == "" || !strings.ContainsRune("=+-@\t\r", rune(text[0])) {
		return text
	}
	if _, err := strconv.ParseFloat(text, 64); err == nil {
		return text
	}
	return "'" + text
}
