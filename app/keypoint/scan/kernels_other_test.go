//go:build !amd64 || noasm

package scan

import "fsa/app/keypoint/pool"

// kernelSets returns all kernels that this processor can run, those in Go first.
func kernelSets() [][pool.Ops]kernel { return [][pool.Ops]kernel{goKernels} }
