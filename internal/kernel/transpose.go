package kernel

// Line is the number of columns that [FromColumns] copies at once: as many float64 numbers as fill
// a cache line.
const Line = 8

// Fetch brings the first columns of n rows, whose beginnings are width cells apart, into the cache,
// if the processor can do that. It is meant to be called a while before they are written to.
func Fetch(to []float32, width, columns, n int) {
	if len(to) < (n-1)*width+columns {
		panic("kernel: Fetch: the rows are longer than what they lie in")
	}
	fetch(to, width, columns, n)
}

// FromColumns computes
//
//	for i := range n {
//		for j := range columns {
//			to[i*width+j] = from[j*height+i]
//		}
//	}
//
// for rows that begin width cells apart and columns that begin height cells apart.
func FromColumns[T any](to []T, width int, from []T, height, columns, n int) {
	if n == 0 {
		return
	}
	j := 0
	for ; j+Line <= columns; j += Line {
		line(to[j:], width, from[j*height:], height, n)
	}
	for ; j < columns; j++ {
		for i, v := range from[j*height:][:n] {
			to[i*width+j] = v
		}
	}
}

func line[T any](to []T, width int, from []T, height, n int) {
	a, b, c, d := from[:n], from[height:][:n], from[2*height:][:n], from[3*height:][:n]
	e, f, g, h := from[4*height:][:n], from[5*height:][:n], from[6*height:][:n], from[7*height:][:n]
	for i := range n {
		row := to[i*width:][:Line]
		row[0], row[1], row[2], row[3] = a[i], b[i], c[i], d[i]
		row[4], row[5], row[6], row[7] = e[i], f[i], g[i], h[i]
	}
}
