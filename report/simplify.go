package report

import (
	"encoding/binary"
	"math"

	"gonum.org/v1/plot/vg"
)

// fineness is the distance in points below which two pictures look the same.
const fineness = 0.1

// thin returns the lines with so few points that all of them together have at
// most budget. It leaves out points that lie on the line between others, and
// lines that look like another. Where fineness does not save enough it takes
// twice that distance for the same, and so on: a picture of very many lines
// gets coarser, it does not get larger.
//
// The points of a line must go from left to right.
func thin(lines [][]vg.Point, budget int) [][]vg.Point {
	for tolerance := vg.Length(fineness); ; tolerance *= 2 {
		seen := make(map[string]bool)
		var kept [][]vg.Point
		var points int
		for _, line := range lines {
			line = snap(simplify(line, tolerance), tolerance)
			key := fingerprint(line)
			if len(line) < 2 || seen[key] {
				continue
			}
			seen[key] = true
			kept = append(kept, line)
			points += len(line)
		}
		if points <= budget || tolerance > 1e4 {
			return kept
		}
	}
}

// simplify leaves out points such that what is drawn stays within tolerance of
// every point, measured vertically. From each point that is kept it goes as far
// as one straight line can, which takes time in proportion to the points.
func simplify(line []vg.Point, tolerance vg.Length) []vg.Point {
	if len(line) < 3 {
		return line
	}
	kept := line[:1:1]
	for from := 0; from < len(line)-1; {
		a := line[from]
		// A line from a with a slope from low to high passes near all points
		// looked at so far.
		low, high := vg.Length(math.Inf(-1)), vg.Length(math.Inf(1))
		to := from + 1
		for ; to < len(line); to++ {
			dx, dy := line[to].X-a.X, line[to].Y-a.Y
			if slope := dy / dx; slope < low || slope > high {
				break
			}
			low = max(low, (dy-tolerance)/dx)
			high = min(high, (dy+tolerance)/dx)
		}
		from = to - 1
		kept = append(kept, line[from])
	}
	return kept
}

// snap moves points to a grid and drops those that fall on the one before.
// Horizontally the grid is never coarse: lines end at few different places
// anyway, and those that go up must not be drawn upright.
func snap(line []vg.Point, grid vg.Length) []vg.Point {
	round := func(x, grid vg.Length) vg.Length { return vg.Length(math.Round(float64(x/grid))) * grid }
	var kept []vg.Point
	for _, p := range line {
		p = vg.Point{X: round(p.X, min(grid, 4*fineness)), Y: round(p.Y, grid)}
		if len(kept) == 0 || p != kept[len(kept)-1] {
			kept = append(kept, p)
		}
	}
	return kept
}

// fingerprint is the same for equal lines only.
func fingerprint(line []vg.Point) string {
	var b []byte
	for _, p := range line {
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(float64(p.X)))
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(float64(p.Y)))
	}
	return string(b)
}
