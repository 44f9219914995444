package solve

// inverse is the inverse of a Hessian H.
type inverse interface {
	solve(v []float64)                        // sets v = H⁻¹v
	normal(c *Constraint, size int) []float64 // returns H⁻¹a for the normal a of a constraint
}

var _, _ inverse = (*triangle)(nil), (*bfgs)(nil)

func (t *triangle) normal(c *Constraint, size int) []float64 {
	v := identity{}.normal(c, size)
	t.solve(v)
	return v
}

// identity is the inverse of the identity.
type identity struct{}

func (identity) solve([]float64) {}

func (identity) normal(c *Constraint, size int) []float64 {
	v := make([]float64, size)
	for i, at := range c.Columns {
		v[at] += c.Weights[i]
	}
	return v
}

// bfgs is a dense approximation of the inverse of the Hessian, which steps update (Broyden, Fletcher, Goldfarb and
// Shanno; Nocedal and Wright 2006, 6.17).
type bfgs struct {
	first *triangle // at the null model
	rows  [][]float64
	steps int // number of updates
}

func newInverse(first *triangle, size int) *bfgs {
	b := &bfgs{first: first, rows: make([][]float64, size)}
	b.restart()
	return b
}

func (b *bfgs) restart() {
	b.steps = 0
	for i := range b.rows {
		b.rows[i] = make([]float64, len(b.rows))
		b.rows[i][i] = 1
		b.first.solve(b.rows[i])
	}
}

// reset returns to the null model. It returns false if nothing has changed since.
func (b *bfgs) reset() bool {
	if b == nil || b.steps == 0 {
		return false
	}
	b.restart()
	return true
}

// update corrects the inverse by a step and the change of the gradient. Before the first one it is scaled to the curvature
// along the step, as in [quasiNewton.update]. A change that is not convex is left out.
func (b *bfgs) update(step, change []float64) {
	if b == nil {
		return
	}
	const least = 1e-10 // smallest curvature along a step, as a share of that of the gradient
	along := b.times(change)
	bent, expected := dot(step, change), dot(change, along)
	if !(bent > least*expected) || !(expected > 0) {
		return
	}
	if b.steps++; b.steps == 1 {
		by := bent / expected
		for _, row := range b.rows {
			scale(row, by)
		}
		scale(along, by)
		expected = bent
	}
	more := (1 + expected/bent) / bent
	for i, row := range b.rows {
		axpy(row, more*step[i]-along[i]/bent, step)
		axpy(row, -step[i]/bent, along)
	}
}

func (b *bfgs) times(v []float64) []float64 {
	product := make([]float64, len(v))
	for i, row := range b.rows {
		product[i] = dot(row, v)
	}
	return product
}

func (b *bfgs) solve(v []float64) { copy(v, b.times(v)) }

func (b *bfgs) normal(c *Constraint, size int) []float64 {
	v := make([]float64, size)
	for i, at := range c.Columns {
		axpy(v, c.Weights[i], b.rows[at])
	}
	return v
}
