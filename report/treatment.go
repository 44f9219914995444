package report

import (
	"fmt"
	"math"
	"strings"
)

// treatments fills in how the selected columns were read and used.
func (p *page) treatments(r *Run) {
	table := [][]string{{"variable", "read_as", "shape", "missing"}}
	for i := range r.Model.Variables {
		v := &r.Model.Variables[i]
		row := treatmentRow{Name: v.Name, Kind: v.readAs(), Shape: v.shape(), Missing: v.missing(r)}
		table = append(table, []string{row.Name, row.Kind, row.Shape, row.Missing})
		if i < drawnResponses {
			p.Treatments = append(p.Treatments, row)
		}
	}
	p.Data.CSV["columns"] = csvText(table)
}

// readAs describes how cells of the column were read.
func (v *Variable) readAs() string {
	if v.Treatment != "" {
		return v.Treatment
	}
	if v.Kind == KindCategory {
		return "category"
	}
	return "number"
}

// shape describes the effect of a variable in words.
func (v *Variable) shape() string {
	switch v.Kind {
	case KindLinear:
		if math.IsInf(v.High-v.Low, 0) {
			return "straight line"
		}
		return "straight line from " + v.show(v.Low) + " to " + v.show(v.High)
	case KindCurve:
		return fmt.Sprintf("curve through %d knots from %s to %s", len(v.Knots), v.show(v.Knots[0]), v.show(v.Knots[len(v.Knots)-1]))
	case KindSteps:
		return fmt.Sprintf("steps: %d bins from %s to %s", len(v.Knots)-1, v.show(v.Knots[0]), v.show(v.Knots[len(v.Knots)-1]))
	}
	return "an effect for each of " + plural(len(v.Levels), "category", "categories")
}

// missing describes how missing values are treated.
func (v *Variable) missing(r *Run) string {
	share := ""
	if d := r.density(v); d != nil {
		if d.Missing == 0 {
			return "none"
		}
		share = percent(float64(d.Missing)/float64(max(d.Rows, 1))) + " of the rows"
	}
	if len(v.Missing) == 0 {
		return share
	}
	var parts []string
	for _, m := range v.Missing[:min(len(v.Missing), shownClasses)] {
		parts = append(parts, brief(m))
	}
	return strings.TrimPrefix(share+", effect "+strings.Join(parts, ", "), ", ")
}
