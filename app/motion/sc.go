package motion

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// trackClustering is spectral clustering by angle of projected tracks, in the dimension that
// separates best (Lauer and Schnörr, 2009). Tracks of a rigid motion span two to four dimensions,
// and those of K motions that share a direction only 2K−1: so these are tried, up to 4K.
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

// spectralGap partitions as spectral does, and returns the rise of the eigenvalues of the
// Laplacian, which are one minus those of the normalised affinity, after the k-th, relative to that
// one. The k-th is small if the clusters are separated; relative to the eigenvalues of the
// affinity, which are near one, few dimensions would win although their clusters touch.
func spectralGap(affinity *mat.SymDense, k int) (Labels, float64) {
	if k == 1 {
		return make(Labels, affinity.SymmetricDim()), 0
	}
	const least = 1e-12 // of the Laplacian: clusters without any link
	a := normalise(affinity)
	vectors := leading(a, k+1)
	last := 1 - floats.Dot(vectors[k-1], multiply(a, vectors[k-1]))
	next := 1 - floats.Dot(vectors[k], multiply(a, vectors[k]))
	return kmeans(rows(vectors[:k]), k), (next - last) / max(last, least)
}
