package motion

import (
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"fsa/anneal"
)

// A kernel of ordered residuals compares points by the hypotheses that they prefer (Chin, Wang and
// Suter, 2009): models of motion are fitted to a few random points; each point prefers the tenth of
// the models that fit it best; and the similarity of two points is the overlap of their
// preferences. The scale of the noise need not be known.
const preferred = 0.1

// kernel sums the overlaps of preferences.
type kernel struct {
	points  int
	overlap []float64 // for pairs i < j
	total   int       // number of preferences per point so far
}

func newKernel(points int) *kernel {
	return &kernel{points: points, overlap: make([]float64, points*points)}
}

// add counts the preferences of residuals: residual[i*models+m] is that of
// point i under model m.
func (k *kernel) add(residual []float64, models int) {
	n := k.points
	words := (models + 63) / 64
	prefers := make([]uint64, n*words)
	first := max(1, int(preferred*float64(models)))
	work := make([]float64, models)
	for i := range n {
		of := residual[i*models : (i+1)*models]
		copy(work, of)
		bound := anneal.NthLargest(work, models+1-first)
		for m, r := range of {
			if r <= bound {
				prefers[i*words+m/64] |= 1 << (m % 64)
			}
		}
	}
	for i := range n {
		a := prefers[i*words : (i+1)*words]
		for j := i + 1; j < n; j++ {
			common := 0
			for w, set := range prefers[j*words : (j+1)*words] {
				common += bits.OnesCount64(a[w] & set)
			}
			k.overlap[i*n+j] += float64(common)
		}
	}
	k.total += first
}

// affinity returns the kernel with a zero diagonal. If links is not zero, each point keeps only
// that many of its strongest links, and any that are as strong as the last of these.
func (k *kernel) affinity(links int) *mat.SymDense {
	n := k.points
	full := mat.NewSymDense(n, nil)
	for i := range n {
		for j := i + 1; j < n; j++ {
			full.SetSym(i, j, k.overlap[i*n+j]/float64(k.total))
		}
	}
	if links == 0 || links >= n {
		return full
	}
	out := mat.NewSymDense(n, nil)
	row, work := make([]float64, n), make([]float64, n)
	for i := range n {
		for j := range n {
			row[j] = full.At(i, j)
		}
		copy(work, row)
		bound := anneal.NthLargest(work, links)
		for j, v := range row {
			if v >= bound {
				out.SetSym(i, j, v)
			}
		}
	}
	return out
}

// sampler draws different points. The first is drawn from all points, the others from the
// neighbours of the first, or from all points if there is no graph.
type sampler struct {
	rng   *rand.Rand
	graph graph
	n     int
}

// draw fills at with points. There must be enough points.
func (s *sampler) draw(at []int) {
	at[0] = s.rng.IntN(s.n)
	for i := 1; i < len(at); {
		p := s.rng.IntN(s.n)
		if s.graph != nil {
			list := s.graph[at[0]]
			p = list[s.rng.IntN(len(list))]
		}
		if !slices.Contains(at[:i], p) {
			at[i] = p
			i++
		}
	}
}

// affineModels is the number of hypotheses for each pair of frames.
const affineModels = 200

// affineKernel compares points by affine maps from each frame to the next, each
// through three points.
func affineKernel(s *Sequence, from *sampler) *kernel {
	k := newKernel(s.Points)
	residual := make([]float64, s.Points*affineModels)
	at := make([]int, 3)
	for f := range s.Frames - 1 {
		for m := range affineModels {
			from.draw(at)
			a := affineMap(s, f, at)
			for i, t := range s.Track {
				x, y := t[2*f], t[2*f+1]
				dx := a[0]*x + a[1]*y + a[2] - t[2*f+2]
				dy := a[3]*x + a[4]*y + a[5] - t[2*f+3]
				residual[i*affineModels+m] = dx*dx + dy*dy
			}
		}
		k.add(residual, affineModels)
	}
	return k
}

// affineMap returns the affine map of three points from frame f to the next or, if they lie on a
// line, the shift of the first.
func affineMap(s *Sequence, f int, at []int) [6]float64 {
	p, q, r := s.Track[at[0]][2*f:], s.Track[at[1]][2*f:], s.Track[at[2]][2*f:]
	ux, uy, vx, vy := q[0]-p[0], q[1]-p[1], r[0]-p[0], r[1]-p[1]
	det := ux*vy - uy*vx
	var a [6]float64
	for c := range 2 { // each coordinate of the image
		du, dv := q[2+c]-p[2+c], r[2+c]-p[2+c]
		gx, gy := (du*vy-dv*uy)/det, (dv*ux-du*vx)/det
		if math.Abs(det) <= 1e-9*math.Hypot(ux, uy)*math.Hypot(vx, vy) {
			gx, gy = float64(1-c), float64(c)
		}
		a[3*c], a[3*c+1], a[3*c+2] = gx, gy, p[2+c]-gx*p[0]-gy*p[1]
	}
	return a
}

// flatModels is the number of hypotheses over all frames.
const flatModels = 2000

// flatKernel compares points by affine subspaces of dimension three, each
// through four tracks.
func flatKernel(points [][]float64, from *sampler) *kernel {
	k := newKernel(len(points))
	residual := make([]float64, len(points)*flatModels)
	at := make([]int, rigidDims+1)
	moved := make([]float64, len(points[0]))
	for m := range flatModels {
		from.draw(at)
		f := flat{center: points[at[0]]}
		for _, i := range at[1:] {
			v := make([]float64, len(moved))
			floats.SubTo(v, points[i], f.center)
			f.axes = extend(f.axes, v)
		}
		for i, p := range points {
			residual[i*flatModels+m] = f.distance(p, moved)
		}
	}
	k.add(residual, flatModels)
	return k
}
