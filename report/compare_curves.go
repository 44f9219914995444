package report

import (
	"fmt"
	"slices"

	"fsa/internal/plots"
)

// sharedCurves is the number of variables, selected by several runs, that are drawn.
const sharedCurves = 12

// overlays draws the shape functions of several runs for the variables that at least two of them
// selected.
func overlays(runs []*Run, members []member) (list []*Figure) {
	for _, r := range runs {
		if r.Model.Outputs != 1 {
			return nil
		}
	}
	for _, m := range members {
		if m.in < 2 || len(list) == sharedCurves {
			continue
		}
		if f := overlay(runs, m.Name, len(list)+1); f != nil {
			list = append(list, f)
		}
	}
	return list
}

// overlay draws the shape functions of one variable. It returns nil if the runs treat the variable
// in different ways.
func overlay(runs []*Run, name string, number int) *Figure {
	f := &Figure{ID: fmt.Sprintf("shared-%d", number), Title: name, Half: true, Alt: "The effect of " + name + " in each run.", Table: [][]string{{"run", "value", "adds"}}}
	chart := &plots.Chart{X: name, Y: adds(&runs[0].Model)}
	f.chart = chart
	var texts []string
	first := true
	var scale axis
	var places0 []float64
	for i, r := range runs {
		at := slices.IndexFunc(r.Model.Variables, func(v Variable) bool { return v.Name == name })
		if at < 0 {
			continue
		}
		v := &r.Model.Variables[at]
		line := plots.Curve{Name: r.Name, Tint: classTint(i)}
		if v.Kind == KindCategory {
			if first {
				texts = v.Levels[:min(len(v.Levels), shownLevels)]
			}
			if texts == nil {
				return nil
			}
			line.NoLine = true
			for k, text := range texts {
				if l := slices.Index(v.Levels, text); l >= 0 {
					line.X, line.Y = append(line.X, v.Coefficients[0][l]), append(line.Y, -float64(k))
					line.Tips = append(line.Tips, fmt.Sprintf("%s, %s: %s", r.Name, text, brief(v.Coefficients[0][l])))
					f.Table = append(f.Table, []string{r.Name, text, exact(v.Coefficients[0][l])})
				}
			}
		} else {
			if texts != nil {
				return nil
			}
			d := r.density(v)
			if first {
				scale, places0 = axisOf(d), places(v, d)
				if scale.log && !(places0[0] > 0) {
					scale = axis{}
				}
			}
			line.X = slices.Concat(places(v, d), scale.along(places0[0], places0[len(places0)-1]))
			slices.Sort(line.X)
			line.X, line.Steps = slices.Compact(line.X), v.Kind == KindSteps
			for _, x := range line.X {
				line.Y = append(line.Y, v.At(0, x))
				f.Table = append(f.Table, []string{r.Name, exact(x), exact(v.At(0, x))})
			}
		}
		first = false
		chart.Curves = append(chart.Curves, line)
		chart.Keys = append(chart.Keys, plots.Key{Class: fmt.Sprintf("k%d", line.Tint), Text: r.Name})
	}
	if texts != nil {
		chart.X, chart.Y, chart.YNames = chart.Y, "", texts
		chart.YRange = [2]float64{0.5 - float64(len(texts)), 0.5}
		chart.Rules = []plots.Rule{{Vertical: true}}
		for i, text := range texts {
			if text == "" {
				chart.YNames = slices.Clone(texts)
				chart.YNames[i] = "missing"
			}
		}
		return f
	}
	chart.X += scale.name()
	chart.LogX, chart.Warp, chart.Rules = scale.log, scale.warp, []plots.Rule{{At: 0}}
	chart.XRange = [2]float64{places0[0], places0[len(places0)-1]}
	return f
}

// settings returns the decisions in which runs differ.
func settings(records []*RunRecord) (rows []settingRow) {
	at := map[string]int{}
	for i, r := range records {
		if r == nil {
			continue
		}
		plan := append([]Decision{{Setting: "command", Value: r.Line()}, {Setting: "version", Value: r.Version}, {Setting: "seed", Value: fmt.Sprint(r.Seed)}}, r.Plan...)
		for _, d := range plan {
			k, ok := at[d.Setting]
			if !ok {
				k = len(rows)
				at[d.Setting] = k
				rows = append(rows, settingRow{d.Setting, make([]string, len(records))})
			}
			rows[k].Values[i] = d.Value
		}
	}
	return slices.DeleteFunc(rows, func(s settingRow) bool {
		return !slices.ContainsFunc(s.Values, func(v string) bool { return v != s.Values[0] })
	})
}
