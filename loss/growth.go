package loss

import "fsa/internal/portable"

// Losses with a log link have no bound on their second derivative: it grows like exp(z). Two things
// keep training stable. Above an exponent of steepest, the exponential is continued by a parabola,
// so nothing overflows; no fitted mean is as large as exp(steepest) times the mean response. And
// Curvature returns a working bound, the sum of the second derivatives at the null model and at a
// perfect fit of the row. If a step is too long, the loss rises and the step is undone.

// steepest is the exponent above which growth is a parabola: e^30 is about 10¹³.
const steepest = 30

// growth returns exp(x) and its derivative. Above steepest both are continued by the parabola with
// the same value, slope and second derivative at that point.
func growth(x float64) (value, slope float64) {
	if x <= steepest {
		e := portable.Exp(x)
		return e, e
	}
	e, d := portable.Exp(steepest), x-steepest
	return e * (1 + d + d*d/2), e * (1 + d)
}

// times returns exp(x) as a factor of a working bound. The result is always finite.
func times(x float64) float64 { return portable.Exp(min(max(x, -steepest), steepest)) }

// orOne returns a parameter, or 1 if it is 0.
func orOne(v float64) float64 {
	if v == 0 {
		return 1
	}
	return v
}

// Scaled is a loss that is a multiple of the negative log likelihood of a row.
type Scaled interface {
	// Nats is the factor that turns the loss into the negative log likelihood.
	Nats() float64
}
