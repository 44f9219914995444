package main

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"text/tabwriter"
	"unicode/utf8"

	"fsa/internal/decimal"
	"fsa/model"
)

const (
	shownClasses = 8
	shownEffects = 4  // levels of a category that are shown, those with the largest effects of both signs
	roomBeside   = 54 // characters per line for the name of a variable and its effect
)

// printVariables prints the selected variables: their importance as a number and a bar, and their
// effect, for each class if there are several.
func printVariables(w io.Writer, m *model.Model, most int) error {
	sel := m.Selected()
	tab := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	outputs := m.Outputs()
	head, folds := "variable\timportance\t\t", func(string) string { return "" }
	if v := m.Validation(); v != nil && len(v.Shares) > 0 {
		head += "folds\t" // inclusion frequency over folds
		folds = func(name string) string { return fmt.Sprintf("%.0f%%\t", 100*v.Shares[name]) }
	}
	if outputs > 1 {
		names := m.OutputNames()
		head += strings.Join(readable(names[:min(outputs, shownClasses)], shownOfLevels), "\t")
		if outputs > shownClasses {
			head += "\t…"
		}
	} else {
		head += "coefficient"
	}
	fmt.Fprintln(tab, head)
	var names []string
	for _, v := range sel[:min(len(sel), most)] {
		names = append(names, v.FullName())
	}
	names = readable(names, shownLetters)
	room := roomBeside
	for _, name := range names {
		room = min(room, roomBeside-utf8.RuneCountInString(name))
	}
	for i, name := range names {
		v := &sel[i]
		fmt.Fprintf(tab, "%s\t%s\t%s\t%s%s\n", name, decimal.Padded(v.Norm, 4), bar(v.Norm/max(sel[0].Norm, math.SmallestNonzeroFloat64)), folds(v.Name), strings.Join(effects(v, outputs, room), "\t"))
	}
	if err := tab.Flush(); err != nil {
		return err
	}
	if n := len(sel) - most; n > 0 {
		fmt.Fprintf(w, "… and %d more (--verbose prints more; --json and selected.csv of a run folder\n    have all)\n", n)
	}
	return nil
}

// effects describes the effect of a variable on each output.
func effects(v *model.Selected, outputs, room int) []string {
	each := len(v.Coefficients) / outputs
	var list []string
	for c := range min(outputs, shownClasses) {
		own := v.Coefficients[c*each : (c+1)*each]
		var text string
		switch {
		case len(v.Levels) == each && each > 0:
			text = levelEffects(v.Levels, own, outputs == 1, room)
		case each == 1:
			text = decimal.Padded(own[0], 4)
		case outputs == 1 && len(v.Knots) == each:
			text = fmt.Sprintf("%s  %s at %s, %s at %s", curveLine(own), decimal.Digits(own[0], 3), decimal.Digits(v.Knots[0], 4), decimal.Digits(own[each-1], 3), decimal.Digits(v.Knots[each-1], 4))
		default:
			text = curveLine(own)
		}
		if v.Missing != nil && outputs == 1 {
			text += ", missing " + decimal.Digits(v.Missing[c], 3)
		}
		list = append(list, text)
	}
	if v.Gaps >= 0.005 {
		list[len(list)-1] += fmt.Sprintf(" (%.0f%% missing)", 100*v.Gaps)
	}
	return list
}

// levelEffects shows the levels of a category with the largest and the smallest effects.
func levelEffects(levels []string, own []float64, several bool, room int) string {
	for half := shownEffects / 2; ; half-- {
		if text := strongestLevels(levels, own, half, several); half == 1 || utf8.RuneCountInString(text) <= room {
			return text
		}
	}
}

// strongestLevels shows up to the given number of levels of both signs, or only the first one.
func strongestLevels(levels []string, own []float64, half int, several bool) string {
	order := make([]int, len(levels))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(own[b], own[a]) })
	if !several {
		order = order[:1]
	}
	var names []string
	for _, i := range order {
		names = append(names, cmp.Or(levels[i], "(missing)"))
	}
	var parts []string
	short := readable(names, shownOfLevels)
	for at, i := range order {
		if len(order) > 2*half && at == half {
			parts = append(parts, "…")
		}
		if len(order) <= 2*half || at < half || at >= len(order)-half {
			parts = append(parts, short[at]+" "+decimal.Digits(own[i], 3))
		}
	}
	return strings.Join(parts, ", ")
}

// curveLine formats the values at knots or in bins, as many as fit on a line.
func curveLine(values []float64) string {
	const most = 12
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
