package report

import (
	"encoding/binary"
	"math"

	"gonum.org/v1/plot/vg"
)

// fineness is the distance in points below which two pictures look the same.
const fineness = 0.1

// thin reduces the points of lines so that all of them together have at most budget. It omits
// points that are on the line between others, and lines that look like another. If that does not
// save enough, it doubles the distance within which lines look the same, and so on. So a picture of
// very many lines gets coarser, not larger.
//
// The points of a line must be ordered from left to right.
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

// simplify omits points so that the drawn line is within tolerance of every point, measured
// vertically. From each remaining point it goes as far as one straight line can, which takes linear
// time.
func simplify(line []vg.Point, tolerance vg.Length) []vg.Point {
	if len(line) < 3 {
		return line
	}
	kept := line[:1:1]
	for from := 0; from < len(line)-1; {
		a := line[from]
		// A line from a with a slope from low to high passes close to all points examined so far.
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

// snap moves points to a grid and drops those that coincide with the previous one. Horizontally the
// grid is never coarse: lines end at few different positions, and rising lines must not become
// vertical.
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

// fingerprint returns a text that is the same only for equal lines.
func fingerprint(line []vg.Point) string {
	var b []byte
	for _, p := range line {
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(float64(p.X)))
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(float64(p.Y)))
	}
	return string(b)
}
