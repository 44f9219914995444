package baseline

import "math"

// penalty is a penalty on a coefficient. Coordinate descent only needs the best value of one
// coefficient while the others are fixed.
type penalty interface {
	// Value is the cost of coefficient b.
	Value(b float64) float64
	// Best returns the b of least ½·curvature·(b−u)² + Value(b).
	Best(u, curvature float64) float64
	// Threshold is the slope of the loss up to which a coefficient stays zero.
	Threshold() float64
	// Convex says that there is only one minimum, so that any descent finds it.
	Convex() bool
}

// elastic is the penalty l1·|b| + ½·l2·b²: the lasso where l2 is 0.
type elastic struct{ l1, l2 float64 }

var _ penalty = elastic{}

func (p elastic) Value(b float64) float64 { return p.l1*math.Abs(b) + p.l2*b*b/2 }

func (p elastic) Best(u, curvature float64) float64 {
	return shrink(curvature*u, p.l1) / (curvature + p.l2)
}

func (p elastic) Threshold() float64 { return p.l1 }

func (p elastic) Convex() bool { return true }

// shrink moves u by amount towards zero, and no further.
func shrink(u, amount float64) float64 {
	return math.Copysign(max(math.Abs(u)-amount, 0), u)
}

// minimax is the minimax concave penalty of Zhang (2010): it begins with slope
// lambda like the lasso, and flattens until it costs nothing more to be larger
// than gamma·lambda.
type minimax struct{ lambda, gamma float64 }

var _ penalty = minimax{}

func (p minimax) Value(b float64) float64 {
	b = min(math.Abs(b), p.gamma*p.lambda)
	return p.lambda*b - b*b/(2*p.gamma)
}

func (p minimax) Best(u, curvature float64) float64 {
	flat := p.gamma * p.lambda
	size := math.Abs(u)
	if curvature*p.gamma > 1 {
		if size < flat {
			return shrink(curvature*u, p.lambda) / (curvature - 1/p.gamma)
		}
		return u
	}
	// The sum is concave up to where the penalty is flat: the least value is
	// at zero or beyond that point.
	far := max(size, flat)
	if curvature*(far-size)*(far-size)/2+p.Value(far) < curvature*size*size/2 {
		return math.Copysign(far, u)
	}
	return 0
}

func (p minimax) Threshold() float64 { return p.lambda }

func (p minimax) Convex() bool { return false }

// clipped is the smoothly clipped absolute deviation of Fan and Li (2001): the
// lasso up to lambda, flat from gamma·lambda on, and a parabola between them.
type clipped struct{ lambda, gamma float64 }

var _ penalty = clipped{}

func (p clipped) Value(b float64) float64 {
	b = math.Abs(b)
	if b <= p.lambda {
		return p.lambda * b
	}
	b = min(b, p.gamma*p.lambda)
	return p.lambda*b - (b-p.lambda)*(b-p.lambda)/(2*(p.gamma-1))
}

func (p clipped) Best(u, curvature float64) float64 {
	flat := p.gamma * p.lambda
	size := math.Abs(u)
	near := min(max(size-p.lambda/curvature, 0), p.lambda)
	bend := 1 / (p.gamma - 1)
	switch {
	case curvature > bend && size >= flat:
		return u
	case curvature > bend && near == p.lambda:
		return shrink(curvature*u, flat*bend) / (curvature - bend)
	case curvature > bend:
		return math.Copysign(near, u)
	}
	// The sum is concave along the parabola: the least value is at one of its
	// ends or outside of it.
	far := max(size, flat)
	cost := func(b float64) float64 { return curvature*(b-size)*(b-size)/2 + p.Value(b) }
	if cost(far) < cost(near) {
		near = far
	}
	return math.Copysign(near, u)
}

func (p clipped) Threshold() float64 { return p.lambda }

func (p clipped) Convex() bool { return false }
