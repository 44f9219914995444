//go:build !unix

package npy

import "fsa/internal/fault"

// mapFile makes a source of a file, which it takes over. Here it is read, not
// mapped.
func mapFile(f *fault.File, _ int) source { return &file{File: f} }
