package plots

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/plot"
)

// Inline is a chart as shapes for a template that writes it into a page. Colours are classes of the
// page's style. Texts are not escaped.
type Inline struct {
	Width, Height int
	Shapes        []Shape
	Dots          []Dot
	Words         []Word
	Keys          []Key
	// The corners of the axes, in the units of the picture and of the chart, for a script that draws
	// something on it.
	Left, Top, Right, Bottom int
	X, Y                     [2]float64
}

// Shape is a path.
type Shape struct{ Class, D, Tip string }

// Dot is a circle with an optional tip.
type Dot struct{ X, Y, Class, Tip string }

// Word is a text. Anchor is start, middle or end.
type Word struct {
	X, Y, Class, Anchor, Text string
	Turned                    bool
}

// The dimensions of a chart on a page, in pixels.
const (
	pageTop    = 12
	pageBottom = 42
	pageRight  = 14
	nameShare  = 0.42 // of the width at most, for names beside the axis
	apartRoom  = 60   // for marks beside the axis
)

// Inline draws the chart for a page.
func (c *Chart) Inline(width, height int) *Inline {
	d := &inline{chart: c, out: &Inline{Width: width, Height: height, Keys: slices.Clone(c.Keys), Top: pageTop, Bottom: height - pageBottom}}
	if c.Heat != nil {
		d.out.Top += marginRoom
	}
	d.x, d.y = c.extent()
	d.marks()
	d.out.X, d.out.Y = d.x, d.y
	if c.Heat != nil {
		d.heat(c.Heat)
	}
	for _, b := range c.Bars {
		d.bar(b)
	}
	for _, r := range c.Rules {
		d.rule(r)
	}
	for i := range c.Curves {
		d.curve(&c.Curves[i], i)
	}
	if len(c.Rug) > 0 {
		var b strings.Builder
		for _, v := range c.Rug {
			fmt.Fprintf(&b, "M%s %dv-8", px(d.px(v)), d.out.Bottom)
		}
		d.shape("rug", b.String(), "")
	}
	d.spread()
	d.apart()
	return d.out
}

// spread moves the names at the ends of curves apart, so that they do not overlap.
func (d *inline) spread() {
	const line = 13.0
	slices.SortStableFunc(d.ends, func(a, b end) int { return cmp.Compare(a.y, b.y) })
	for i := range d.ends {
		if i > 0 {
			d.ends[i].y = max(d.ends[i].y, d.ends[i-1].y+line)
		}
	}
	limit := float64(d.out.Bottom) - line/2 // above the axis
	for i := len(d.ends) - 1; i >= 0; i-- {
		d.ends[i].y = min(d.ends[i].y, limit)
		limit = d.ends[i].y - line
	}
	for _, e := range d.ends {
		d.word(e.x, e.y+4, e.class, "start", e.text)
	}
}

// end is the name of a curve at its end.
type end struct {
	x, y        float64
	class, text string
}

// inline is a chart that is being drawn.
type inline struct {
	chart *Chart
	out   *Inline
	x, y  [2]float64
	ends  []end
}

// extent returns the ends of the axes.
func (c *Chart) extent() (x, y [2]float64) {
	x, y = [2]float64{math.Inf(1), math.Inf(-1)}, [2]float64{math.Inf(1), math.Inf(-1)}
	grow := func(r *[2]float64, v float64, log bool) {
		if !math.IsNaN(v) && !math.IsInf(v, 0) && (!log || v > 0) {
			r[0], r[1] = min(r[0], v), max(r[1], v)
		}
	}
	for _, l := range c.Curves {
		for i := range l.X {
			grow(&x, l.X[i], c.LogX)
			grow(&y, l.Y[i], c.LogY)
		}
		for i := range l.Low {
			grow(&y, l.Low[i], c.LogY)
			grow(&y, l.High[i], c.LogY)
		}
	}
	for _, b := range c.Bars {
		for _, v := range []float64{b.X0, b.X1} {
			grow(&x, v, c.LogX)
		}
		if b.Range[0] != b.Range[1] {
			grow(&x, b.Range[0], c.LogX)
			grow(&x, b.Range[1], c.LogX)
		}
		for _, v := range []float64{b.Y0, b.Y1} {
			grow(&y, v, c.LogY)
		}
	}
	return ends(x, c.XRange, c.LogX, c.beyond()), ends(y, c.YRange, c.LogY, 0.04)
}

// ends widens a range by a share, unless it is given.
func ends(r, given [2]float64, log bool, beyond float64) [2]float64 {
	var a plot.Axis
	a.Min, a.Max = r[0], r[1]
	if r[0] > r[1] {
		a.Min, a.Max = 0, 1
		if log {
			a.Min = 0.1
		}
	}
	span(&a, given, log, beyond)
	if !(a.Max > a.Min) { // below the resolution of floating-point numbers
		a.Max = math.Nextafter(a.Min, math.Inf(1))
	}
	return [2]float64{a.Min, a.Max}
}

