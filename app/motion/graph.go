package motion

import (
	"cmp"
	"slices"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"

	"fsa/anneal"
)

// graph has the nearest neighbours of each point, the nearest first.
type graph [][]int

// mostNeighbors is the length of the lists of a graph.
const mostNeighbors = 48

// graphs links every point to its nearest neighbours, by distance and by the angle between
// directions, ignoring their sign, as in eq. (angular-measure).
func graphs(points [][]float64) (near, angle graph) {
	n := len(points)
	product := inner(points)
	length := make([]float64, n) // squared lengths
	for i := range n {
		length[i] = product.Data[i*n+i]
	}
	near, angle = make(graph, n), make(graph, n)
	row := make([]float64, n)
	for i := range n {
		for j, p := range product.Data[i*n : (i+1)*n] {
			row[j] = length[j] - 2*p
		}
		near[i] = lowest(row, i, mostNeighbors)
		for j, p := range product.Data[i*n : (i+1)*n] {
			row[j] = 0
			if length[j] > 0 {
				row[j] = -p * p / length[j]
			}
		}
		angle[i] = lowest(row, i, mostNeighbors)
	}
	return near, angle
}

// inner returns the inner products of all pairs of points.
func inner(points [][]float64) blas64.General {
	x := general(len(points), len(points[0]))
	for i, p := range points {
		copy(x.Data[i*x.Stride:], p)
	}
	out := general(len(points), len(points))
	blas64.Gemm(blas.NoTrans, blas.Trans, 1, x, x, 0, out)
	return out
}

// lowest returns the positions of the k smallest values, the smallest first, without position skip.
// Ties go to the lower position.
func lowest(values []float64, skip, k int) []int {
	work := slices.Clone(values)
	bound := anneal.NthLargest(work, max(len(values)-k, 1)) // one more than k, because one is skipped
	list := make([]int, 0, k+1)
	for j, v := range values {
		if v <= bound && j != skip {
			list = append(list, j)
		}
	}
	slices.SortFunc(list, func(a, b int) int { return cmp.Or(cmp.Compare(values[a], values[b]), a-b) })
	return list[:min(k, len(list))]
}

// cuts returns, for k = 1, 2, … up to the length of the lists, the share of the links to the k
// nearest neighbours that join different motions: of all links, and as a mean over the motions that
// have points.
func (g graph) cuts(labels Labels, motions int) (all, each []float64) {
	most := len(g[0])
	cut := make([][]float64, motions) // links of each motion to others, by their position in the lists
	for m := range cut {
		cut[m] = make([]float64, most)
	}
	for i, list := range g {
		for k, j := range list {
			if labels[i] != labels[j] {
				cut[labels[i]][k]++
			}
		}
	}
	size := labels.sizes(motions)
	present := 0
	for _, n := range size {
		if n > 0 {
			present++
		}
	}
	all, each = make([]float64, most), make([]float64, most)
	for m, counts := range cut {
		if size[m] == 0 {
			continue
		}
		sum := 0.0
		for k, c := range counts {
			sum += c
			all[k] += sum / float64((k+1)*len(g))
			each[k] += sum / float64((k+1)*size[m]*present)
		}
	}
	return all, each
}

func general(rows, cols int) blas64.General {
	return blas64.General{Rows: rows, Cols: cols, Stride: cols, Data: make([]float64, rows*cols)}
}
