//go:build !noasm

package scan

import (
	"golang.org/x/sys/cpu"

	"fsa/app/keypoint/pool"
)

// kernelSets returns all kernels that this processor supports, starting with those in Go.
func kernelSets() [][pool.Ops]kernel {
	sets := [][pool.Ops]kernel{goKernels}
	if cpu.X86.HasAVX2 {
		sets = append(sets, avx2Kernels)
	}
	if cpu.X86.HasAVX512F {
		sets = append(sets, avx512Kernels)
	}
	return sets
}