// marks draws the axes and reserves room for the labels beside them.
func (d *inline) marks() {
	c, o := d.chart, d.out
	yMarks := d.ticks(c.YNames, true, c.LogY, c.WholeY, d.y, max(3, (o.Bottom-o.Top)/36))
	wide := 0.0
	for i, m := range yMarks {
		if i < len(c.YTails) {
			m.Label += c.YTails[i]
		}
		wide = max(wide, width(m.Label))
	}
	o.Left = 14 + int(wide)
	if c.Y != "" {
		o.Left += 18
	}
	o.Left = min(o.Left, int(nameShare*float64(o.Width)))
	room := 0.0
	for _, l := range c.Curves {
		room = max(room, min(width(l.Label), endRoom))
	}
	if room > 0 {
		room += 8
	}
	for _, b := range c.Bars {
		room = max(room, width(b.Label))
	}
	if len(c.Apart) > 0 {
		room += apartRoom
	}
	if c.Heat != nil {
		room += c.Heat.pageRoom(o.Bottom - o.Top)
	}
	o.Right = o.Width - pageRight - int(room)
	for _, m := range yMarks {
		y := d.py(m.Value)
		if len(c.YNames) == 0 && c.Heat == nil {
			d.shape("grid", fmt.Sprintf("M%d %sH%d", o.Left, px(y), o.Right), "")
		}
		tail := ""
		if at := int(math.Round(-m.Value)); len(c.YNames) > 0 && at < len(c.YTails) {
			tail = c.YTails[at]
		}
		d.word(float64(o.Left-7), y+4, "tick", "end", Isolate(Cut(m.Label, float64(o.Left-10)-width(tail)))+tail)
	}
	most := max(3, (o.Right-o.Left)/60)
	free := math.Inf(-1) // right end of the last label
	for _, m := range d.ticks(c.XNames, false, c.LogX, c.WholeX, d.x, most) {
		x := d.px(m.Value)
		if len(c.YNames) > 0 {
			d.shape("grid", fmt.Sprintf("M%s %dV%d", px(x), o.Top, o.Bottom), "")
		}
		d.shape("axis", fmt.Sprintf("M%s %dv4", px(x), o.Bottom), "")
		if half := width(m.Label) / 2; x-half > free || len(c.XNames) > 0 {
			if len(c.Apart) > 0 {
				x = min(x, float64(o.Right+2)-half)
			}
			d.word(x, float64(o.Bottom+17), "tick", "middle", m.Label)
			free = x + half + 4
		}
	}
	d.shape("axis", fmt.Sprintf("M%d %dV%dH%d", o.Left, o.Top, o.Bottom, o.Right), "")
	middle := float64(o.Left+o.Right) / 2
	d.word(middle, float64(o.Height-6), "name", "middle", Cut(c.X, 2*min(middle, float64(o.Width)-middle)))
	if c.Y != "" {
		o.Words = append(o.Words, Word{X: px(-float64(o.Top+o.Bottom) / 2), Y: "12", Class: "name", Anchor: "middle", Text: Cut(c.Y, float64(o.Bottom-o.Top)+20), Turned: true})
	}
}

// ticks returns the marks of an axis.
func (d *inline) ticks(names []string, down, log, whole bool, r [2]float64, most int) []plot.Tick {
	if len(names) > 0 {
		var marks []plot.Tick
		for i, name := range names {
			at := float64(i)
			if down {
				at = -at
			}
			marks = append(marks, plot.Tick{Value: at, Label: name})
		}
		return marks
	}
	switch {
	case log:
		return PowerTicks{}.Ticks(r[0], r[1])
	case !down && d.chart.Warp != nil:
		return warpTicks{d.chart.Warp, most, 0}.Ticks(r[0], r[1])
	case down && d.chart.WarpY != nil:
		return warpTicks{d.chart.WarpY, most, 0}.Ticks(r[0], r[1])
	}
	return Ticks{Most: most, Whole: whole, Apart: true}.Ticks(r[0], r[1])
}

// px and py convert numbers of the chart to pixels.
func (d *inline) px(v float64) float64 {
	if w := d.chart.Warp; w != nil {
		return float64(d.out.Left) + warped(w).Normalize(d.x[0], d.x[1], v)*float64(d.out.Right-d.out.Left)
	}
	return place(v, d.x, d.chart.LogX, float64(d.out.Left), float64(d.out.Right))
}

func (d *inline) py(v float64) float64 {
	if w := d.chart.WarpY; w != nil {
		return float64(d.out.Bottom) - warped(w).Normalize(d.y[0], d.y[1], v)*float64(d.out.Bottom-d.out.Top)
	}
	return place(v, d.y, d.chart.LogY, float64(d.out.Bottom), float64(d.out.Top))
}

func place(v float64, r [2]float64, log bool, from, to float64) float64 {
	share := (v - r[0]) / (r[1] - r[0])
	if log {
		share = math.Log(max(v, r[0])/r[0]) / math.Log(r[1]/r[0])
	}
	if math.IsNaN(share) {
		share = 0
	}
	return from + min(max(share, -0.05), 1.05)*(to-from)
}

