// Package kernel holds the inner loops over stored numbers. Each is a plain
// function of slices; its comment is what it computes.
//
// The loops over dense numbers exist in Go and in assembly for AVX2 and for
// AVX-512, which is generated (_generate) and chosen when the program runs. All
// three give the same bits. Rows are taken several at a time: a coefficient
// that was loaded serves them all, which matters more than the instructions.
//
// With the build tag noasm there is only Go, as on other processors.
package kernel
