package validate

import "math"

// The information criteria compare models of different sizes that were fitted on the same rows.
// loss is −2 log likelihood, up to a constant that is the same for all sizes: for classes, the sum
// over rows of twice the log loss; for a number, see [NormalLoss]. The lowest value is the best.

// NormalLoss returns −2 log likelihood of normal errors whose variance is
// estimated by the mean squared error, up to a constant.
func NormalLoss(mse, rows float64) float64 { return rows * math.Log(mse) }

// AIC returns Akaike's information criterion (Akaike 1974).
func AIC(loss, df float64) float64 { return loss + 2*df }

// BIC returns the Bayesian information criterion (Schwarz 1978).
func BIC(loss, df, rows float64) float64 { return loss + df*math.Log(rows) }

// EBIC returns the extended Bayesian information criterion (Chen and Chen 2008)
//
//	loss + df·log(rows) + 2·gamma·log C(variables, selected)
//
// The last term accounts for the number of sets of this size. With gamma = 0 it is BIC; gamma
// = 1 suits tables with more variables than rows.
func EBIC(loss, df, rows float64, selected, variables int, gamma float64) float64 {
	return BIC(loss, df, rows) + 2*gamma*logChoose(variables, selected)
}

// GIC returns the generalised information criterion of abess (Zhu et al. 2020;
// Fan and Tang 2013), whose penalty is df·log(variables)·log(log(rows)).
func GIC(loss, df, rows float64, variables int) float64 {
	return loss + df*math.Log(float64(variables))*math.Log(math.Log(rows))
}

// logChoose returns the logarithm of the binomial coefficient n over k.
func logChoose(n, k int) float64 {
	if k < 0 || k > n {
		return math.NaN()
	}
	factorial := func(n int) float64 {
		v, _ := math.Lgamma(float64(n) + 1)
		return v
	}
	return factorial(n) - factorial(k) - factorial(n-k)
}
