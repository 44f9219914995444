package plots

import (
	"fmt"
	"strings"
	"unicode"
)

// endRoom is the width of a name at the end of a curve, in pixels.
const endRoom = 104

// width estimates the width of a text in letters of 12 pixels; the estimate is rather too large
// than too small.
func width(s string) float64 {
	sum := 0.0
	for _, r := range s {
		switch {
		case r == isolate || r == isolated:
		case strings.ContainsRune("ijl.,:;'|!()[]t ", r):
			sum += 4.4
		case strings.ContainsRune("mwMW@%", r) || r >= 0x1100 && r < 0xfb00:
			sum += 12
		case unicode.IsUpper(r):
			sum += 8.8
		default:
			sum += 7.6
		}
	}
	return sum
}

// Cut shortens a text to a width; names often differ at their ends, so the middle is dropped.
func Cut(s string, room float64) string {
	if width(s) <= room {
		return s
	}
	r := []rune(s)
	short := func(n int) string { return string(r[:(n+1)/2]) + "…" + string(r[len(r)-n/2:]) }
	n := min(len(r)-1, 200)
	for n > 3 && width(short(n)) > room {
		n--
	}
	return short(n)
}

// apart draws the marks beside the right end of the axis.
func (d *inline) apart() {
	if len(d.chart.Apart) == 0 {
		return
	}
	o := d.out
	left := float64(o.Right + 6)
	x := left + (apartRoom-8)/2
	d.shape("apart", fmt.Sprintf("M%s %dV%d", px(left), o.Top, o.Bottom), "")
	first := d.chart.Apart[0]
	d.word(x, float64(o.Bottom+17), "tick", "middle", first.Name)
	d.word(x, float64(o.Bottom+31), "tick", "middle", first.Share)
	for _, a := range d.chart.Apart {
		if a.Range[0] != a.Range[1] {
			d.shape("whisker", fmt.Sprintf("M%s %sV%s", px(x), px(d.py(a.Range[0])), px(d.py(a.Range[1]))), "")
		}
		if len(d.chart.Apart) == 1 {
			d.word(x, d.py(a.Y)-9, "value", "middle", a.Label)
		}
		o.Dots = append(o.Dots, Dot{px(x), px(d.py(a.Y)), "f" + tint(a.Tint, 0) + " big", a.Tip})
	}
}
