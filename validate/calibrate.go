package validate

import (
	"fmt"
	"math"
	"slices"

	"fsa/eval"
	"fsa/internal/portable"
)

// Calibration turns decision values into calibrated probabilities. It is fitted on out-of-fold
// decision values, because those of training rows are too extreme.
type Calibration struct {
	// Slope multiplies all decision values; it is at least 0, so that their
	// order is kept.
	Slope float64
	// Intercept is added: one number for two classes, or one for each class.
	Intercept []float64
}

// Probabilities fills p with the probability of the positive class for each decision value in
// z. If there is an intercept for each class, it fills p with the probabilities of all
// classes, row after row. p may be z.
func (c *Calibration) Probabilities(p, z []float64) {
	classes := len(c.Intercept)
	if len(p) != len(z) || len(z)%classes != 0 {
		panic(fmt.Sprintf("validate: %d probabilities of %d decision values and %d classes", len(p), len(z), classes))
	}
	for from := 0; from < len(z); from += classes {
		row := p[from : from+classes]
		for k := range row {
			row[k] = c.Slope*z[from+k] + c.Intercept[k]
		}
		if classes == 1 {
			row[0] = 1 / (1 + portable.Exp(-row[0]))
		} else {
			softmax(row)
		}
	}
}

// softmax turns log odds into probabilities.
func softmax(z []float64) {
	top, sum := slices.Max(z), 0.0
	for k, v := range z {
		z[k] = portable.Exp(v - top)
		sum += z[k]
	}
	for k := range z {
		z[k] /= sum
	}
}

// Platt fits a logistic regression on decision values of two classes, positive where y > 0
// (Platt 1999). Its targets are smoothed by Laplace's rule instead of 0 and 1, so the fit
// exists even if the classes are separable. If larger values do not go with the positive
// class, the slope is 0. The result is NaN if all weights are 0 or some z is not finite.
func Platt(z, y, w []float64) *Calibration {
	n := len(z)
	if len(y) != n || w != nil && len(w) != n {
		panic(fmt.Sprintf("validate: %d decision values of %d rows with %d weights", n, len(y), len(w)))
	}
	var pos, neg float64
	each := func(visit func(i int, weight float64)) {
		for i := range z {
			weight := 1.0
			if w != nil {
				weight = w[i]
			}
			visit(i, weight)
		}
	}
	each(func(i int, weight float64) {
		if y[i] > 0 {
			pos += weight
		} else {
			neg += weight
		}
	})
	// A row with the target t counts as a positive row of weight t and a negative row of weight 1 − t.
	twice, label, weights := make([]float64, 2*n), make([]float64, 2*n), make([]float64, 2*n)
	var positive float64
	each(func(i int, weight float64) {
		target := 1 / (neg + 2)
		if y[i] > 0 {
			target = (pos + 1) / (pos + 2)
		}
		twice[2*i], label[2*i], weights[2*i] = z[i], 1, weight*target
		twice[2*i+1], label[2*i+1], weights[2*i+1] = z[i], 0, weight*(1-target)
		positive += weight * target
	})
	slope, intercept := eval.Recalibration(twice, label, weights)
	if !(slope > 0) && !slices.ContainsFunc(z, notFinite) {
		slope, intercept = 0, math.Log(positive/(pos+neg-positive))
	}
	return &Calibration{slope, []float64{intercept}}
}

func notFinite(x float64) bool { return math.IsNaN(x) || math.IsInf(x, 0) }
