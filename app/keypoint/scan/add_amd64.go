//go:build !noasm

package scan

import (
	"golang.org/x/sys/cpu"

	"fsa/app/keypoint/pool"
)

//go:generate sh -c "cd _generate && go run . -out ../add_amd64.s -stubs ../add_stubs_amd64.go -pkg scan"

var (
	avx512Kernels = [pool.Ops]kernel{addBoxAVX512, addEdgeAVX512, addLineAVX512, addCheckAVX512}
	avx2Kernels   = [pool.Ops]kernel{addBoxAVX2, addEdgeAVX2, addLineAVX2, addCheckAVX2}
)

// fastest returns the best kernels for this processor.
func fastest() [pool.Ops]kernel {
	switch {
	case cpu.X86.HasAVX512F:
		return avx512Kernels
	case cpu.X86.HasAVX2:
		return avx2Kernels
	}
	return goKernels
}
