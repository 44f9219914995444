package export

import (
	"math"
	"slices"

	"fsa/model"
)

// pairs adds the pairs of columns: those of two numbers side by side, and each of a number and a text.
func (s *sum) pairs(of *subject) {
	var numbers []*pair
	for _, p := range of.Pairs {
		if p.Knots[0] != nil {
			s.surface(of, p)
		} else if p.Text {
			s.lines(of, p)
		} else {
			numbers = append(numbers, p)
		}
	}
	if numbers == nil {
		return
	}
	var least, largest, weights []float64
	for _, p := range numbers {
		rows := p.Levels.Coefficients
		for c := range s.outputs {
			weights = append(weights, rows[c][0])
		}
		least, largest = append(least, rows[s.outputs][0]), append(largest, rows[s.outputs+1][0])
	}
	x := s.node("Mul", []string{s.standard(of, numbers, 0), s.standard(of, numbers, 1)})
	s.product(s.between(x, s.matrix(least, len(least)), s.matrix(largest, len(largest))), weights)
}

// surface adds a pair with knots: the products of the shares of bins that are below both numbers, or of those of the
// first one and the indicators of texts, times the rises in these bins.
func (s *sum) surface(of *subject, p *pair) {
	rows := p.rows()
	knots, width := len(p.Knots[0]), len(rows[0])
	var right string
	if p.Text {
		texts := append(slices.Clone(p.Levels.Categories), "") // a missing text adds nothing
		number := s.numbered(s.inputs[&of.Terms[p.Terms[1]]], texts, len(texts))
		table := make([]float64, 0, (width+1)*width)
		for l := range width + 1 {
			row := make([]float64, width)
			switch {
			case l < width-1:
				row[l] = 1
			case l == width: // other texts; the row before is that of a missing one
				row[width-1] = 1
			}
			table = append(table, row...)
		}
		right = s.flat(s.node("Gather", []string{s.matrix(table, width+1, width), number}), width)
	} else {
		right = s.ramps(of, p, 1)
	}
	left := s.node("Unsqueeze", []string{s.ramps(of, p, 0), s.integers(2)})
	right = s.node("Unsqueeze", []string{right, s.integers(1)})
	rise := func(c, k, l int) float64 {
		v := rows[c*knots+k][l]
		if k > 0 {
			v -= rows[c*knots+k-1][l]
		}
		return v
	}
	var weights []float64
	for k := range knots {
		for l := range width {
			for c := range s.outputs {
				v := rise(c, k, l)
				if !p.Text && l > 0 {
					v -= rise(c, k, l-1)
				}
				weights = append(weights, v)
			}
		}
	}
	s.product(s.flat(s.node("Mul", []string{left, right}), knots*width), weights)
}

// ramps returns 1 and the share of each bin of a side that is below its number; all are 0 if it is missing.
func (s *sum) ramps(of *subject, p *pair, side int) string {
	knots := p.Knots[side]
	var low, width []float64
	for k := range knots[1:] {
		low, width = append(low, knots[k]/2), append(width, knots[k+1]/2-knots[k]/2)
	}
	n := len(width)
	x := s.columns([]*model.Term{&of.Terms[p.Terms[side]]})
	missing := s.node("IsNaN", []string{x})
	x = s.node("Where", []string{missing, s.matrix(knots[:1], 1), x})
	x = s.node("Div", []string{s.node("Sub", []string{s.half(x), s.matrix(low, 1, n)}), s.matrix(width, 1, n)})
	x = s.between(x, s.matrix([]float64{0}, 1), s.matrix([]float64{1}, 1))
	known := s.node("Where", []string{missing, s.matrix([]float64{0}, 1), s.matrix([]float64{1}, 1)})
	return s.node("Concat", []string{known, s.node("Mul", []string{x, known})}, attribute("axis", int64(1)))
}

// standard returns a side of pairs in standard deviations from the mean, with 0 for a missing number.
func (s *sum) standard(of *subject, pairs []*pair, side int) string {
	var terms []*model.Term
	var mean, half, sd []float64
	for _, p := range pairs {
		terms = append(terms, &of.Terms[p.Terms[side]])
		mean, half, sd = append(mean, p.Mean[side]), append(half, p.Mean[side]/2), append(sd, p.SD[side])
	}
	x := s.columns(terms)
	x = s.node("Where", []string{s.node("IsNaN", []string{x}), s.matrix(mean, len(mean)), x})
	x = s.node("Div", []string{s.node("Sub", []string{s.half(x), s.matrix(half, len(half))}), s.matrix(sd, len(sd))})
	x = s.node("Mul", []string{x, s.matrix([]float64{2}, 1)})
	return s.between(x, s.matrix([]float64{-math.MaxFloat64}, 1), s.matrix([]float64{math.MaxFloat64}, 1))
}

// between returns x or the end that it is beyond.
func (s *sum) between(x, least, largest string) string {
	return s.node("Min", []string{s.node("Max", []string{x, least}), largest})
}

// lines adds a pair of a number and a text, which has a slope and two ends for each category.
func (s *sum) lines(of *subject, p *pair) {
	texts := append(slices.Clone(p.Levels.Categories), "") // a missing text adds nothing
	number := s.numbered(s.inputs[&of.Terms[p.Terms[1]]], texts, len(texts))
	rows := func(first, count int) string {
		var table []float64
		for l := range len(texts) + 1 {
			for r := first; r < first+count; r++ {
				table = append(table, slices.Concat(p.Levels.Coefficients[r], []float64{0, p.Other[r]})[l])
			}
		}
		return s.flat(s.node("Gather", []string{s.matrix(table, len(texts)+1, count), number}), count)
	}
	x := s.between(s.standard(of, []*pair{p}, 0), rows(s.outputs, 1), rows(s.outputs+1, 1))
	s.parts = append(s.parts, s.node("Mul", []string{x, rows(0, s.outputs)}))
}
