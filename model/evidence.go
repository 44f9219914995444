package model

import "fsa/validate"

// Evidence holds the details of cross-validation that a model does not store: results of single
// folds and rows.
type Evidence struct {
	// Curve is the out-of-fold error of the best recipe at every size, in total and for each fold. Smaller is better.
	Curve *validate.Curve
	// Prediction holds the out-of-fold predictions of all rows, and Has reports which rows have one. With several repeats
	// it is based on the mean of their decision values.
	Prediction *Prediction
	Has        []bool
	// Fold is the fold of each row in the first repeat, and −1 for a row without a fold.
	Fold []int
	// Selected lists the columns of the dataset that each fold selected. A group is represented by its first column.
	Selected [][]int
	// Losses is the out-of-fold loss of each row, NaN for rows without one, by the recipe and size that the other folds
	// choose; nil unless they were asked for.
	Losses []float64
	// Folds holds the models of the folds of the first repeat; nil unless they have one output.
	Folds *Folds
}
