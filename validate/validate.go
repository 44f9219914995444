// Package validate has the parts of validation that do not fit models: dividing rows into folds and
// half samples, choosing a size from a curve of errors, measuring the stability of selections, and
// turning out-of-fold predictions into calibrated probabilities, prediction intervals and sets of
// classes.
//
// All are functions of plain slices. Nothing depends on the clock, on threads or on shared random
// numbers: the same input gives the same bits.
package validate
