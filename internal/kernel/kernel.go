// Package kernel has the inner loops over stored numbers. Each is a plain function of slices; its
// comment is the code that it computes.
//
// The loops over dense numbers exist in Go and in assembly for AVX2, AVX-512 and NEON, which is
// generated (_generate) and chosen at run time. All compute the same bits: what has to be fused is
// math.FMA in Go, and what must not be fused is converted to float64, because compilers for some
// processors fuse x·y + z on their own. Several rows are processed at a time: a coefficient that
// was loaded serves them all, which matters more than the instructions.
//
// With the build tag noasm, and on other processors, there is only Go.
package kernel

//go:generate sh -c "cd _generate && go run . -out ../dense_amd64.s -stubs ../dense_stubs_amd64.go -pkg kernel"
//go:generate sh -c "cd _generate && go run ./neon -out ../dense_arm64.s"
