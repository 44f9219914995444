// Package kernel holds the inner loops over stored numbers. Each is a plain
// function of slices; its comment is what it computes.
//
// The loops over dense numbers exist in Go and in assembly for AVX2, for AVX-512 and
// for NEON, which is generated (_generate) and chosen when the program runs. All give
// the same bits: what is to be fused is math.FMA in Go, and what is not to be is
// converted to float64, as compilers for some processors fuse x·y + z unasked. Rows
// are taken several at a time: a coefficient that was loaded serves them all, which
// matters more than the instructions.
//
// With the build tag noasm there is only Go, as on other processors.
package kernel

//go:generate sh -c "cd _generate && go run . -out ../dense_amd64.s -stubs ../dense_stubs_amd64.go -pkg kernel"
//go:generate sh -c "cd _generate && go run ./neon -out ../dense_arm64.s"
