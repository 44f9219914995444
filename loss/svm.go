package loss

// SVM is the hinge loss with its corner rounded, ℓ_h of eq. svmloss of the
// paper at x = yz, where y is −1 or +1:
//
//	0               if x > 1+h
//	(1+h−x)²/(4h)   if |1−x| ≤ h
//	1−x             if x < 1−h
type SVM struct {
	// H is half the width of the rounded corner. Zero means 0.5.
	H float64
}

var _ Loss = SVM{}

func (l SVM) h() float64 {
	if l.H == 0 {
		return 0.5
	}
	return l.H
}

// Outputs implements [Loss].
func (SVM) Outputs() int { return 1 }

// Eval implements [Loss].
func (l SVM) Eval(r, z []float64, t Target) (sum, weight float64) {
	h := l.h()
	for i, y := range t.Y {
		w := t.WeightOf(i)
		x := y * z[i]
		switch {
		case x > 1+h:
			r[i] = 0
		case x < 1-h:
			r[i] = -w * y
			sum += w * (1 - x)
		default:
			u := 1 + h - x
			r[i] = -w * y * u / (2 * h)
			sum += w * u * u / (4 * h)
		}
		weight += w
	}
	return sum, weight
}

// Curvature implements [Loss]. The second derivative is w/(2h) in the corner
// and zero elsewhere.
func (l SVM) Curvature(d []float64, t Target) float64 { return t.scaled(d, 1/(2*l.h())) }
