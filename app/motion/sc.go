package motion

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// trackClustering is spectral clustering by angle of projected tracks, in the dimension that
// separates the motions best (Lauer and Schnörr, 2009). Tracks of a rigid motion span two to four
// dimensions, but K motions that share a direction may span only 2K−1. So all dimensions from 2K−1
// to 4K are tried.
func trackClustering(s *Sequence) Labels {
	p := project(s.Track, 4*s.Motions)
	var best Labels
	widest := math.Inf(-1)
	for d := min(2*s.Motions-1, p.rank()); d <= p.rank(); d++ {
		labels, gap := spectralGap(angular(p.to(d), alpha), s.Motions)
		if gap > widest {
			best, widest = labels, gap
		}
	}
	return best
}

// spectralGap partitions as spectral does. It also returns the relative rise of the eigenvalues of
// the Laplacian after the k-th. These are one minus the eigenvalues of the normalised affinity, and
// the k-th is small if the clusters are separated. A rise relative to the eigenvalues of the
// affinity, which are near one, would prefer few dimensions although their clusters touch.
func spectralGap(affinity *mat.SymDense, k int) (Labels, float64) {
	if k == 1 {
		return make(Labels, affinity.SymmetricDim()), 0
	}
	const least = 1e-12 // of the Laplacian: there are clusters without any link
	a := normalise(affinity)
	vectors := leading(a, k+1)
	last := 1 - floats.Dot(vectors[k-1], multiply(a, vectors[k-1]))
	next := 1 - floats.Dot(vectors[k], multiply(a, vectors[k]))
	return kmeans(rows(vectors[:k]), k), (next - last) / max(last, least)
}
