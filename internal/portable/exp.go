// Package portable has elementary functions whose results have the same bits on every processor.
//
// Package math computes some of them in assembly that depends on the instructions of the processor,
// and compilers for some processors fuse products with sums. Models would differ in their last
// digits.
package portable

import "math"

// Exp returns eˣ to within one unit in the last place. Special cases are those of [math.Exp].
//
// It follows the algorithm of FreeBSD's e_exp.c, as math.Exp does where there is no assembly:
// x = k·ln 2 + r with |r| ≤ ½·ln 2, and a rational approximation of exp(r). Every product is
// converted to float64, so that none is fused with a sum.
func Exp(x float64) float64 {
	const (
		high      = 6.93147180369123816490e-01 // leading digits of ln 2; k times this is exact
		low       = 1.90821492927058770002e-10 // the rest of it
		overflow  = 7.09782712893383973096e+02
		underflow = -7.45133219101941108420e+02
		nearZero  = 1.0 / (1 << 28)
	)
	switch {
	case math.IsNaN(x) || math.IsInf(x, 1):
		return x
	case x > overflow:
		return math.Inf(1)
	case x < underflow: // and −∞
		return 0
	case -nearZero < x && x < nearZero:
		return 1 + x
	}
	var k int
	switch {
	case x < 0:
		k = int(float64(math.Log2E*x) - 0.5)
	case x > 0:
		k = int(float64(math.Log2E*x) + 0.5)
	}
	hi, lo := x-float64(float64(k)*high), float64(float64(k)*low)
	r := hi - lo
	t := float64(r * r)
	// c is r·(exp(r)+1)/(exp(r)−1), by Remez's approximation.
	c := float64(t*4.13813679705723846039e-08) - 1.65339022054652515390e-06
	c = float64(t*c) + 6.61375632143793436117e-05
	c = float64(t*c) - 2.77777777770155933842e-03
	c = float64(t*c) + 1.66666666666666657415e-01
	c = r - float64(t*c)
	y := 1 - ((lo - float64(r*c)/(2-c)) - hi)
	if k < -1000 || 1000 < k { // 2ᵏ or the result may not be a normal number
		return math.Ldexp(y, k)
	}
	return y * math.Float64frombits(uint64(k+1023)<<52)
}
