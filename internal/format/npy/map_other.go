//go:build !unix

package npy

import "fsa/internal/fault"

// mapFile makes a source of a file, which it takes over. This system reads it instead of mapping
// it.
func mapFile(f *fault.File, _ int) source { return &file{File: f} }