// px writes a number of pixels.
func px(v float64) string {
	return strconv.FormatFloat(math.Round(10*v)/10+0, 'f', -1, 64)
}

func (d *inline) shape(class, path, tip string) {
	d.out.Shapes = append(d.out.Shapes, Shape{class, path, tip})
}

func (d *inline) word(x, y float64, class, anchor, text string) {
	if text != "" {
		d.out.Words = append(d.out.Words, Word{X: px(x), Y: px(y), Class: class, Anchor: anchor, Text: text})
	}
}

// tint returns the name of a colour for classes.
func tint(n, place int) string {
	switch {
	case n == Dull:
		return "dull"
	case n == Plain:
		return "plain"
	case n == 0:
		n = Tint(place)
	}
	return strconv.Itoa((n-1)%len(Safe) + 1)
}

func (d *inline) bar(b Bar) {
	x0, x1, y0, y1 := d.px(b.X0), d.px(b.X1), d.py(b.Y0), d.py(b.Y1)
	d.shape("bar f"+tint(b.Tint, 0), fmt.Sprintf("M%s %sH%sV%sH%sz", px(x0), px(y0), px(x1), px(y1), px(x0)), b.Tip)
	middle, end := (y0+y1)/2, max(b.X0, b.X1)
	if b.Range[0] != b.Range[1] {
		end = max(end, b.Range[1])
		d.shape("whisker", fmt.Sprintf("M%s %sH%s", px(d.px(b.Range[0])), px(middle), px(d.px(b.Range[1]))), "")
	}
	d.word(d.px(end)+4, middle+4, "value", "start", b.Label)
}

func (d *inline) rule(r Rule) {
	o := d.out
	switch {
	case r.Diagonal:
		low, high := max(d.x[0], d.y[0]), min(d.x[1], d.y[1])
		d.shape("rule", fmt.Sprintf("M%s %sL%s %s", px(d.px(low)), px(d.py(low)), px(d.px(high)), px(d.py(high))), "")
	case r.Vertical:
		x := d.px(r.At)
		d.shape("rule", fmt.Sprintf("M%s %dV%d", px(x), o.Top, o.Bottom), "")
		anchor, at := "start", x+4
		wide := width(r.Label)
		if x+wide > float64(o.Right) || r.Before && x-wide > float64(o.Left) {
			anchor, at = "end", x-4
		}
		d.word(at, float64(o.Top+9), "label", anchor, r.Label)
	default:
		y := d.py(r.At)
		d.shape("rule", fmt.Sprintf("M%d %sH%d", o.Left, px(y), o.Right), "")
		if r.Before {
			d.word(float64(o.Left+6), y-5, "label", "start", r.Label)
		} else {
			d.word(float64(o.Right-4), y-5, "label", "end", r.Label)
		}
	}
}

// curve draws a curve as one path, its band below it.
func (d *inline) curve(c *Curve, number int) {
	if len(c.X) == 0 {
		return
	}
	color := tint(c.Tint, number)
	if c.Tint == 0 && c.Name != "" {
		d.out.Keys = append(d.out.Keys, Key{"k" + color, c.Name})
	}
	if c.Low != nil {
		var b strings.Builder
		for i, x := range c.X {
			if c.Steps && i > 0 {
				move(&b, false, d.px(x), d.py(c.High[i-1]))
			}
			move(&b, i == 0, d.px(x), d.py(c.High[i]))
		}
		for i := len(c.X) - 1; i >= 0; i-- {
			move(&b, false, d.px(c.X[i]), d.py(c.Low[i]))
			if c.Steps && i > 0 {
				move(&b, false, d.px(c.X[i]), d.py(c.Low[i-1]))
			}
		}
		d.shape("band f"+color, b.String()+"z", "")
	}
	if c.BandOnly {
		return
	}
	if !c.NoLine {
		class := "line s" + color
		if c.Dashed {
			class += " dashed"
		}
		d.shape(class, d.line(c), c.Name)
	}
	if c.Dots || c.NoLine {
		for i, x := range c.X {
			tip := ""
			if i < len(c.Tips) {
				tip = c.Tips[i]
			}
			d.out.Dots = append(d.out.Dots, Dot{px(d.px(x)), px(d.py(c.Y[i])), "f" + color, tip})
		}
	}
	if last := len(c.X) - 1; c.Label != "" {
		d.ends = append(d.ends, end{d.px(c.X[last]) + 5, d.py(c.Y[last]), "label t" + color, Cut(c.Label, endRoom)})
	}
}

// line returns the path of a curve.
func (d *inline) line(c *Curve) string {
	var b strings.Builder
	before := 0.0
	for i := range c.X {
		x, y := d.px(c.X[i]), d.py(c.Y[i])
		if c.Steps && i > 0 {
			move(&b, false, x, before)
		}
		move(&b, i == 0, x, y)
		before = y
	}
	return b.String()
}

func move(b *strings.Builder, first bool, x, y float64) {
	if first {
		b.WriteByte('M')
	} else {
		b.WriteByte('L')
	}
	b.WriteString(px(x))
	b.WriteByte(' ')
	b.WriteString(px(y))
}
