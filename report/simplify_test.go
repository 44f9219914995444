package report

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/plot/vg"
)

func randomLine(rng *rand.Rand) []vg.Point {
	line := make([]vg.Point, 1+rng.IntN(80))
	y := vg.Length(200)
	for i := range line {
		if rng.IntN(3) > 0 {
			y += vg.Length(rng.NormFloat64())
		}
		line[i] = vg.Point{X: vg.Length(i), Y: y}
	}
	return line
}

func TestSimplifyStaysNear(t *testing.T) {
	rng := rand.New(rand.NewPCG(seed, 2))
	for range 500 {
		line := randomLine(rng)
		tolerance := vg.Length(rng.Float64() * 3)
		got := simplify(line, tolerance)
		if got[0] != line[0] || got[len(got)-1] != line[len(line)-1] {
			t.Fatalf("an end is missing (seed %d)", seed)
		}
		next := 0
		for _, p := range line {
			if p == got[next] {
				next++
				continue
			}
			a, b := got[next-1], got[next]
			drawn := a.Y + (p.X-a.X)/(b.X-a.X)*(b.Y-a.Y)
			if d := math.Abs(float64(drawn - p.Y)); d > float64(tolerance)+1e-9 {
				t.Fatalf("a point is %v from the line, tolerance %v (seed %d)", d, tolerance, seed)
			}
		}
		if next != len(got) {
			t.Fatalf("points were moved (seed %d)", seed)
		}
	}
}

func TestSimplifyStraightLine(t *testing.T) {
	line := make([]vg.Point, 100)
	for i := range line {
		line[i] = vg.Point{X: vg.Length(i), Y: 3 * vg.Length(i)}
	}
	before := slices.Clone(line)
	if got := simplify(line, fineness); len(got) != 2 {
		t.Errorf("%d points, want 2", len(got))
	}
	if !slices.Equal(line, before) {
		t.Error("the line was changed")
	}
}

func TestThinKeepsItsBudget(t *testing.T) {
	rng := rand.New(rand.NewPCG(seed, 3))
	var lines [][]vg.Point
	for range 300 {
		lines = append(lines, randomLine(rng))
	}
	for _, budget := range []int{100_000, 3000, 500} {
		var points int
		for _, l := range thin(lines, budget) {
			if len(l) < 2 {
				t.Error("a line that cannot be seen")
			}
			points += len(l)
		}
		if points > budget || points == 0 {
			t.Errorf("%d points, budget %d (seed %d)", points, budget, seed)
		}
	}
	// Copies of a line cost nothing.
	if got := thin(slices.Repeat([][]vg.Point{{{X: 0, Y: 0}, {X: 9, Y: 9}}}, 1000), 10); len(got) != 1 {
		t.Errorf("%d lines, want 1", len(got))
	}
}
