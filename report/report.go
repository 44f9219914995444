// Package report draws pictures of runs from plain numbers.
//
// It knows nothing of models or data, so that a report can be made again from
// what was recorded of a run, without the run. Pictures are SVG documents that
// need nothing from outside, no fonts and no scripts, and the same numbers give
// the same bytes.
package report
