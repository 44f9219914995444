package loss_test

import (
	"math"
	"slices"
	"testing"

	"fsa/loss"
)

// The expected numbers below were computed from the formulas of the paper with
// 60 digits (Python, mpmath) unless they are plain fractions.
func TestKnownValues(t *testing.T) {
	minus, plus := []float64{-1}, []float64{1}
	for _, c := range []struct {
		name   string
		loss   loss.Loss
		z      []float64
		t      loss.Target
		sum    float64
		weight float64
		r      []float64
	}{
		{"half the squared error", loss.Squared{}, []float64{3}, loss.Target{Y: plus}, 2, 1, []float64{2}},
		{"squared, weighted", loss.Squared{}, []float64{3, 0},
			loss.Target{Y: []float64{1, -2}, Weight: []float64{2, 0.5}}, 5, 2.5, []float64{4, 1}},

		{"Huber within δ is squared", loss.Huber{Delta: 2}, []float64{3}, loss.Target{Y: plus}, 2, 1, []float64{2}},
		{"Huber beyond δ: δ(|e| − δ/2)", loss.Huber{}, []float64{3, -5},
			loss.Target{Y: []float64{1, -2}, Weight: []float64{2, 1}}, 2*1.5 + 2.5, 3, []float64{2, -1}},

		{"logistic at 0: ln 2", loss.Logistic{}, []float64{0}, loss.Target{Y: plus},
			math.Ln2, 1, []float64{-0.5}},
		{"logistic at 1: ln(1+exp(−1))", loss.Logistic{}, []float64{1}, loss.Target{Y: plus},
			0.31326168751822283405, 1, []float64{-0.26894142136999512075}},
		{"logistic at −1: ln(1+e)", loss.Logistic{}, []float64{1}, loss.Target{Y: minus},
			1.31326168751822283405, 1, []float64{0.73105857863000487925}},
		{"logistic at 40 keeps its digits", loss.Logistic{}, []float64{40}, loss.Target{Y: plus},
			4.24835425529158899e-18, 1, []float64{-4.24835425529158898e-18}},
		{"logistic, weighted", loss.Logistic{}, []float64{1, -1, 0},
			loss.Target{Y: []float64{1, 1, -1}, Weight: []float64{2, 3, 0}},
			2*0.31326168751822283405 + 3*1.31326168751822283405, 5,
			[]float64{-2 * 0.26894142136999512075, -3 * 0.73105857863000487925, 0}},
		{"logistic far on the right side", loss.Logistic{}, []float64{1e308}, loss.Target{Y: plus}, 0, 1, []float64{0}},
		{"logistic far on the wrong side", loss.Logistic{}, []float64{1e308}, loss.Target{Y: minus}, 1e308, 1, []float64{1}},

		{"SVM in the middle of its corner: h/4", loss.SVM{}, []float64{1}, loss.Target{Y: plus}, 0.125, 1, []float64{-0.5}},
		{"SVM below its corner: 1−x", loss.SVM{}, []float64{0}, loss.Target{Y: plus}, 1, 1, []float64{-1}},
		{"SVM above its corner", loss.SVM{}, []float64{2}, loss.Target{Y: plus}, 0, 1, []float64{0}},
		{"SVM at the ends of its corner", loss.SVM{}, []float64{0.5, -1.5},
			loss.Target{Y: []float64{1, -1}}, 0.5, 2, []float64{-1, 0}},
		{"SVM with h = 1 at 1.5: (1/2)²/4", loss.SVM{H: 1}, []float64{-1.5}, loss.Target{Y: minus}, 0.0625, 1, []float64{0.25}},

		{"Lorenz at 0: ln 2", loss.Lorenz{}, []float64{0}, loss.Target{Y: plus}, math.Ln2, 1, []float64{-1}},
		{"Lorenz at 1/2: ln(5/4)", loss.Lorenz{}, []float64{0.5}, loss.Target{Y: plus},
			0.22314355131420975577, 1, []float64{-0.8}},
		{"Lorenz at −3: ln 17", loss.Lorenz{}, []float64{3}, loss.Target{Y: minus},
			2.8332133440562160802, 1, []float64{8.0 / 17}},
		{"Lorenz from 1 on", loss.Lorenz{}, []float64{1, 7}, loss.Target{Y: []float64{1, 1}}, 0, 2, []float64{0, 0}},
		{"Lorenz at −1e300: 600 ln 10", loss.Lorenz{}, []float64{-1e300}, loss.Target{Y: plus},
			1381.5510557964274104, 1, []float64{-2e-300}},

		{"softmax: ln(e+e²+e³) − 2", loss.Multinomial{Classes: 3}, []float64{1, 2, 3}, loss.Target{Y: plus},
			1.4076059644443803045, 1,
			[]float64{0.090030573170380457998, 0.24472847105479765247 - 1, 0.66524095577482188953}},
		{"softmax of two rows", loss.Multinomial{Classes: 2}, []float64{0, 1, 1, 0},
			loss.Target{Y: []float64{1, 1}, Weight: []float64{1, 2}},
			0.31326168751822283405 + 2*1.31326168751822283405, 3,
			[]float64{0.26894142136999512075, 2 * 0.73105857863000487925,
				-0.26894142136999512075, -2 * 0.73105857863000487925}},
		{"softmax at 40 keeps its digits", loss.Multinomial{Classes: 2}, []float64{-40, 0}, loss.Target{Y: plus},
			4.24835425529158899e-18, 1, []float64{4.24835425529158898e-18, -4.24835425529158898e-18}},

		{"rank, row 0 above row 2 above row 1", loss.Rank{}, []float64{0.5, -1, 1},
			loss.Target{Y: []float64{2, 0, 1}},
			1.30241827320583159, 3, []float64{-0.804884855008210905, 0.301628445828473896, 0.503256409179737009}},
		{"rank, weighted", loss.Rank{}, []float64{0.5, -1, 1},
			loss.Target{Y: []float64{2, 0, 1}, Weight: []float64{1, 2, 4}},
			3.11809641055331281, 7, []float64{-1.82978661371417092, 0.631247051775887178, 1.19853956193828374}},
		{"rank of equals that are 1.5 apart", loss.Rank{}, []float64{1.5, 0},
			loss.Target{Pairs: []loss.Pair{{I: 0, J: 1, R: 0.5}}},
			0.951413277982752409, 1, []float64{0.31757447619364366, -0.31757447619364366}},
		{"rank without pairs", loss.Rank{}, []float64{1, 2}, loss.Target{Y: []float64{3, 3}}, 0, 0, []float64{0, 0}},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := make([]float64, len(c.z))
			sum, weight := c.loss.Eval(r, c.z, c.t)
			if !about(sum, c.sum) || weight != c.weight {
				t.Errorf("sum %v, weight %v, want %v, %v", sum, weight, c.sum, c.weight)
			}
			for k := range r {
				if !about(r[k], c.r[k]) {
					t.Errorf("derivative %d is %v, want %v", k, r[k], c.r[k])
				}
			}
		})
	}
}

