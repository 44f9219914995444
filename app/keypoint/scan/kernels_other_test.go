//go:build !amd64 || noasm

package scan

import "fsa/app/keypoint/pool"

// kernelSets returns all kernels that this processor supports, starting with those in Go.
func kernelSets() [][pool.Ops]kernel { return [][pool.Ops]kernel{goKernels} }
