package export

import (
	"math"
	"strings"

	"fsa/model"
)

// farSQL is how many standard deviations from its mean a number of a pair is followed. It is far beyond the ends of
// every pair, and products of such numbers do not overflow, on which some engines fail.
const farSQL = 1e150

// pair returns what a pair of columns adds to decision value c.
func (q *query) pair(p *pair, c int) (string, error) {
	if p.Knots[0] != nil {
		return q.surface(p, c)
	}
	x, cases, err := q.standard(p, 0)
	if err != nil {
		return "", err
	}
	slope := func(x string, of func(row int) float64) string {
		n := q.Outputs()
		if of(c) == 0 {
			return "0e0"
		}
		return literal(of(c)) + " * " + q.between(x, of(n), of(n+1))
	}
	at := func(l int) string {
		return slope(x, func(row int) float64 { return p.Levels.Coefficients[row][l] })
	}
	var value string
	if p.Text {
		values := make([]string, len(p.Levels.Categories))
		for l := range values {
			values[l] = at(l)
		}
		other := slope(x, func(row int) float64 { return p.Other[row] })
		value, err = q.choose(&p.Levels, tableAlias+"."+identifier(q.Terms[p.Terms[1]].Column), values, "0e0", other)
	} else {
		var y string
		var more []string
		y, more, err = q.standard(p, 1)
		x, cases = x+" * "+y, append(cases, more...)
		value = at(0)
	}
	return "CASE WHEN " + strings.Join(cases, "\n    WHEN ") + "\n    ELSE " + value + " END", err
}

// surface returns what a pair with knots adds to decision value c: the sum over the bins of both columns of the share
// of each bin that is below the number times the rise in the bin.
func (q *query) surface(p *pair, c int) (string, error) {
	own := p.rows()[c*len(p.Knots[0]):][:len(p.Knots[0])]
	x, cases, err := q.numberOf(p, 0)
	if err != nil {
		return "", err
	}
	along := func(at func(knot int) string) string {
		sum := at(0)
		for k := 1; k < len(own); k++ {
			sum += " + " + q.ramp(x, p.Knots[0], k) + " * (" + at(k) + ")"
		}
		return sum
	}
	rise := func(k, l int) float64 {
		if k == 0 {
			return own[0][l]
		}
		return own[k][l] - own[k-1][l]
	}
	var value string
	if p.Text {
		line := func(l int) string { return along(func(k int) string { return signed(rise(k, l)) }) }
		values := make([]string, len(p.Levels.Categories))
		for l := range values {
			values[l] = line(l)
		}
		value, err = q.choose(&p.Levels, tableAlias+"."+identifier(q.Terms[p.Terms[1]].Column), values, "0e0", line(len(values)))
	} else {
		var y string
		var more []string
		y, more, err = q.numberOf(p, 1)
		cases = append(cases, more...)
		value = along(func(k int) string {
			sum := signed(rise(k, 0))
			for l := 1; l < len(p.Knots[1]); l++ {
				sum += " + " + q.ramp(y, p.Knots[1], l) + " * " + signed(rise(k, l)-rise(k, l-1))
			}
			return sum
		})
	}
	return "CASE WHEN " + strings.Join(cases, "\n    WHEN ") + "\n    ELSE " + value + " END", err
}

// ramp returns the share of the bin below a knot that is below x.
func (q *query) ramp(x string, knots []float64, k int) string {
	low, high := knots[k-1], knots[k]
	if max(math.Abs(low), math.Abs(high)) > 0x1p960 { // see linearSQL
		x, low, high = x+" / 2e0", low/2, high/2
	}
	return q.between("(("+x+" - "+signed(low)+") / "+literal(high-low)+")", 0, 1)
}

// numberOf returns a number of a pair. It also returns the cases that must be tested first.
func (q *query) numberOf(p *pair, side int) (value string, cases []string, err error) {
	t := &q.Terms[p.Terms[side]]
	return q.read(&model.Term{Cells: t.Cells, Missing: []float64{0}}, 0, tableAlias+"."+identifier(t.Column))
}

// standard returns a number of a pair in standard deviations from its mean. It also returns the cases that must be
// tested first: a missing value and an invalid cell.
func (q *query) standard(p *pair, side int) (value string, cases []string, err error) {
	t, mean, sd := &q.Terms[p.Terms[side]], p.Mean[side], p.SD[side]
	x, cases, err := q.read(&model.Term{Cells: t.Cells, Missing: []float64{0}}, 0, tableAlias+"."+identifier(t.Column))
	if p.Limited {
		x = q.between(x, mean-farSQL*sd, mean+farSQL*sd)
	}
	if math.Abs(mean) > 0x1p960 { // see linearSQL
		x, mean, sd = x+" / 2e0", mean/2, sd/2
	}
	return "((" + x + " - " + signed(mean) + ") / " + literal(sd) + ")", cases, err
}

// between returns x or the end that it is beyond.
func (q *query) between(x string, least, largest float64) string {
	if largest < math.MaxFloat64 {
		x = q.least + "(" + x + ", " + literal(largest) + ")"
	}
	if least > -math.MaxFloat64 {
		x = q.greatest + "(" + x + ", " + literal(least) + ")"
	}
	return x
}
