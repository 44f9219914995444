package loss

import "fsa/internal/portable"

// Losses of a log link have no bound on their second derivative: it grows like exp(z). Two things keep
// training safe. Beyond steepest, the exponential goes on as a parabola, so that nothing overflows; no
// fitted mean is exp(steepest) times the mean response. And Curvature gives a working bound, the sum of
// the second derivatives at the null model and at a perfect fit of the row. A step that it makes too long
// is noticed, because the loss rises, and taken back.

// steepest is the exponent from which on growth is a parabola: e^30 is 10¹³.
const steepest = 30

// growth returns exp(x) and its derivative, continued beyond steepest by the parabola with the same value,
// slope and second derivative there.
func growth(x float64) (value, slope float64) {
	if x <= steepest {
		e := portable.Exp(x)
		return e, e
	}
	e, d := portable.Exp(steepest), x-steepest
	return e * (1 + d + d*d/2), e * (1 + d)
}

// times returns exp(x) as a factor of a working bound, which must be finite.
func times(x float64) float64 { return portable.Exp(min(max(x, -steepest), steepest)) }

// orOne returns a parameter of which 0 means 1.
func orOne(v float64) float64 {
	if v == 0 {
		return 1
	}
	return v
}

// Scaled is a loss whose value is the negative log likelihood of a row in another unit.
type Scaled interface {
	// Nats is the factor from the loss to the negative log likelihood.
	Nats() float64
}
