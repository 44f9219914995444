package report

import (
	"strings"

	"fsa/internal/plots"
)

// rivalRow is a line of the table of rivals: what the model loses without a variable, and with others in its place.
type rivalRow struct{ Name, Without, Verdict, Instead string }

// rivalRows returns the table of rivals, if they were measured.
func rivalRows(r *Run) (rows []rivalRow) {
	if r.Curve == nil {
		return nil
	}
	for _, t := range r.Curve.Ties {
		if t.Without == nil {
			return nil
		}
		row, verdict := rivalRow{Name: t.Name, Without: signedBrief(t.Without.Mean)}, "indispensable"
		var instead []string
		for _, other := range t.Rivals {
			if other.Instead == nil {
				continue
			}
			text := plots.Isolate(other.Name) + " " + signedBrief(other.Instead.Mean)
			if other.Instead.Equal {
				text, verdict = text+" (no loss)", "interchangeable"
			}
			instead = append(instead, text)
		}
		if t.Without.Equal {
			verdict = "marginal"
		}
		row.Verdict, row.Instead = verdict, strings.Join(instead, ", ")
		rows = append(rows, row)
	}
	return rows
}

func signedBrief(v float64) string {
	if v < 0 {
		return brief(v)
	}
	return "+" + brief(v)
}