func TestKnownCurvatures(t *testing.T) {
	rows := loss.Target{Y: []float64{1, 0}, Weight: []float64{1, 3}}
	for _, c := range []struct {
		name   string
		loss   loss.Loss
		t      loss.Target
		d      []float64
		weight float64
	}{
		{"squared", loss.Squared{}, rows, []float64{1, 3}, 4},
		{"logistic", loss.Logistic{}, rows, []float64{0.25, 0.75}, 4},
		{"SVM", loss.SVM{}, rows, []float64{1, 3}, 4},
		{"SVM with h = 2", loss.SVM{H: 2}, rows, []float64{0.25, 0.75}, 4},
		{"Lorenz", loss.Lorenz{}, rows, []float64{2, 6}, 4},
		{"softmax", loss.Multinomial{Classes: 3}, rows, []float64{0.5, 1.5}, 4},
		{"rank", loss.Rank{}, rows, []float64{1, 1}, 2},
		{"rank, no weights", loss.Rank{}, loss.Target{Y: []float64{2, 0, 1, 1}},
			[]float64{1.5, 1.5, 1, 1}, 5},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := make([]float64, len(c.d))
			if weight := c.loss.Curvature(d, c.t); !slices.Equal(d, c.d) || weight != c.weight {
				t.Errorf("curvature %v, weight %v, want %v, %v", d, weight, c.d, c.weight)
			}
		})
	}
}

// about says that a and b agree to about 15 digits.
func about(a, b float64) bool { return math.Abs(a-b) <= 2e-15*math.Abs(b) }
