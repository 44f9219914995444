package report

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/plot/vg"

	"fsa/internal/plots"
)

// pictures are the plots of [Plot], with their names for users.
var pictures = []struct {
	name string
	make func(r *Run) []*Figure
}{
	{"cv", one(curveFigure)},
	{"path", one(pathFigure)},
	{"alive", one(aliveFigure)},
	{"effects", effectFigures},
	{"importance", one(strengthFigure)},
	{"stability", one(stabilityFigure)},
	{"interactions", interactionFigures},
	{"quality", qualityFigures},
	{"rows", exampleFigures},
	{"correlation", one(correlationFigure)},
}

func one(make func(r *Run) *Figure) func(r *Run) []*Figure {
	return func(r *Run) []*Figure {
		if f := make(r); f != nil {
			return []*Figure{f}
		}
		return nil
	}
}

// Pictures lists the names of the plots.
func Pictures() []string {
	var names []string
	for _, p := range pictures {
		names = append(names, p.name)
	}
	return names
}

// Formats lists the file formats of plots.
func Formats() []string { return plots.Formats() }

// Plot draws one of [Pictures] in one of [Formats]. The plot of effects has all variables, or only
// the named ones.
func Plot(w io.Writer, r *Run, what, format string, variables []string) error {
	i := slices.Index(Pictures(), what)
	if i < 0 {
		return fmt.Errorf("report: unknown plot %q: it must be one of %s", what, strings.Join(Pictures(), ", "))
	}
	if len(variables) > 0 {
		chosen := *r
		chosen.Model.Variables, chosen.some = nil, true
		for _, name := range variables {
			at := slices.IndexFunc(r.Model.Variables, func(v Variable) bool { return v.Name == name })
			if at < 0 {
				return fmt.Errorf("report: %s is not a selected variable", name)
			}
			chosen.Model.Variables = append(chosen.Model.Variables, r.Model.Variables[at])
		}
		r = &chosen
	}
	figures := pictures[i].make(r)
	if len(figures) == 0 {
		why := map[string]string{
			"cv": "it was fitted at one size: leave out -k, or give several sizes", "quality": "it was not cross-validated: leave out --quick",
			"stability": "fit with --stability 50", "interactions": "the model has none",
		}[what]
		if r.Curve != nil && what == "quality" { // survival times have no picture of it
			why = ""
		}
		return fmt.Errorf("report: this run saved no %s data%s", what, strings.TrimSuffix("; "+why, "; "))
	}
	sheet := plots.Sheet{Width: 460, Height: 320, Columns: 3}
	if len(figures) > 1 {
		sheet.Width, sheet.Height = 300, 230
	}
	for _, f := range figures {
		c := *f.chart
		c.Title = f.Title
		if n := len(c.YNames); n > 0 {
			sheet.Height = max(sheet.Height, vg.Length(80+15*n))
		}
		sheet.Charts = append(sheet.Charts, c)
	}
	return sheet.WriteAs(w, format)
}

func effectFigures(r *Run) []*Figure {
	var list []*Figure
	for i := range r.Model.Variables {
		list = append(list, responseFigure(r, i))
	}
	return list
}

// correlationFigure shows correlations as shades.
func correlationFigure(r *Run) *Figure {
	c := r.Correlation
	if c == nil || len(c.Names) < 2 {
		return nil
	}
	n := len(c.Names)
	chart := &plots.Chart{XRange: [2]float64{-0.5, float64(n) - 0.5}, YRange: [2]float64{0.5 - float64(n), 0.5}}
	for i, name := range c.Names {
		number := strconv.Itoa(i + 1)
		chart.XNames, chart.YNames = append(chart.XNames, number), append(chart.YNames, name)
		chart.YTails = append(chart.YTails, " ("+number+")")
		for j := range n {
			v, tint := c.Values[i][j], 1
			if v < 0 {
				v, tint = -v, 2
			}
			x, y := float64(j), -float64(i)
			chart.Bars = append(chart.Bars, plots.Bar{X0: x - 0.47, X1: x + 0.47, Y0: y - 0.47, Y1: y + 0.47, Tint: tint, Shade: max(v, 0.001)})
		}
	}
	return &Figure{ID: "correlation", Title: "Correlation of the selected variables and those dropped last", chart: chart, Table: c.table(), Alt: "Matrix of correlations."}
}
