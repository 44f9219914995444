package motion

import (
	"bufio"
	"fmt"
	"io"
	"slices"
)

// Curve is the share of sequences whose error is at most some number.
type Curve struct {
	Name string
	// Errors are the errors that the curve is made of, in percent.
	Errors []float64
}

// at returns the share of errors that are at most e, in percent.
func (c Curve) at(e float64) float64 {
	n := 0
	for _, v := range c.Errors {
		if v <= e {
			n++
		}
	}
	return 100 * float64(n) / float64(len(c.Errors))
}

// Curves returns the cumulative distribution of the test error of every method
// over the sequences with the given number of motions; 0 for all.
func (e *Evaluation) Curves(sequences []*Sequence, motions int) []Curve {
	var out []Curve
	for _, r := range e.Methods {
		c := Curve{Name: r.Method}
		for i, v := range r.Errors {
			if s := sequences[i%len(sequences)]; motions == 0 || s.Motions == motions {
				c.Errors = append(c.Errors, v)
			}
		}
		if len(c.Errors) > 0 {
			out = append(out, c)
		}
	}
	return out
}

// The layout of the picture of curves, in pixels.
const (
	curveLeft, curveTop     = 52, 34
	curveWidth, curveHeight = 420, 280
	curveRight              = 168 // room for the legend
	curveMost               = 10  // percent, the end of the axis of errors
)

// WriteCurves draws cumulative distributions of the error, up to 10%, as SVG:
// the paper's figure. The vertical axis begins where the lowest curve does.
func WriteCurves(w io.Writer, title string, curves []Curve) error {
	low := 100.0
	for _, c := range curves {
		low = min(low, c.at(0))
	}
	low = float64(int(low/10) * 10)
	if low == 100 {
		low = 90
	}
	x := func(e float64) float64 { return curveLeft + curveWidth*min(e, curveMost)/curveMost }
	y := func(p float64) float64 { return curveTop + curveHeight*(100-p)/(100-low) }

	width, height := curveLeft+curveWidth+curveRight, curveTop+curveHeight+46
	out := bufio.NewWriter(w)
	fmt.Fprintf(out, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d" height="%d" font-family="Helvetica, Arial, sans-serif" font-size="12" fill="#333">`+"\n", width, height, width, height)
	fmt.Fprintf(out, `<rect width="100%%" height="100%%" fill="#fff"/>`+"\n")
	fmt.Fprintf(out, `<text x="%d" y="20" font-size="14" text-anchor="middle">%s</text>`+"\n", curveLeft+curveWidth/2, title)
	for e := 0; e <= curveMost; e += 2 {
		fmt.Fprintf(out, `<text x="%.1f" y="%d" text-anchor="middle">%d</text>`+"\n", x(float64(e)), curveTop+curveHeight+18, e)
	}
	for p := low; p <= 100; p += 5 {
		fmt.Fprintf(out, `<line x1="%d" x2="%d" y1="%.1f" y2="%.1f" stroke="#ddd"/>`+"\n", curveLeft, curveLeft+curveWidth, y(p), y(p))
		fmt.Fprintf(out, `<text x="%d" y="%.1f" text-anchor="end">%.0f</text>`+"\n", curveLeft-6, y(p)+4, p)
	}
	fmt.Fprintf(out, `<text x="%d" y="%d" text-anchor="middle">misclassified points, percent (at most)</text>`+"\n", curveLeft+curveWidth/2, curveTop+curveHeight+38)
	fmt.Fprintf(out, `<text transform="translate(14,%d) rotate(-90)" text-anchor="middle">sequences, percent</text>`+"\n", curveTop+curveHeight/2)
	for i, c := range curves {
		color := palette[i%len(palette)]
		dash := ""
		if i >= len(palette) {
			dash = ` stroke-dasharray="5,3"`
		}
		fmt.Fprintf(out, `<path fill="none" stroke="%s" stroke-width="1.8"%s d="M%.1f,%.1f`, color, dash, x(0), y(c.at(0)))
		errors := slices.Clone(c.Errors)
		slices.Sort(errors)
		for _, e := range slices.Compact(errors) {
			if e > 0 && e < curveMost {
				fmt.Fprintf(out, "H%.1fV%.1f", x(e), y(c.at(e)))
			}
		}
		fmt.Fprintf(out, `H%d"/>`+"\n", curveLeft+curveWidth)
		at := curveTop + 10 + 20*i
		fmt.Fprintf(out, `<line x1="%d" x2="%d" y1="%d" y2="%d" stroke="%s" stroke-width="2.5"%s/>`+"\n", curveLeft+curveWidth+12, curveLeft+curveWidth+32, at, at, color, dash)
		fmt.Fprintf(out, `<text x="%d" y="%d">%s</text>`+"\n", curveLeft+curveWidth+38, at+4, c.Name)
	}
	fmt.Fprintln(out, "</svg>")
	return out.Flush()
}
