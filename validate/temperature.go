package validate

import (
	"fmt"
	"math"
	"slices"

	"fsa/internal/portable"
)

// Temperature fits one slope for the decision values of all classes and an intercept for each
// class that minimise the log loss of the softmax (temperature scaling of Guo et al. 2017 with
// the bias correction of Alexandari et al. 2020). z[i*classes+c] is the decision value of
// class c, and y[i] is the class 0, 1, …, classes−1. Targets are smoothed as in [Platt], which
// it equals for two classes. The intercepts sum to 0. The result is NaN if all weights are 0
// or some z is not finite.
func Temperature(z []float64, classes int, y, w []float64) *Calibration {
	if classes < 2 || len(z) != classes*len(y) || w != nil && len(w) != len(y) {
		panic(fmt.Sprintf("validate: %d decision values of %d rows and %d classes with %d weights", len(z), len(y), classes, len(w)))
	}
	f := newScaling(z, classes, y, w)
	c := &Calibration{Intercept: make([]float64, classes)}
	if !(f.total > 0) || slices.ContainsFunc(z, notFinite) {
		for k := range c.Intercept {
			c.Slope, c.Intercept[k] = math.NaN(), math.NaN()
		}
		return c
	}
	best := f.minimize()
	c.Slope = best[0] / f.scale
	copy(c.Intercept, best[1:])
	if !(c.Slope > 0) {
		// The loss is convex, so with a slope of at least 0 its minimum is at slope 0, where the
		// probabilities are the shares of the classes.
		c.Slope = 0
		for k := range c.Intercept {
			c.Intercept[k] = math.Log(f.share[k])
		}
	}
	var mean float64
	for _, v := range c.Intercept {
		mean += v / float64(classes)
	}
	for k := range c.Intercept {
		c.Intercept[k] -= mean
	}
	return c
}

// scaling is the log loss of softmax(b·z + a) as a function of b and a.
type scaling struct {
	classes int
	z       []float64 // decision values, centred in each row, in units of scale
	scale   float64
	class   []int
	weight  []float64
	total   float64   // total weight
	of      []float64 // weight of each class
	share   []float64 // share of the smoothed targets of each class
	p       []float64 // probabilities at the last evaluation
}

func newScaling(z []float64, classes int, y, w []float64) *scaling {
	f := &scaling{classes: classes, z: slices.Clone(z), p: make([]float64, len(z)), weight: w,
		of: make([]float64, classes), share: make([]float64, classes), class: make([]int, len(y))}
	if w == nil {
		f.weight = slices.Repeat([]float64{1}, len(y))
	}
	var square float64
	for i := range y {
		c := int(y[i])
		if float64(c) != y[i] || c < 0 || c >= classes {
			panic(fmt.Sprintf("validate: class %v of %d", y[i], classes))
		}
		f.class[i] = c
		f.total += f.weight[i]
		f.of[c] += f.weight[i]
		row, mean := f.row(f.z, i), 0.0
		for _, v := range row {
			mean += v / float64(classes)
		}
		for k := range row {
			row[k] -= mean
			square += f.weight[i] * row[k] * row[k] / float64(classes)
		}
	}
	if f.scale = math.Sqrt(square / f.total); !(f.scale > 0) {
		f.scale = 1
	}
	for i := range f.z {
		f.z[i] /= f.scale
	}
	for i, c := range f.class {
		for k := range f.share {
			f.share[k] += f.weight[i] * f.target(c, k) / f.total
		}
	}
	return f
}

func (f *scaling) row(x []float64, i int) []float64 { return x[i*f.classes : (i+1)*f.classes] }

// target returns the smoothed target of class k for a row of class c, by Laplace's rule.
func (f *scaling) target(c, k int) float64 {
	t := 1 / (f.of[c] + float64(f.classes))
	if c == k {
		t *= f.of[c] + 1
	}
	return t
}

// eval returns the mean loss at x, which holds the slope and the intercepts, and sets its gradient.
func (f *scaling) eval(grad, x []float64) (loss float64) {
	clear(grad)
	for i, c := range f.class {
		z, p, w := f.row(f.z, i), f.row(f.p, i), f.weight[i]/f.total
		for k := range p {
			p[k] = x[0]*z[k] + x[1+k]
		}
		top, sum := slices.Max(p), 0.0
		for _, v := range p {
			sum += portable.Exp(v - top)
		}
		norm := top + math.Log(sum)
		for k := range p {
			t := f.target(c, k)
			loss += w * t * (norm - p[k])
			p[k] = portable.Exp(p[k] - norm)
			r := w * (p[k] - t)
			grad[0] += r * z[k]
			grad[1+k] += r
		}
	}
	return loss
}

// hessian sets out to the Hessian at the last point of eval times v.
func (f *scaling) hessian(out, v []float64) {
	clear(out)
	for i := range f.class {
		z, p, w := f.row(f.z, i), f.row(f.p, i), f.weight[i]/f.total
		var mean float64
		for k := range p {
			mean += p[k] * (v[0]*z[k] + v[1+k])
		}
		for k := range p {
			h := w * p[k] * (v[0]*z[k] + v[1+k] - mean)
			out[0] += h * z[k]
			out[1+k] += h
		}
	}
}

// minimize returns the minimum of the loss, by Newton's method. Conjugate gradients solve for the steps, because the Hessian
// of many classes would be large.
func (f *scaling) minimize() []float64 {
	n := f.classes + 1
	x, grad := make([]float64, n), make([]float64, n)
	loss := f.eval(grad, x)
	const (
		rounds = 100   // far more than such a convex function needs
		enough = 1e-11 // a gradient of this size is rounding error
	)
	for range rounds {
		if norm(grad) < enough {
			break
		}
		step := f.newton(grad)
		next, nextGrad, share := make([]float64, n), make([]float64, n), 1.0
		for ; share > 0x1p-30; share /= 2 {
			for j := range x {
				next[j] = x[j] - share*step[j]
			}
			l := f.eval(nextGrad, next)
			if l < loss*(1-1e-12) || l < loss*(1+1e-12) && norm(nextGrad) < norm(grad) {
				loss = l
				break
			}
		}
		if share <= 0x1p-30 {
			break // no step lowers the loss
		}
		x, grad = next, nextGrad
	}
	return x
}

// newton returns the Newton step of a gradient.
func (f *scaling) newton(grad []float64) []float64 {
	n := len(grad)
	step, rest, toward, product := make([]float64, n), slices.Clone(grad), slices.Clone(grad), make([]float64, n)
	was := norm(rest)
	for range 3 * n {
		f.hessian(product, toward)
		curve := dot(toward, product)
		if !(curve > 0) {
			break
		}
		a := was * was / curve
		for j := range step {
			step[j] += a * toward[j]
			rest[j] -= a * product[j]
		}
		now := norm(rest)
		if now < 1e-10*norm(grad) {
			break
		}
		for j := range toward {
			toward[j] = rest[j] + now*now/(was*was)*toward[j]
		}
		was = now
	}
	return step
}

func dot(a, b []float64) (sum float64) {
	for i := range a {
		sum += a[i] * b[i]
	}
	return sum
}

func norm(a []float64) float64 { return math.Sqrt(dot(a, a)) }
