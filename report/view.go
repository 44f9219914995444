package report

import "fsa/internal/plots"

// figure is a picture in two sizes, for a screen and for a phone.
type figure struct {
	*Figure
	Wide, Narrow *plots.Inline
}

// The sizes of pictures, in pixels.
const (
	wideWidth, wideHeight     = 860, 340
	halfWidth, halfHeight     = 350, 250
	barsWidth                 = 480
	narrowWidth, narrowHeight = 340, 270
	barHeight                 = 24
)

// newFigure draws a figure; nil stays nil.
func newFigure(f *Figure) *figure {
	if f == nil {
		return nil
	}
	out := &figure{Figure: f}
	width, height, low := wideWidth, wideHeight, narrowHeight
	if f.Half {
		width, height = halfWidth, halfHeight
	}
	if n := len(f.chart.YNames); n > 0 {
		height = max(120, 60+barHeight*n)
		low = height
		if f.Half && !f.Card {
			width = barsWidth
		}
	}
	out.Wide = f.chart.Inline(width, height)
	if width == halfWidth { // which is small enough for a phone
		return out
	}
	out.Narrow = f.chart.Inline(narrowWidth, low)
	return out
}

// view is one of the sizes of a figure.
type view struct {
	P     *plots.Inline
	F     *figure
	Class string
}

// View returns a size of a figure by its name.
func (f *figure) View(class string) view {
	if class == "narrow" {
		return view{f.Narrow, f, class}
	}
	return view{f.Wide, f, class}
}
