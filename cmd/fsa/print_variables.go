package main

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"fsa/internal/decimal"
	"fsa/model"
)

const (
	shownClasses = 8
	shownEffects = 4  // levels of a category that are shown, those with the largest effects of both signs
	shownPoints  = 12 // points of a curve,
	fewPoints    = 6  // and where there is little room
	terminal     = 80 // characters of a line
)

// printVariables prints the selected variables: their importance as a number and a bar, and their
// effect, for each class if there are several. Names, bars and effects are as long as a line allows.
func printVariables(w io.Writer, m *model.Model, most int) error {
	table := variableTable{m: m, variables: m.Selected(), letters: shownLetters, levels: shownOfLevels, bars: 10, outputs: min(m.Outputs(), shownClasses)}
	if len(table.variables) > most {
		table.variables = table.variables[:most]
	}
	best, least := "", math.MaxInt
	for least > 0 {
		text, lost := table.text()
		if lost < least {
			best, least = text, lost
		}
		if !table.narrow() {
			break
		}
	}
	if _, err := io.WriteString(w, best); err != nil {
		return err
	}
	if n := len(m.Selected()) - most; n > 0 {
		fmt.Fprintf(w, "… and %d more (--verbose prints more; --json and selected.csv of a run folder\n    have all)\n", n)
	}
	return nil
}

// variableTable is a table of variables with room for names, levels and bars of some length and for some outputs.
type variableTable struct {
	m                              *model.Model
	variables                      []model.Selected
	letters, levels, bars, outputs int
}

// narrow makes the next narrower table, and reports whether there is one.
func (t *variableTable) narrow() bool {
	const short, few = 5, 20 // characters of a bar and of a name
	switch {
	case t.bars > short:
		t.bars = short
	case t.letters > few:
		t.letters = few
	case t.outputs > 2 && t.bars > 0:
		t.bars = 0
	case t.outputs > 2 && t.levels == shownOfLevels:
		t.levels = shownOfLevels / 2
	case t.outputs > 2:
		t.outputs--
	default:
		return false
	}
	return true
}

// text returns the table, and how much of it was left out or is beyond the end of a line.
func (t *variableTable) text() (text string, lost int) {
	outputs := t.m.Outputs()
	var names []string
	for i := range t.variables {
		names = append(names, t.variables[i].FullName())
	}
	whole := names
	names = readable(names, t.letters)
	for i := range names {
		if names[i] != whole[i] && t.letters < shownLetters {
			lost++
		}
	}
	head := []string{"variable", "importance"}
	if t.bars > 0 {
		head = append(head, "")
	}
	folds := t.m.Validation() != nil && len(t.m.Validation().Shares) > 0
	if folds {
		head = append(head, "folds") // inclusion frequency over folds
	}
	before := len(head)
	if outputs > 1 {
		names := t.m.OutputNames()
		head = append(head, readable(names[:t.outputs], shownOfLevels)...)
		if outputs > t.outputs {
			head = append(head, "…")
		}
		lost += (min(outputs, shownClasses) - t.outputs) * (len(t.variables) + 1)
	} else {
		head = append(head, "coefficient")
	}
	rows := [][]string{head}
	largest := math.SmallestNonzeroFloat64
	if all := t.m.Selected(); len(all) > 0 {
		largest = max(largest, all[0].Norm)
	}
	for i, name := range names {
		v := &t.variables[i]
		row := []string{name, decimal.Padded(v.Norm, 4)}
		if t.bars > 0 {
			row = append(row, barOf(v.Norm/largest, t.bars))
		}
		if folds {
			row = append(row, fmt.Sprintf("%.0f%%", 100*t.m.Validation().Shares[v.Name]))
		}
		rows = append(rows, row)
	}
	room := terminal
	for i := range before {
		wide := 0
		for _, row := range rows {
			wide = max(wide, breadth(row[i]))
		}
		room -= wide + 2
	}
	for i := range t.variables {
		cells, without := effects(&t.variables[i], outputs, t.outputs, t.levels, room)
		rows[i+1] = append(rows[i+1], cells...)
		lost += without
	}
	if outputs > 1 && t.m.Cuts() == nil && !t.m.Task().Relative() {
		row := append([]string{"intercept"}, make([]string, before-1)...)
		for _, v := range t.m.Intercept()[:t.outputs] {
			row = append(row, decimal.Digits(v, 4))
		}
		rows = append(rows, row)
	}
	var b strings.Builder
	tab := newTable(&b)
	for _, row := range rows {
		fmt.Fprintln(tab, strings.Join(row, "\t"))
	}
	tab.Flush() // to memory
	text = b.String()
	for line := range strings.Lines(text) {
		if over := breadth(strings.TrimRight(line, " \n")) - terminal; over > 0 {
			lost += 1000 + over
		}
	}
	return text, lost
}

