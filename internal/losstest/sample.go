package losstest

import (
	"math"
	"math/rand/v2"
	"slices"

	"fsa/loss"
)

// source draws samples.
type source struct {
	*rand.Rand
	Config
	outputs int
}

// sample is a block of rows on which a loss is evaluated.
type sample struct {
	z       []float64
	t       loss.Target
	outputs int
}

// result is the result of a loss on a sample.
type result struct {
	r, d                 []float64
	sum, weight, dWeight float64
}

// draw returns a few rows whose margins are about as large as scale.
func (s source) draw(scale float64) sample {
	n := 1 + s.IntN(12)
	p := sample{z: make([]float64, n*s.outputs), outputs: s.outputs}
	for k := range p.z {
		p.z[k] = scale * s.NormFloat64()
	}
	for range n {
		p.t.Y = append(p.t.Y, s.response())
	}
	if s.IntN(3) > 0 {
		for range n {
			p.t.Weight = append(p.t.Weight, 0.1+2*s.Float64())
		}
	}
	if s.Offset {
		for range n {
			p.t.Offset = append(p.t.Offset, s.NormFloat64())
		}
	}
	if s.Rows == Independent {
		return p
	}
	p.t.Query = []int{0}
	for i := 1; i < n; i++ {
		if s.IntN(4) == 0 {
			p.t.Query = append(p.t.Query, i)
		}
	}
	p.t.Query = append(p.t.Query, n)
	if s.Rows == Pairs {
		p.t.Pairs = s.pairs(p.t.Query)
	}
	return p
}

func (s source) response() float64 {
	if s.Response == nil {
		return float64(2*s.IntN(2) - 1)
	}
	return s.Response(s.Rand)
}

// pairs judges some pairs of rows of each query, some of them with certainty.
func (s source) pairs(query []int) []loss.Pair {
	pairs := []loss.Pair{}
	for q, hi := range query[1:] {
		lo := query[q]
		for i := lo; i < hi; i++ {
			for j := lo; j < hi; j++ {
				if i == j || s.IntN(2) == 0 {
					continue
				}
				r := []float64{0, 0.5, 1, s.Float64()}[s.IntN(4)]
				pairs = append(pairs, loss.Pair{I: i, J: j, R: r})
			}
		}
	}
	return pairs
}

// eval evaluates everything that l has on p. Results are NaN before, so that a loss that forgets an
// element, or adds to it, is found.
func eval(l loss.Loss, p sample) result {
	var v result
	v.r = slices.Repeat([]float64{math.NaN()}, len(p.z))
	v.d = slices.Repeat([]float64{math.NaN()}, len(p.t.Y))
	v.sum, v.weight = l.Eval(v.r, p.z, p.t)
	v.dWeight = l.Curvature(v.d, p.t)
	return v
}

// clone returns a deep copy of p.
func (p sample) clone() sample {
	p.z = slices.Clone(p.z)
	p.t.Y = slices.Clone(p.t.Y)
	p.t.Weight = slices.Clone(p.t.Weight)
	p.t.Offset = slices.Clone(p.t.Offset)
	p.t.Query = slices.Clone(p.t.Query)
	p.t.Pairs = slices.Clone(p.t.Pairs)
	return p
}

// moved returns p with its margins moved by step·v.
func (p sample) moved(step float64, v []float64) sample {
	p.z = slices.Clone(p.z)
	for k := range p.z {
		p.z[k] += step * v[k]
	}
	return p
}

// reweighted returns p with its weights multiplied by c.
func (p sample) reweighted(c float64) sample {
	w := make([]float64, len(p.t.Y))
	for i := range w {
		w[i] = c
		if p.t.Weight != nil {
			w[i] *= p.t.Weight[i]
		}
	}
	p.t.Weight = w
	return p
}

// pick returns the rows of p named by rows, in that order. Queries and pairs
// are left out.
func (p sample) pick(rows []int) sample {
	out := sample{z: pickMargins(p.z, rows, p.outputs), outputs: p.outputs}
	for _, i := range rows {
		out.t.Y = append(out.t.Y, p.t.Y[i])
		if p.t.Weight != nil {
			out.t.Weight = append(out.t.Weight, p.t.Weight[i])
		}
		if p.t.Offset != nil {
			out.t.Offset = append(out.t.Offset, p.t.Offset[i])
		}
	}
	return out
}

// pickMargins returns the margins of the given rows from z, which may also be derivatives: anything
// with several numbers per row in the order of a loss.
func pickMargins(z []float64, rows []int, outputs int) []float64 {
	n := len(z) / outputs
	out := []float64{}
	for c := range outputs {
		for _, i := range rows {
			out = append(out, z[c*n+i])
		}
	}
	return out
}

// slice returns rows lo to hi−1 of p with the queries and pairs among them. It must not split a
// query.
func (p sample) slice(lo, hi int) sample {
	rows := []int{}
	for i := lo; i < hi; i++ {
		rows = append(rows, i)
	}
	out := p.pick(rows)
	if p.t.Query != nil {
		out.t.Query = []int{}
		for _, q := range p.t.Query {
			if lo <= q && q <= hi {
				out.t.Query = append(out.t.Query, q-lo)
			}
		}
	}
	if p.t.Pairs != nil {
		out.t.Pairs = []loss.Pair{}
		for _, pair := range p.t.Pairs {
			if lo <= pair.I && pair.I < hi {
				out.t.Pairs = append(out.t.Pairs, loss.Pair{I: pair.I - lo, J: pair.J - lo, R: pair.R})
			}
		}
	}
	return out
}
