package motion

import (
	"math"
	"math/rand/v2"
)

// Settings of k-means.
const (
	kmeansRestarts   = 20
	kmeansIterations = 100
)

// kmeans partitions points into k clusters: the best of several runs from starting points that are
// far apart, with a random stream of its own, so that the same points give the same clusters.
func kmeans(points [][]float64, k int) Labels {
	rng := rand.New(rand.NewPCG(uint64(len(points)), uint64(k)))
	best, bestCost := Labels(nil), math.Inf(1)
	for range kmeansRestarts {
		labels, cost := lloyd(points, spread(points, k, rng))
		if cost < bestCost {
			best, bestCost = labels, cost
		}
	}
	return best
}

// spread draws k of the points, each with a probability proportional to the squared distance to
// those drawn before.
func spread(points [][]float64, k int, rng *rand.Rand) [][]float64 {
	centers := [][]float64{append([]float64(nil), points[rng.IntN(len(points))]...)}
	near := make([]float64, len(points))
	for i := range near {
		near[i] = math.Inf(1)
	}
	for len(centers) < k {
		total := 0.0
		for i, p := range points {
			near[i] = min(near[i], squared(p, centers[len(centers)-1]))
			total += near[i]
		}
		at, left := 0, rng.Float64()*total
		for i, v := range near {
			if left -= v; left < 0 {
				at = i
				break
			}
		}
		centers = append(centers, append([]float64(nil), points[at]...))
	}
	return centers
}

// lloyd alternates between assigning points to the nearest centre and moving centres to the mean of
// their points, and returns the sum of squares.
func lloyd(points, centers [][]float64) (Labels, float64) {
	labels := make(Labels, len(points))
	size := make([]int, len(centers))
	cost := math.Inf(1)
	for range kmeansIterations {
		total := 0.0
		for i, p := range points {
			nearest := math.Inf(1)
			for c, center := range centers {
				if d := squared(p, center); d < nearest {
					nearest, labels[i] = d, c
				}
			}
			total += nearest
		}
		if total >= cost {
			break
		}
		cost = total
		clear(size)
		for _, c := range labels {
			size[c]++
		}
		for c := range centers {
			if size[c] > 0 { // a centre without points does not move
				clear(centers[c])
			}
		}
		for i, p := range points {
			c := labels[i]
			for j, v := range p {
				centers[c][j] += v / float64(size[c])
			}
		}
	}
	return labels, cost
}

func squared(a, b []float64) float64 {
	sum := 0.0
	for i, v := range a {
		sum += (v - b[i]) * (v - b[i])
	}
	return sum
}
