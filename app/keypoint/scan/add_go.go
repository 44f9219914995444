package scan

import "fsa/app/keypoint/pool"

// The kernels. Each adds the response to one feature to the scores of blocks of pool.Lanes
// neighbouring windows. It computes the value of the feature from the corners of a summed-area
// table by the formula of [pool.Op], converts the value to a byte, and looks the byte up in the
// table of responses. A block is given by the offset of its first window, which is the same in
// score, sums and norm.

// kernel is the signature of all kernels; norm is for cells only.
type kernel func(score []int32, sums []uint32, norm []float32, blocks []int32, at *[pool.MostCorners]int, low, scale float32, table *[256]int32)

func addBoxGo(score []int32, sums []uint32, norm []float32, blocks []int32, at *[pool.MostCorners]int, low, scale float32, table *[256]int32) {
	a, b, c, d := sums[at[0]:], sums[at[1]:], sums[at[2]:], sums[at[3]:]
	for _, block := range blocks {
		for i := int(block); i < int(block)+pool.Lanes; i++ {
			v := a[i] - b[i] - c[i] + d[i]
			score[i] += table[code(float32(int32(v))*norm[i], low, scale)]
		}
	}
}

func addEdgeGo(score []int32, sums []uint32, _ []float32, blocks []int32, at *[pool.MostCorners]int, low, scale float32, table *[256]int32) {
	a, b, c, d, e, f := sums[at[0]:], sums[at[1]:], sums[at[2]:], sums[at[3]:], sums[at[4]:], sums[at[5]:]
	for _, block := range blocks {
		for i := int(block); i < int(block)+pool.Lanes; i++ {
			v := (2*a[i] - b[i] - c[i]) - (2*d[i] - e[i] - f[i])
			score[i] += table[code(float32(int32(v)), low, scale)]
		}
	}
}

func addLineGo(score []int32, sums []uint32, _ []float32, blocks []int32, at *[pool.MostCorners]int, low, scale float32, table *[256]int32) {
	a, b, c, d, e, f, g, h := sums[at[0]:], sums[at[1]:], sums[at[2]:], sums[at[3]:], sums[at[4]:], sums[at[5]:], sums[at[6]:], sums[at[7]:]
	for _, block := range blocks {
		for i := int(block); i < int(block)+pool.Lanes; i++ {
			v := 3*(a[i]-b[i]-c[i]+d[i]) + (e[i] - f[i] - g[i] + h[i])
			score[i] += table[code(float32(int32(v)), low, scale)]
		}
	}
}

func addCheckGo(score []int32, sums []uint32, _ []float32, blocks []int32, at *[pool.MostCorners]int, low, scale float32, table *[256]int32) {
	a, b, c, d, e, f, g, h, k := sums[at[0]:], sums[at[1]:], sums[at[2]:], sums[at[3]:], sums[at[4]:], sums[at[5]:], sums[at[6]:], sums[at[7]:], sums[at[8]:]
	for _, block := range blocks {
		for i := int(block); i < int(block)+pool.Lanes; i++ {
			v := 2*(2*a[i]-b[i]-c[i]) - (2*d[i] - e[i] - f[i]) - (2*g[i] - h[i] - k[i])
			score[i] += table[code(float32(int32(v)), low, scale)]
		}
	}
}

// code computes [pool.Range.Code].
func code(v, low, scale float32) uint8 {
	return pool.Range{Low: low, Scale: scale}.Code(v)
}

// goKernels run on any processor.
var goKernels = [pool.Ops]kernel{addBoxGo, addEdgeGo, addLineGo, addCheckGo}
