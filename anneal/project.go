package anneal

import (
	"errors"
	"math"
)

// A Projection replaces the coefficients of a group by the nearest ones that a constraint allows. group is the original
// number of the group.
type Projection func(group int, beta []float64)

// ErrProjection is returned if an objective that stores its coefficients itself should keep a constraint.
var ErrProjection = errors.New("anneal: constraints need an objective whose coefficients are stored in this process")

// constrain lets the objective keep the constraints of a projection after every step; nil means none.
func constrain(obj Resident, p Projection) error {
	c, ok := obj.(*local)
	switch {
	case p == nil:
		return nil
	case !ok:
		return ErrProjection
	}
	c.project = p
	return nil
}

// updateProjected is update with a projection after the step. A coefficient that the projection changes has the velocity
// of what it really moved, so that it does not push against a bound for many steps.
func (c *local) updateProjected(rate, momentum float64) (moved float64) {
	moves := c.grad
	for i, g := range c.grad {
		moves[i] = rate * g
		if c.velocity != nil {
			c.velocity[i] = momentum*c.velocity[i] + moves[i]
			moves[i] += momentum * c.velocity[i]
		}
		c.beta[i] -= moves[i]
	}
	for j := range c.layout.Groups() {
		beta, move := c.layout.Of(c.beta, j), c.layout.Of(moves, j)
		c.free = append(c.free[:0], beta...)
		c.project(c.original(j), beta)
		for i, b := range c.free {
			if beta[i] == b {
				continue
			}
			move[i] += b - beta[i]
			if c.velocity != nil {
				c.layout.Of(c.velocity, j)[i] = move[i]
			}
		}
	}
	for i, move := range moves {
		if c.batches > 1 {
			c.trail[i] += c.beta[i]
		}
		moved = max(moved, math.Abs(move))
	}
	return moved
}
