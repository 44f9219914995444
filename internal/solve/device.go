package solve

// Device holds the columns of a problem in the memory of a device, such as a GPU, which computes the sums over rows.
// Decision values stay on the device until Margins copies them. It supports losses of one output whose rows are
// independent.
type Device interface {
	// Products returns the matrix of the sums of d·x·x' over the rows, for all pairs of columns and a last column of
	// ones, row after row.
	Products(d []float64) ([]float64, error)
	// SetPoint sets the decision values to intercept + Σ beta·x over the given columns.
	SetPoint(columns []int, beta []float64, intercept float64) error
	// SetStep computes the change of the decision values by a step on the same columns.
	SetStep(step []float64, intercept float64) error
	// Loss returns the sum of the loss after t times that step.
	Loss(t float64) (float64, error)
	// Gradient moves to the point of the last Loss. It sets grad to the derivatives of the sum of the loss by the
	// coefficients, and returns the derivative by the intercept.
	Gradient(grad []float64) (float64, error)
	// Curvature returns the sum over the rows of the second derivative of the loss by the decision value, by central
	// differences. The value of a row is at least the share flattest of its upper bound.
	Curvature(difference, flattest float64) (float64, error)
	// Margins copies the decision values to z.
	Margins(z []float64) error
	Close()
}
