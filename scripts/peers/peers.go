// Package peers embeds the scripts that run the programs with which fsa is compared, so that a
// built fsa needs no checkout for that.
package peers

import _ "embed"

// Python fits the methods that are Python packages; [R] fits those of R. Both read requests from
// standard input and answer in JSON.
//
//go:embed run.py
var Python []byte

// R is the twin of [Python].
//
//go:embed run.R
var R []byte

// Read reads tables with other programs.
//
//go:embed read.py
var Read []byte

// Predict fits the methods with which fsa is compared on real tables, and predicts other rows.
//
//go:embed predict.py
var Predict []byte

// References is the module of [Predict] that fits models of all columns.
//
//go:embed references.py
var References []byte
