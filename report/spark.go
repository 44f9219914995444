package report

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// mark is a path of a small picture.
type mark struct{ Class, D string }

// The size of a small picture, in pixels.
const sparkWidth, sparkHeight = 84.0, 22.0

// spark draws a shape function without axes: a curve, or a bar for each of some categories, the
// largest first.
func spark(r *Run, v *Variable) []mark {
	if v.Kind == KindCategory {
		return sparkBars(v)
	}
	d := r.density(v)
	at := places(v, d)
	first, last := at[0], at[len(at)-1]
	scale := axisOf(d)
	if scale.log && !(first > 0) {
		scale = axis{}
	}
	place := func(x float64) float64 {
		switch {
		case scale.log:
			return math.Log(x/first) / math.Log(last/first)
		case scale.warp != nil:
			return rank(scale.warp, x)
		}
		return (x - first) / (last - first)
	}
	x := slices.Concat(at, scale.along(first, last))
	slices.Sort(x)
	x = slices.Compact(x)
	low, high := 0.0, 0.0
	classes := min(r.Model.Outputs, shownClasses)
	for c := range classes {
		for _, at := range x {
			low, high = min(low, v.At(c, at)), max(high, v.At(c, at))
		}
	}
	if !(high > low) {
		high = low + 1
	}
	height := func(y float64) float64 { return 1 + (sparkHeight-2)*(high-y)/(high-low) }
	marks := []mark{{"sdull", fmt.Sprintf("M0 %.1fH%.0f", height(0), sparkWidth)}}
	for c := range classes {
		var b strings.Builder
		before := 0.0
		for i, at := range x {
			px, py := sparkWidth*place(at), height(v.At(c, at))
			switch {
			case i == 0:
				fmt.Fprintf(&b, "M%.1f %.1f", px, py)
			case v.Kind == KindSteps:
				fmt.Fprintf(&b, "L%.1f %.1fL%.1f %.1f", px, before, px, py)
			default:
				fmt.Fprintf(&b, "L%.1f %.1f", px, py)
			}
			before = py
		}
		class := "splain"
		if r.Model.Outputs > 1 {
			class = fmt.Sprintf("s%d", classTint(c))
		}
		marks = append(marks, mark{class, b.String()})
	}
	return marks
}

// sparkBars draws a bar for each category in the colour of its direction; for several classes,
// those of the first.
func sparkBars(v *Variable) []mark {
	const most = 12
	values := slices.Clone(v.Coefficients[0])
	slices.SortFunc(values, func(a, b float64) int { return compare(b, a) })
	if n := len(values); n > most {
		values = slices.Concat(values[:most/2], values[n-most/2:])
	}
	if len(values) == 0 {
		return nil
	}
	low, high := min(0, slices.Min(values)), max(0, slices.Max(values))
	if !(high > low) {
		high = low + 1
	}
	height := func(y float64) float64 { return 1 + (sparkHeight-2)*(high-y)/(high-low) }
	wide := min(sparkWidth/float64(len(values)), 12)
	marks := []mark{{"sdull", fmt.Sprintf("M0 %.1fH%.0f", height(0), sparkWidth)}}
	for i, y := range values {
		marks = append(marks, mark{fmt.Sprintf("f%d", tintOfSign(y)), fmt.Sprintf("M%.1f %.1fH%.1fV%.1fH%.1fz", float64(i)*wide+1, height(0), float64(i+1)*wide-1, height(y), float64(i)*wide+1)})
	}
	return marks
}
