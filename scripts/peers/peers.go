// Package peers carries the scripts that run the programs fsa is compared
// with, so that a built fsa needs no checkout to be compared.
package peers

import _ "embed"

// Python fits the methods that are Python packages; [R] fits those of R. Both
// read requests from standard input and answer in JSON.
//
//go:embed run.py
var Python []byte

// R is the twin of [Python].
//
//go:embed run.R
var R []byte

// Read reads tables by other programs.
//
//go:embed read.py
var Read []byte

// Predict fits the methods that fsa is compared with on real tables, and predicts
// other rows.
//
//go:embed predict.py
var Predict []byte
