// Package validate says how many variables to keep, how good a method is on
// rows that it has not seen, and how sure its selection is.
//
// It holds the parts that need no fit: how rows are cut into folds and half
// samples, what a curve of errors over sizes says, how stable selections are,
// and how out-of-fold predictions become calibrated probabilities, intervals and
// sets of classes. All are functions of plain slices. Nothing depends on the
// clock, on threads or on shared random numbers: the same input gives the same
// bits.
package validate
