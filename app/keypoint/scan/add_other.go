//go:build !amd64 || noasm

package scan

import "fsa/app/keypoint/pool"

// fastest returns the best kernels for this processor.
func fastest() [pool.Ops]kernel { return goKernels }
