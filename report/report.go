// Package report draws pictures of runs from plain numbers.
//
// It does not depend on models or data, so a report can be made from the recorded files of a run.
// Pictures are SVG documents without external fonts or scripts, and the same numbers give the same
// bytes.
package report
