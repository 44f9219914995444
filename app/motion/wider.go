package motion

import (
	"context"
	"math/rand/v2"
)

// Settings of the kernels of ordered residuals.
const (
	kernelSeed     = 1
	localNeighbors = 20  // neighbours among which points are drawn together
	reducedDims    = 20  // principal coordinates of tracks in which subspaces are fitted
	linkShare      = 0.1 // share of all points, for kernels with few links
	leastLinks     = 8
)

// widerCandidates makes the candidates that the wide pool adds to velocity clustering: spectral
// clustering of tracks, sparse subspace clustering, and spectral clustering by kernels of ordered
// residuals of affine maps between frames and of subspaces of tracks, with points drawn anywhere or
// close together, with all links or the strongest.
func widerCandidates(ctx context.Context, s *Sequence) ([]Candidate, error) {
	sparse, err := sparseCandidate(ctx, s)
	if err != nil {
		return nil, err
	}
	list := []Candidate{by(SC, trackClustering(s)), sparse}
	near, _ := graphs(meanPositions(s))
	for i := range near {
		near[i] = near[i][:min(localNeighbors, len(near[i]))]
	}
	reduced := principalCoordinates(s.Track, reducedDims)
	strongest := max(leastLinks, int(linkShare*float64(s.Points)))
	for i, method := range []struct {
		name  string
		graph graph
		run   func(*sampler) *kernel
	}{
		{"affine", nil, func(from *sampler) *kernel { return affineKernel(s, from) }},
		{"affine-local", near, func(from *sampler) *kernel { return affineKernel(s, from) }},
		{"flat-local", near, func(from *sampler) *kernel { return flatKernel(reduced, from) }},
	} {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		k := method.run(&sampler{rng: rand.New(rand.NewPCG(kernelSeed, uint64(i))), graph: method.graph, n: s.Points})
		list = append(list,
			by(method.name, spectral(k.affinity(0), s.Motions)),
			by(method.name+"-sparse", spectral(k.affinity(strongest), s.Motions)))
	}
	return list, nil
}

// sparseCandidate is sparse subspace clustering of tracks in 4K dimensions.
func sparseCandidate(ctx context.Context, s *Sequence) (Candidate, error) {
	a, err := sparseAffinity(ctx, principalCoordinates(s.Track, 4*s.Motions))
	if err != nil {
		return Candidate{}, err
	}
	return by(SSC, spectral(a, s.Motions)), nil
}

// meanPositions returns the mean position of each point over the frames.
func meanPositions(s *Sequence) [][]float64 {
	out := make([][]float64, s.Points)
	for i, t := range s.Track {
		out[i] = make([]float64, 2)
		for j, v := range t {
			out[i][j%2] += v / float64(s.Frames)
		}
	}
	return out
}

// principalCoordinates returns vectors relative to their mean, in the coordinates of their main
// directions, at most the given number.
func principalCoordinates(vectors [][]float64, most int) [][]float64 {
	mean := make([]float64, len(vectors[0]))
	for _, v := range vectors {
		for j, x := range v {
			mean[j] += x / float64(len(vectors))
		}
	}
	moved := make([][]float64, len(vectors))
	for i, v := range vectors {
		moved[i] = make([]float64, len(v))
		for j, x := range v {
			moved[i][j] = x - mean[j]
		}
	}
	p := project(moved, most)
	for _, v := range p.points {
		for j := range v {
			v[j] *= p.value[j]
		}
	}
	return p.points
}
