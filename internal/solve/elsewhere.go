package solve

// Elsewhere holds the columns of a problem on another device, which computes sums over rows. Decision values stay on the
// device until Margins copies them. It supports losses of one output whose rows are independent.
type Elsewhere interface {
	// Products returns the matrix of the sums of d·x·x' over the rows, for all pairs of columns and a last column of
	// ones, row after row.
	Products(d []float64) ([]float64, error)
	// At sets the decision values to intercept + Σ beta·x over the given columns.
	At(columns []int, beta []float64, intercept float64) error
	// Aim computes the change of the decision values by a step on the same columns.
	Aim(step []float64, intercept float64) error
	// Try returns the sum of the loss after t times that step.
	Try(t float64) (float64, error)
	// Take accepts the last Try. It sets grad to the derivatives of the sum of the loss by the coefficients, and returns
	// the derivative by the intercept.
	Take(grad []float64) (float64, error)
	// Curved returns the sum over the rows of the second derivative of the loss by the decision value, by central
	// differences. For each row it is at least the share flattest of its bound.
	Curved(difference, flattest float64) (float64, error)
	// Margins copies the decision values to z.
	Margins(z []float64) error
	Close()
}
