package loss

// Squared is half the squared error, ½w(z−y)², as in eq. regloss of the paper:
// the loss of regression.
type Squared struct{}

var _ Loss = Squared{}

// Outputs implements [Loss].
func (Squared) Outputs() int { return 1 }

// Eval implements [Loss].
func (Squared) Eval(r, z []float64, t Target) (sum, weight float64) {
	for i, y := range t.Y {
		w := t.WeightOf(i)
		e := z[i] - y
		r[i] = w * e
		sum += w * e * e
		weight += w
	}
	return sum / 2, weight
}

// Curvature implements [Loss]. The second derivative is w everywhere.
func (Squared) Curvature(d []float64, t Target) float64 { return t.scaled(d, 1) }
