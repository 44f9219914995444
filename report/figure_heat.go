package report

import (
	"fmt"
	"math"
	"slices"

	"fsa/internal/plots"
)

// heatCells is the number of cells along each side of the picture of a pair of numbers.
const heatCells = 12

// heatSide is a number along a side of the picture of a pair.
type heatSide struct {
	name  string
	scale axis
	edges []float64 // of the cells
	at    []float64 // where the effect is computed
	show  func(x float64) string
	share []float64 // of the rows, in each cell; nil if it is not known
}

// heatFigure shows what a pair of numbers adds to the effects of both, over their ranges in training.
func heatFigure(r *Run, p *Interaction, i int) *Figure {
	f := &Figure{ID: fmt.Sprintf("interaction-%d", i+1), Title: p.Names[0] + " × " + p.Names[1], Half: true, Table: [][]string{{p.Names[0], p.Names[1], "adds"}}}
	a, b := newHeatSide(r, p, 0), newHeatSide(r, p, 1)
	heat := &plots.Heat{X: a.edges, Y: b.edges, Up: raises, Down: lowers, Name: adds(&r.Model)}
	var least, largest struct {
		z    float64
		text string
	}
	for _, x := range a.at {
		var column []float64
		var tips []string
		for _, y := range b.at {
			z := p.At(x, y)
			place := fmt.Sprintf("%s %s, %s %s", p.Names[0], a.show(x), p.Names[1], b.show(y))
			if least.text == "" || z < least.z {
				least.z, least.text = z, place
			}
			if largest.text == "" || z > largest.z {
				largest.z, largest.text = z, place
			}
			column, tips = append(column, z), append(tips, place+": "+brief(z))
			f.Table = append(f.Table, []string{exact(x), exact(y), exact(z)})
		}
		heat.Z, heat.Tips = append(heat.Z, column), append(heat.Tips, tips)
	}
	counted := false
	for k, side := range []*heatSide{a, b} {
		if side.share == nil {
			continue
		}
		counted = true
		most := slices.Max(side.share)
		for n, share := range side.share {
			heat.Margins[k] = append(heat.Margins[k], share/most)
			heat.Marked[k] = append(heat.Marked[k], fmt.Sprintf("%s from %s to %s: about %s of the rows", side.name, side.show(side.edges[n]), side.show(side.edges[n+1]), percent(share)))
		}
	}
	f.chart = &plots.Chart{
		X: a.name + a.scale.name(), Y: b.name + b.scale.name(), LogX: a.scale.log, LogY: b.scale.log, Warp: a.scale.warp, WarpY: b.scale.warp,
		XRange: [2]float64{a.edges[0], a.edges[len(a.edges)-1]}, YRange: [2]float64{b.edges[0], b.edges[len(b.edges)-1]}, Heat: heat,
	}
	f.Caption = fmt.Sprintf("Importance %s. What the pair adds to the separate effects of both variables: blue raises the prediction, orange lowers it.", brief(p.Strength))
	if counted {
		f.Caption += " Grey bars show where the rows are."
	}
	f.Alt = fmt.Sprintf("Heat map of what %s and %s add together: from %s at %s to %s at %s.", p.Names[0], p.Names[1], brief(least.z), least.text, brief(largest.z), largest.text)
	return f
}

// newHeatSide divides the range of a number into cells of equal width on its axis. If it is a count with few values, or has
// only two, it has a cell for each.
func newHeatSide(r *Run, p *Interaction, side int) *heatSide {
	s := &heatSide{name: p.Names[side], show: brief}
	low, high := p.Low[side], p.High[side]
	if math.IsInf(high-low, 0) {
		low, high = low/2, high/2
	}
	if !(high > low) {
		high = low + 1e-3*max(abs(low), 1)
	}
	if i := slices.IndexFunc(r.Model.Variables, func(v Variable) bool { return v.Name == s.name }); i >= 0 {
		v := &r.Model.Variables[i]
		s.show = v.show
		if v.Scale != "" {
			s.name += ", " + v.Scale
		}
	}
	var d *Density
	if r.Densities != nil {
		if i := slices.IndexFunc(r.Densities.Variables, func(d Density) bool { return d.Name == p.Names[side] }); i >= 0 {
			d = &r.Densities.Variables[i]
		}
	}
	if counts := d.values(low, high); counts != nil {
		n, half, rows := len(counts), (high-low)/float64(len(counts)-1)/2, 0
		for i, c := range counts {
			s.at = append(s.at, low+(high-low)*float64(i)/float64(n-1))
			s.edges = append(s.edges, s.at[i]-half)
			rows += c
		}
		s.edges = append(s.edges, high+half)
		for _, c := range counts {
			s.share = append(s.share, float64(c)/float64(rows))
		}
		return s
	}
	if s.scale = axisOf(d); s.scale.log && !(low > 0) {
		s.scale = axis{}
	}
	for i := range 2*heatCells + 1 {
		x := s.scale.at(low, high, float64(i)/(2*heatCells))
		if i%2 == 1 {
			s.at = append(s.at, x)
		} else {
			s.edges = append(s.edges, x)
		}
	}
	if d != nil && len(d.Quantiles) > 1 && slices.IsSorted(d.Quantiles) {
		below := 0.0
		for i, x := range s.edges[1:] {
			upTo := 1.0
			if i < heatCells-1 {
				upTo = rank(d.Quantiles, x)
			}
			s.share = append(s.share, max(upTo-below, 0))
			below = upTo
		}
	}
	return s
}

// values returns the number of rows with each value from low to high if these are two, or whole numbers of which each fits
// into a cell, and nil otherwise.
func (d *Density) values(low, high float64) []int {
	if d == nil || len(d.Edges) < 2 || low != d.Edges[0] || high != d.Edges[len(d.Edges)-1] {
		return nil
	}
	if len(d.Levels) == 2 {
		return []int{d.Levels[0].Rows, d.Levels[1].Rows}
	}
	if low != math.Trunc(low) || high != math.Trunc(high) || high-low >= heatCells || slices.ContainsFunc(d.Quantiles, func(q float64) bool { return q != math.Trunc(q) }) {
		return nil
	}
	counts := make([]int, int(high-low)+1)
	for i, n := range d.Counts {
		x := math.Round((d.Edges[i] + d.Edges[i+1]) / 2)
		if slack := 1e-9 * (high - low); n > 0 && (x < d.Edges[i]-slack || x > d.Edges[i+1]+slack) {
			return nil
		}
		counts[int(x-low)] += n
	}
	return counts
}
