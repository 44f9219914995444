package eval

// The deviance is twice the difference between the log likelihood of the best possible prediction
// and that of the given one, here per unit of weight, so that folds of different sizes are
// comparable (McCullagh and Nelder 1989).

// DevianceSquared returns the mean deviance of a response with normal errors of variance 1, which
// is the mean squared error. It is NaN if the total weight is 0.
func DevianceSquared(predicted, y, w []float64) float64 {
	rmse := RMSE(predicted, y, w)
	return rmse * rmse
}

// DevianceLogistic returns the mean deviance of two classes: twice [LogLoss].
func DevianceLogistic(p, y, w []float64) float64 { return 2 * LogLoss(p, y, w) }

// DevianceMultinomial returns the mean deviance of several classes: twice
// [LogLossMulti].
func DevianceMultinomial(p []float64, classes int, y, w []float64) float64 {
	return 2 * LogLossMulti(p, classes, y, w)
}
