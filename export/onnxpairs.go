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
		if p.Text {
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
