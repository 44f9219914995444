package synth

import (
	"math"

	"fsa/internal/portable"
)

// normal returns a standard normal random number.
func (s *stream) normal() float64 {
	var x [1]float64
	s.walk(x[:], 0, 0, 1, 0)
	return x[0]
}

// walk fills dst with
//
//	dst[j] = rho*dst[j-1] + scale*ε + shift
//
// for independent standard normal ε; the number before the first is prev. Both correlation models
// are such walks. The arithmetic is done here because it runs in parallel with the generation of
// the next ε.
//
// The ε come from the ziggurat method of Marsaglia and Tsang (2000). The low 8 bits of a random
// word choose one of 256 layers of equal area, the high 53 bits a point across its width. In 99 of
// 100 cases that point is certain to be below the curve. The conversions prevent the compiler from
// fusing products and sums, so that every machine rounds the same way.
func (s *stream) walk(dst []float64, prev, rho, scale, shift float64) {
	z := ziggurat
	r := *s
	for j := range dst {
		var u uint64
		u, r = r.step()
		layer := uint8(u)
		across := int64(u) >> 11
		ε := float64(across) * z.width[layer]
		if max(across, -across) >= z.inside[layer] {
			*s = r
			ε = s.outside(ε, layer)
			r = *s
		}
		prev = float64(rho*prev) + (float64(scale*ε) + shift)
		dst[j] = prev
	}
	*s = r
}

// outside decides on a point x of a layer that may be above the curve. If it is, another point is
// drawn.
func (s *stream) outside(x float64, layer uint8) float64 {
	z := ziggurat
	if layer == 0 {
		return math.Copysign(s.tail(), x)
	}
	low, high := z.height[layer], z.height[layer-1]
	if low+float64(s.uniform()*(high-low)) < portable.Exp(-x*x/2) {
		return x
	}
	return s.normal()
}

// tail returns a normal random number conditioned to be greater than edge.
func (s *stream) tail() float64 {
	for {
		x := -math.Log(s.uniform()) / edge
		y := -math.Log(s.uniform())
		if 2*y >= x*x {
			return round(edge + x)
		}
	}
}

const (
	// edge is the start of the tail, and area the area of each layer, for 256 layers under
	// exp(−x²/2); both are from Marsaglia and Tsang.
	edge = 3.6541528853610088
	area = 0.00492867323399
)

// layers are the strips of the ziggurat. Layer 0 is at the bottom and includes the tail, layer 1 is
// at the top, and layer 255 is directly above layer 0.
type layers struct {
	width  [256]float64 // half width, per unit of across
	inside [256]int64   // below this, across is certain to be under the curve
	height [256]float64 // height of the curve at the end of the layer; for layer 0, at the peak
}

// ziggurat is not modified after it is initialised.
var ziggurat = newLayers()

func newLayers() *layers {
	const unit = 1 << 52 // the largest absolute value of across
	z := new(layers)
	curve := func(x float64) float64 { return portable.Exp(-x * x / 2) }
	// The bottom is a box of the same area whose right end represents the tail.
	box := round(area / curve(edge))
	z.width[0] = box / unit
	z.inside[0] = int64(edge / box * unit)
	z.height[0] = 1
	// From there on, each layer ends where the box above it has the required area.
	exact := float64(edge)
	end := round(exact)
	z.width[255] = end / unit
	z.height[255] = round(curve(exact))
	for i := 254; i > 0; i-- {
		exact = math.Sqrt(-2 * math.Log(area/exact+curve(exact)))
		above := round(exact)
		z.inside[i+1] = int64(above / end * unit)
		z.width[i] = above / unit
		z.height[i] = round(curve(exact))
		end = above
	}
	return z
}

// round drops the digits in which the logarithms and exponentials of different machines differ, so
// that all machines generate the same numbers.
func round(x float64) float64 { return math.Round(x*0x1p32) * 0x1p-32 }