// effects describes the effect of a variable on each output, or on the first few, and says how much was left out because
// there was no room.
func effects(v *model.Selected, outputs, shown, letters, room int) (list []string, lost int) {
	each := len(v.Coefficients) / outputs
	gaps := ""
	if v.Gaps >= 0.005 {
		gaps = fmt.Sprintf(" (%.0f%% missing)", 100*v.Gaps)
	}
	if outputs == 1 {
		text, lost := effect(v, gaps, room)
		return []string{text}, lost
	}
	for c := range shown {
		own := v.Coefficients[c*each : (c+1)*each]
		switch {
		case len(v.Levels) == each && each > 0:
			list = append(list, strongestLevels(v.Levels, own, 1, false, letters))
		case each == 1:
			list = append(list, decimal.Padded(own[0], 4))
		default:
			list = append(list, curveLine(own, shownPoints))
		}
	}
	return list, 0
}

// effect describes the effect of a variable on a single output in at most room characters, if that is possible. lost says
// how much was left out besides levels in the middle and digits of knots.
func effect(v *model.Selected, gaps string, room int) (text string, lost int) {
	own, missing := v.Coefficients, ""
	if v.Missing != nil {
		missing = ", missing " + decimal.Digits(v.Missing[0], 3)
	}
	last := len(own) - 1
	var forms []string // from the longest
	switch {
	case len(v.Levels) == len(own) && len(own) > 0:
		forms = []string{
			strongestLevels(v.Levels, own, shownEffects/2, true, shownOfLevels) + missing + gaps,
			strongestLevels(v.Levels, own, 1, true, shownOfLevels) + missing + gaps,
			strongestLevels(v.Levels, own, 1, true, shownOfLevels) + missing,
			strongestLevels(v.Levels, own, 1, true, shownOfLevels/2) + missing,
			strongestLevels(v.Levels, own, 1, true, shownOfLevels/2),
		}
	case len(own) == 1:
		forms = []string{decimal.Padded(own[0], 4) + missing + gaps, decimal.Padded(own[0], 4) + missing}
	case len(v.Knots) == len(own):
		at := func(points, digits int) string {
			return fmt.Sprintf("%s  %s at %s, %s at %s", curveLine(own, points), decimal.Digits(own[0], 3), decimal.Digits(v.Knots[0], digits), decimal.Digits(own[last], 3), decimal.Digits(v.Knots[last], digits))
		}
		shape, ends := curveLine(own, fewPoints)+"  ", decimal.Digits(own[0], 3)+" to "+decimal.Digits(own[last], 3)
		forms = []string{at(shownPoints, 4) + missing + gaps, at(shownPoints, 3) + missing + gaps, at(fewPoints, 3) + missing + gaps, at(fewPoints, 3) + missing, shape + ends + missing, ends + missing, shape + ends}
	default:
		forms = []string{curveLine(own, shownPoints) + missing + gaps, curveLine(own, fewPoints) + missing}
	}
	i := longest(forms, room)
	return forms[i], max(0, i-1)
}

// longest returns the number of the first text of at most room characters, or of the last text if all are longer.
func longest(texts []string, room int) int {
	for i, text := range texts {
		if breadth(text) <= room {
			return i
		}
	}
	return len(texts) - 1
}

// strongestLevels shows up to the given number of levels of both signs, or only the first one.
func strongestLevels(levels []string, own []float64, half int, several bool, letters int) string {
	order := make([]int, len(levels))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(own[b], own[a]) })
	if !several {
		order = order[:1]
	}
	all := len(order) <= 2*half
	if !all {
		order = slices.Concat(order[:half], order[len(order)-half:])
	}
	var names []string
	for _, i := range order {
		names = append(names, cmp.Or(levels[i], "(missing)"))
	}
	names = readable(names, letters)
	for at, i := range order {
		names[at] += " " + decimal.Digits(own[i], 3)
	}
	if !all {
		names = slices.Insert(names, half, "…")
	}
	return strings.Join(names, ", ")
}

// curveLine draws the values at knots or in bins, at most some of them.
func curveLine(values []float64, most int) string {
	if n := len(values); n > most {
		some := make([]float64, most)
		for i := range some {
			some[i] = values[i*(n-1)/(most-1)]
		}
		values = some
	}
	low := slices.Min(values)
	above := make([]float64, len(values))
	for i, v := range values {
		above[i] = v - low
	}
	return spark(above)
}
