// Package gram multiplies vectors with each other, and factors the matrix of their products: these
// take most of the time of solving least squares.
//
// Its inner loop exists in Go and in assembly for AVX2 and for AVX-512, which is generated
// (_generate) and chosen when the program starts. All three give the same bits, whatever the number
// of threads.
package gram

import (
	"context"
	"math"

	"fsa/internal/parallel"
)

// lanes is the number of partial sums of a product: those of the widest register.
const lanes = 8

// Padded returns the padded length of vectors of n numbers, with zeros at the end.
func Padded(n int) int { return (n + lanes - 1) / lanes * lanes }

// side is that of a tile of products, and block the number of vectors that are multiplied with as
// many others while both stay in the cache.
const (
	side  = 4
	block = 32
)

// Add adds to the lower half of the matrix g of n rows the products of n vectors that are
// contiguous in x:
//
//	g[i·n+j] += Σ_k x[i·m+k]·x[j·m+k],  m = len(x)/n,  j ≤ i
//
// The length m of a vector must be [Padded].
func Add(ctx context.Context, threads int, g, x []float64, n int) error {
	if n == 0 || len(x) == 0 {
		return ctx.Err()
	}
	m := len(x) / n
	if len(g) != n*n || len(x) != n*m || m%lanes != 0 {
		panic("gram: Add: g is not of n rows and columns, or x not of n padded vectors")
	}
	blocks := (n + block - 1) / block
	return parallel.Do(ctx, threads, blocks*(blocks+1)/2, func(_, at int) error {
		i := int((math.Sqrt(float64(8*at+1)) - 1) / 2) // row of blocks, which has i+1 of them
		j := at - i*(i+1)/2
		for r := i * block; r < min((i+1)*block, n); r += side {
			for c := j * block; c < min((j+1)*block, n) && c <= r; c += side {
				addTile(g[r*n+c:], n, x[r*m:], x[c*m:], m, m, min(side, n-r), min(side, n-c), 1)
			}
		}
		return ctx.Err()
	})
}

// Cross sets dst to the products of n contiguous vectors in a with p vectors in b:
//
//	dst[i·p+j] = Σ_k a[i·m+k]·b[j·m+k],  m = len(a)/n
//
// The length m of a vector must be [Padded].
func Cross(dst, a, b []float64, n, p int) {
	if n == 0 || p == 0 {
		return
	}
	m := len(a) / n
	if len(dst) != n*p || len(a) != n*m || len(b) != p*m || m%lanes != 0 {
		panic("gram: Cross: dst is not of n rows and p columns, or the vectors are not padded")
	}
	clear(dst)
	for c := 0; c < p; c += side {
		for r := 0; r < n; r += side {
			addTile(dst[r*p+c:], p, a[r*m:], b[c*m:], m, m, min(side, n-r), min(side, p-c), 1)
		}
	}
}

// addTile adds factor times the products of rows vectors at a with cols vectors at b to g, whose
// rows are width numbers apart; the vectors are stride numbers apart, and their first length
// numbers count.
func addTile(g []float64, width int, a, b []float64, length, stride, rows, cols int, factor float64) {
	if length == 0 {
		return
	}
	var t [side * side]float64
	if rows == side && cols == side {
		dots(&t, a, b, length, stride)
	} else {
		for i := range rows {
			for j := range cols {
				t[i*side+j] = dotGo(a[i*stride:i*stride+length], b[j*stride:j*stride+length])
			}
		}
	}
	for i := range rows {
		row := g[i*width : i*width+cols]
		for j := range row {
			row[j] += factor * t[i*side+j]
		}
	}
}

// dotsGo computes, for four vectors at a and four at b that are stride numbers apart, the products
// of their first length numbers:
//
//	dst[4·i+j] = Σ_k a[i·stride+k]·b[j·stride+k]
func dotsGo(dst *[side * side]float64, a, b []float64, length, stride int) {
	for i := range side {
		for j := range side {
			dst[i*side+j] = dotGo(a[i*stride:i*stride+length], b[j*stride:j*stride+length])
		}
	}
}

// dotGo is the product of two vectors whose length is a multiple of eight, in eight partial sums of
// every eighth product, which are added by halves.
func dotGo(a, b []float64) float64 {
	var s [lanes]float64
	for k := 0; k < len(a); k += lanes {
		x, y := a[k:k+lanes:k+lanes], b[k:k+lanes:k+lanes]
		for l := range s {
			s[l] = math.FMA(x[l], y[l], s[l])
		}
	}
	for n := lanes / 2; n > 0; n /= 2 {
		for l := range n {
			s[l] += s[l+n]
		}
	}
	return s[0]
}
