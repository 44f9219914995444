package pool

// Op is the formula of a feature over its corners. With D the differences between summed-area
// tables at the corners, it is one of four.
type Op uint8

// The formulas, over corners a, b, c, … in the order of [Feature.Corners].
const (
	Box   Op = iota // a−b−c+d, times the normaliser of the window
	Edge            // (2a−b−c) − (2d−e−f)
	Line            // 3(a−b−c+d) + (e−f−g+h)
	Check           // 2(2a−b−c) − (2d−e−f) − (2g−h−i)
	Ops
)

// MostCorners is the largest number of corners of a formula.
const MostCorners = 9

// cornerCount is the number of corners of each formula.
var cornerCount = [Ops]int{Box: 4, Edge: 6, Line: 8, Check: 9}

// Op returns the formula of the feature.
func (f Feature) Op() Op {
	switch f.Shape {
	case EdgeX, EdgeY:
		return Edge
	case LineX, LineY:
		return Line
	case Checker:
		return Check
	}
	return Box
}

// Corners returns the number of corners of the feature, and their offsets in a summed-area table of
// the given stride, relative to the first cell of the window.
func (f Feature) Corners(stride int) (at [MostCorners]int, n int) {
	x, y, w, h := int(f.X), int(f.Y), int(f.W), int(f.H)
	p := func(i, j int) int { return (y+j*h)*stride + x + i*w } // i rectangles to the right, j down
	switch f.Shape {
	case Cell:
		at = [MostCorners]int{p(1, 1), p(0, 1), p(1, 0), p(0, 0)}
	case EdgeX:
		at = [MostCorners]int{p(1, 1), p(0, 1), p(2, 1), p(1, 0), p(0, 0), p(2, 0)}
	case EdgeY:
		at = [MostCorners]int{p(1, 1), p(1, 0), p(1, 2), p(0, 1), p(0, 0), p(0, 2)}
	case LineX:
		at = [MostCorners]int{p(1, 1), p(1, 0), p(2, 1), p(2, 0), p(3, 1), p(3, 0), p(0, 1), p(0, 0)}
	case LineY:
		at = [MostCorners]int{p(1, 1), p(0, 1), p(1, 2), p(0, 2), p(1, 3), p(0, 3), p(1, 0), p(0, 0)}
	case Checker:
		at = [MostCorners]int{p(1, 1), p(0, 1), p(2, 1), p(1, 0), p(0, 0), p(2, 0), p(1, 2), p(0, 2), p(2, 2)}
	}
	return at, cornerCount[f.Op()]
}

// Plane returns the summed-area table of the feature.
func (f Feature) Plane() Plane {
	if f.Shape == Cell {
		return gradients + Plane(f.Channel)*(orientations+1) + Plane(f.Orientation)
	}
	return Plane(f.Channel)
}
