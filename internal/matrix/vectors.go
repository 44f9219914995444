package matrix

// Vectors are the rows or the columns of a table, for methods that process one of them at a time.
// Vectors of a sparse table hold only nonzero numbers.
type Vectors struct {
	// Count is the number of vectors, and Length the length of each.
	Count, Length int

	value []float64
	index []uint32 // index of each value; nil if all are stored
	start []int    // first value of each vector, followed by the number of values; nil if all are stored
}

// ByRow is a Matrix whose rows are available as vectors of numbers.
type ByRow interface {
	Matrix
	// Vectors returns the rows of X·diag(scale) plus offset. A sparse table, which
	// holds nonzero cells only, has no offset.
	Vectors(scale, offset []float64) *Vectors
}

// Transposed returns the columns, given the rows.
func (v *Vectors) Transposed() *Vectors {
	to := &Vectors{Count: v.Length, Length: v.Count, value: make([]float64, len(v.value))}
	if v.start == nil {
		const tile = 32 // both sides of a tile stay in the cache
		for i0 := 0; i0 < v.Count; i0 += tile {
			for j0 := 0; j0 < v.Length; j0 += tile {
				for i := i0; i < min(i0+tile, v.Count); i++ {
					for j := j0; j < min(j0+tile, v.Length); j++ {
						to.value[j*v.Count+i] = v.value[i*v.Length+j]
					}
				}
			}
		}
		return to
	}
	to.index, to.start = make([]uint32, len(v.index)), make([]int, v.Length+1)
	for _, j := range v.index {
		to.start[j+1]++
	}
	for j := range v.Length {
		to.start[j+1] += to.start[j]
	}
	at := append([]int(nil), to.start...)
	for i := range v.Count {
		for p := v.start[i]; p < v.start[i+1]; p++ {
			j := v.index[p]
			to.index[at[j]], to.value[at[j]] = uint32(i), v.value[p]
			at[j]++
		}
	}
	return to
}

// Cells returns the numbers of vector i and their ascending indices, which are nil if all numbers
// are stored.
func (v *Vectors) Cells(i int) (index []uint32, value []float64) {
	if v.start == nil {
		return nil, v.value[i*v.Length : (i+1)*v.Length]
	}
	lo, hi := v.start[i], v.start[i+1]
	return v.index[lo:hi], v.value[lo:hi]
}

// Dot returns the product of vector i and x.
func (v *Vectors) Dot(i int, x []float64) float64 {
	index, value := v.Cells(i)
	if index == nil {
		return dot(value, x)
	}
	var sum float64
	for p, j := range index {
		sum += value[p] * x[j]
	}
	return sum
}

// dot sums in four lanes, which a processor computes in parallel.
func dot(a, b []float64) float64 {
	b = b[:len(a)]
	var s0, s1, s2, s3 float64
	i := 0
	for ; i+4 <= len(a); i += 4 {
		s0 += a[i] * b[i]
		s1 += a[i+1] * b[i+1]
		s2 += a[i+2] * b[i+2]
		s3 += a[i+3] * b[i+3]
	}
	for ; i < len(a); i++ {
		s0 += a[i] * b[i]
	}
	return (s0 + s1) + (s2 + s3)
}

// Add adds c times vector i to x.
func (v *Vectors) Add(x []float64, i int, c float64) {
	index, value := v.Cells(i)
	if index == nil {
		x = x[:len(value)]
		for j, a := range value {
			x[j] += c * a
		}
		return
	}
	for p, j := range index {
		x[j] += c * value[p]
	}
}
