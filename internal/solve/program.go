package solve

import (
	"math"
	"slices"
)

// program is a quadratic program: the point that satisfies some constraints and is nearest to a given point, by the
// distance (x−c)ᵀH(x−c). It is solved by the dual method of Goldfarb and Idnani (1983): it starts from c and adds the
// constraint that is violated most, until none is. The points between are optimal for the constraints added so far.
type program struct {
	inverse     inverse // of H
	constraints []Constraint

	x      []float64
	active []int       // constraints that hold with equality; the next search begins with those of the last
	held   []bool      // whether each constraint is one of them
	force  []float64   // their multipliers
	pull   [][]float64 // H⁻¹a for the normal a of each
	chol   [][]float64 // Cholesky factor of the matrix of a'H⁻¹a, row by row
}

const (
	satisfied   = 1e-12 // largest violation that is rounding, as a share of the terms of a constraint
	independent = 1e-11 // smallest share of the length of a normal that is new, for it to be independent of the others
	fewAdded    = 50    // number of times, per constraint, that a constraint is added before the search ends
)

func newProgram(h inverse, constraints []Constraint) *program {
	return &program{inverse: h, constraints: constraints}
}

// nearest returns the nearest feasible point to c.
func (q *program) nearest(c []float64) []float64 {
	q.begin(c)
	met := make([]bool, len(q.constraints)) // constraints that hold but for rounding, and are not looked at again
	for range fewAdded * len(q.constraints) {
		worst := q.violated(c, met)
		if worst < 0 {
			break
		}
		if !q.add(worst) {
			met[worst] = true
		}
	}
	q.settle()
	return q.x
}

// begin moves to the optimum for those active constraints of the last search that c would violate.
func (q *program) begin(c []float64) {
	normals := make([][]float64, len(q.constraints))
	for _, p := range q.active {
		normals[p] = q.inverse.normal(&q.constraints[p], len(c))
	}
	todo, gaps := q.active, []float64{}
	q.active, q.pull, q.chol = nil, nil, nil
	q.x, q.held = slices.Clone(c), make([]bool, len(q.constraints))
	for {
		for _, p := range todo {
			r := &q.constraints[p]
			row, length := q.row(normals[p]), r.value(normals[p])
			if rest := length - dot(row, row); rest > independent*length {
				q.hold(p, normals[p], row, rest)
				gaps = append(gaps, r.Least-r.value(c))
			}
		}
		q.force = q.backward(q.forward(gaps))
		first := slices.IndexFunc(q.force, func(f float64) bool { return f < 0 })
		if first < 0 {
			break
		}
		todo = nil
		for j := first; j < len(q.force); j++ { // without those that pull the wrong way
			if p := q.active[j]; q.force[j] >= 0 {
				todo = append(todo, p)
			}
			q.held[q.active[j]] = false
		}
		q.active, q.pull, q.chol, gaps = q.active[:first], q.pull[:first], q.chol[:first], gaps[:first]
	}
	for j, f := range q.force {
		axpy(q.x, f, q.pull[j])
	}
}

// row returns the next row of the Cholesky factor, without its last element, for the normal v of a constraint.
func (q *program) row(v []float64) []float64 {
	product := make([]float64, len(q.active))
	for j, a := range q.active {
		product[j] = q.constraints[a].value(v)
	}
	return q.forward(product)
}

// hold makes a constraint active.
func (q *program) hold(p int, v, row []float64, rest float64) {
	q.active, q.pull = append(q.active, p), append(q.pull, v)
	q.chol = append(q.chol, append(row, math.Sqrt(rest)))
	q.held[p] = true
}

// violated returns the constraint that is violated most, in units of its terms; −1 if there is none.
func (q *program) violated(c []float64, met []bool) int {
	worst, most := -1, satisfied
	for i := range q.constraints {
		if met[i] || q.held[i] {
			continue
		}
		r := &q.constraints[i]
		terms := math.Abs(r.Least)
		for k, at := range r.Columns {
			terms += math.Abs(r.Weights[k]) * (math.Abs(q.x[at]) + math.Abs(c[at]))
		}
		if v := (r.Least - r.value(q.x)) / terms; v > most {
			worst, most = i, v
		}
	}
	return worst
}

// add moves to the optimum with one more constraint, and drops active ones that hold it back. It returns false if the
// constraint depends on the active ones, which then leave nothing to move.
func (q *program) add(p int) bool {
	r := &q.constraints[p]
	v := q.inverse.normal(r, len(q.x))
	length, own := r.value(v), 0.0 // own is the multiplier of the new constraint
	for {
		row := q.row(v)
		rest := length - dot(row, row)
		share := q.backward(row) // multipliers of the active constraints fall by this much per unit of the new one
		least, drop := math.Inf(1), -1
		for j, s := range share {
			if s > 0 && q.force[j]/s < least {
				least, drop = q.force[j]/s, j
			}
		}
		free := rest > independent*length
		full := math.Inf(1)
		if free {
			full = max(r.Least-r.value(q.x), 0) / rest
		}
		step := min(least, full)
		if math.IsInf(step, 1) {
			return false
		}
		for j := range q.force {
			q.force[j] = max(q.force[j]-step*share[j], 0)
		}
		own += step
		if free {
			axpy(q.x, step, v)
			for j := range q.active {
				axpy(q.x, -step*share[j], q.pull[j])
			}
		}
		if full <= least {
			q.hold(p, v, row, rest)
			q.force = append(q.force, own)
			return true
		}
		q.drop(drop)
	}
}

// drop removes an active constraint.
func (q *program) drop(j int) {
	q.held[q.active[j]] = false
	q.active, q.force, q.pull = slices.Delete(q.active, j, j+1), slices.Delete(q.force, j, j+1), slices.Delete(q.pull, j, j+1)
	q.chol = q.chol[:j]
	for i := j; i < len(q.active); i++ {
		product := make([]float64, i+1)
		for l := range product {
			product[l] = q.constraints[q.active[l]].value(q.pull[i])
		}
		row := q.forward(product[:i])
		q.chol = append(q.chol, append(row, math.Sqrt(max(product[i]-dot(row, row), independent*product[i]))))
	}
}

// forward solves Lw = v for the Cholesky factor L, and backward Lᵀw = v.
func (q *program) forward(v []float64) []float64 {
	w := slices.Clone(v)
	for i := range w {
		w[i] = (w[i] - dot(q.chol[i][:i], w[:i])) / q.chol[i][i]
	}
	return w
}

func (q *program) backward(v []float64) []float64 {
	w := slices.Clone(v)
	for i := len(w) - 1; i >= 0; i-- {
		w[i] /= q.chol[i][i]
		axpy(w[:i], -w[i], q.chol[i][:i])
	}
	return w
}

// settle gives coefficients at a bound the exact value of the bound.
func (q *program) settle() {
	for _, a := range q.active {
		if r := &q.constraints[a]; len(r.Columns) == 1 {
			q.x[r.Columns[0]] = r.Least / r.Weights[0]
		}
	}
}
