package loss

import (
	"slices"

	"fsa/internal/portable"
)

// Link is the function that turns the decision values of a row into predictions. Statisticians call
// it the inverse link.
type Link string

// The links.
const (
	Identity     Link = ""           // the prediction is the decision value, or the loss has no other prediction
	Exp          Link = "exp"        // the decision value is the logarithm of the predicted number
	LogisticLink Link = "logistic"   // the decision value is the log odds of the last of two classes, or of a share
	Softmax      Link = "softmax"    // the decision values give the probability of each class
	Cumulative   Link = "cumulative" // the decision value and the thresholds of the model give the probability of each ordered class
	Own          Link = "own"        // a loss of the caller says what the prediction is; see [Inverter]
)

// Numbers reports whether predictions of numbers are not the decision values themselves.
func (l Link) Numbers() bool { return l == Exp || l == LogisticLink || l == Own }

// Probability reports whether predictions are probabilities.
func (l Link) Probability() bool { return l == LogisticLink || l == Softmax || l == Cumulative }

// largestLog is the logarithm of the largest number that Exp predicts. The limit makes all programs
// to which a model is exported agree.
const largestLog = 700

// Apply replaces the decision values of a row by predictions. Those of [Cumulative] are the logarithms of the
// probabilities; see [LogShares].
func (l Link) Apply(z []float64) {
	switch l {
	case Exp:
		for c, v := range z {
			z[c] = portable.Exp(min(v, largestLog))
		}
	case LogisticLink:
		for c, v := range z {
			z[c] = 1 / (1 + portable.Exp(-v))
		}
	case Softmax, Cumulative:
		softmax(z)
	}
}

func softmax(z []float64) {
	top, sum := slices.Max(z), 0.0
	for c, v := range z {
		z[c] = portable.Exp(v - top)
		sum += z[c]
	}
	for c := range z {
		z[c] /= sum
	}
}
