package kernel

import "slices"

// MulSparse computes, for row i whose cells are index[start[i]:start[i+1]],
//
//	z[i] = Σ_p value[p]·beta[index[p]]
func MulSparse(z []float64, start []int, index []uint32, value []float32, beta []float64) {
	for i := range z {
		cells := index[start[i]:start[i+1]]
		values := value[start[i]:start[i+1]]
		var s float64
		for p, j := range cells {
			s += float64(float64(values[p]) * beta[j])
		}
		z[i] = s
	}
}

// MulTSparse computes, for row i whose cells are index[start[i]:start[i+1]],
//
//	g[index[p]] += value[p]·r[i]
func MulTSparse(g []float64, start []int, index []uint32, value []float32, r []float64) {
	for i, ri := range r {
		cells := index[start[i]:start[i+1]]
		values := value[start[i]:start[i+1]]
		for p, j := range cells {
			g[j] += float64(float64(values[p]) * ri)
		}
	}
}

// MulTSparseOf is MulTSparse for the cells of columns lo to hi−1 only. The cells of a row are
// ascending.
func MulTSparseOf(g []float64, start []int, index []uint32, value []float32, r []float64, lo, hi uint32) {
	for i, ri := range r {
		cells := index[start[i]:start[i+1]]
		from, _ := slices.BinarySearch(cells, lo)
		cells = cells[from:]
		values := value[start[i]+from : start[i+1]]
		for p, j := range cells {
			if j >= hi {
				break
			}
			g[j] += float64(float64(values[p]) * ri)
		}
	}
}
