package loss

import "math"

// Huber is the loss of robust regression (Huber 1964): half the squared error up to Delta, and
// linear above it, so that outliers have limited influence.
//
//	½we²            if |e| ≤ δ
//	wδ(|e| − δ/2)   else, where e = z−y
type Huber struct {
	// Delta is δ. Zero means 1.
	Delta float64
}

var _ Loss = Huber{}

// δ = 1.345 σ gives 95% efficiency for normal errors.
const efficient = 1.345

func (l Huber) delta() float64 {
	if l.Delta == 0 {
		return 1
	}
	return l.Delta
}

// Outputs implements [Loss].
func (Huber) Outputs() int { return 1 }

// Eval implements [Loss].
func (l Huber) Eval(r, z []float64, t Target) (sum, weight float64) {
	delta := l.delta()
	for i, y := range t.Y {
		w, e := t.WeightOf(i), z[i]-y
		if a := math.Abs(e); a <= delta {
			r[i] = w * e
			sum += w * e * e / 2
		} else {
			r[i] = w * math.Copysign(delta, e)
			sum += w * delta * (a - delta/2)
		}
		weight += w
	}
	return sum, weight
}

// Curvature implements [Loss]. The second derivative is w up to δ and zero above it.
func (l Huber) Curvature(d []float64, t Target) float64 { return t.scaled(d, 1) }
