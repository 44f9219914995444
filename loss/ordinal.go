package loss

import (
	"math"

	"fsa/internal/portable"
)

// Ordinal is the loss of ordered classes 0 to Classes−1 with proportional odds (McCullagh 1980): the odds of a
// class above c are exp(z − θ_c), where θ_1 < … < θ_{C−1} are thresholds that all rows share. It is the negative
// logarithm of the probability of the class of the row,
//
//	−w·ln(σ(θ_{y+1} − z) − σ(θ_y − z)), where σ(x) = 1/(1+exp(−x)), θ_0 = −∞ and θ_C = ∞.
//
// The thresholds are those with the lowest loss at the margins of the block, so the loss is a function of the
// margins alone, and one block must hold all rows. The derivative by a margin is that at fixed thresholds,
// because the loss does not change with them to first order. A class without weight counts as half a row with
// margin 0.
type Ordinal struct {
	Classes int
}

var _ Cut = Ordinal{}

// Cut is a loss of ordered classes: thresholds divide the margins among the classes.
type Cut interface {
	Loss
	// Cuts returns the thresholds with the lowest loss at some margins, ascending.
	Cuts(z []float64, t Target) []float64
}

// Outputs implements [Loss].
func (Ordinal) Outputs() int { return 1 }

// Eval implements [Loss].
func (l Ordinal) Eval(r, z []float64, t Target) (sum, weight float64) {
	cuts := l.ends(l.Cuts(z, t))
	for i, y := range t.Y {
		w := t.WeightOf(i)
		if r[i] = 0; w == 0 {
			continue
		}
		at := cutAt(cuts, int(y), z[i])
		r[i] = w * (at.above - at.below)
		sum += w * at.loss
		weight += w
	}
	for _, y := range l.absent(t) {
		sum += absentRow * cutAt(cuts, y, 0).loss
	}
	return sum, weight
}

// Curvature implements [Loss]. At fixed thresholds the second derivative is σ'(θ_{y+1}−z) + σ'(θ_y−z) ≤ ½, and
// thresholds that follow the margins only lower it.
func (Ordinal) Curvature(d []float64, t Target) float64 { return t.scaled(d, 0.5) }

// absentRow is the weight of a class that no row has.
const absentRow = 0.5

// absent returns the classes without weight.
func (l Ordinal) absent(t Target) (list []int) {
	weight := l.weights(t)
	for c, w := range weight {
		if w == 0 {
			list = append(list, c)
		}
	}
	return list
}

// weights returns the weight of each class.
func (l Ordinal) weights(t Target) []float64 {
	weight := make([]float64, l.Classes)
	for i, y := range t.Y {
		weight[int(y)] += t.WeightOf(i)
	}
	return weight
}

// ends puts −∞ before the thresholds and ∞ behind them.
func (Ordinal) ends(cuts []float64) []float64 {
	return append(append([]float64{math.Inf(-1)}, cuts...), math.Inf(1))
}

// cut is a row between its thresholds: its loss, and the probabilities of the classes above and below its own.
type cut struct{ loss, above, below float64 }

// cutAt returns the loss of a row of class y with margin z; cuts has infinite ends.
func cutAt(cuts []float64, y int, z float64) cut {
	above, _, e := sigmoid(cuts[y+1] - z)
	below, _, f := sigmoid(z - cuts[y])
	gap := cuts[y+1] - cuts[y]
	return cut{
		loss:  math.Log1p(e) + math.Log1p(f) + max(z-cuts[y+1], 0) + max(cuts[y]-z, 0) - math.Log(-math.Expm1(-gap)),
		above: above, below: below,
	}
}

const (
	cutSteps         = 30    // Newton steps for the thresholds, at most
	cutHalvings      = 60    // of a step, at most
	cutEnough        = 1e-14 // share of the loss that a step must promise
	spreadOfLogistic = 0.346 // of a normal number, what a probit is to a logit: (16√3/15π)²
	largestCut       = 16    // distance of a margin from their mean from which on margins are shrunk first
)

// Cuts implements [Cut] by Newton's method: the loss is convex in the thresholds, and its Hessian has three
// diagonals. Large margins are divided by a power of two first, and then doubled, each time from the thresholds
// that were found before.
func (l Ordinal) Cuts(z []float64, t Target) []float64 {
	f, start := newThresholds(l, z, t)
	shrink := 1.0
	for f.largest > largestCut*shrink {
		shrink *= 2
	}
	for c := range start { // margins that vary move the thresholds apart
		start[c] = f.mean/shrink + start[c]*math.Sqrt(1+spreadOfLogistic*f.square/(shrink*shrink))
	}
	cuts := l.ends(start)
	for ; ; shrink /= 2 {
		for i, v := range z {
			f.z[i] = v / shrink
		}
		if cuts = f.solve(cuts); shrink == 1 {
			return append([]float64(nil), cuts[1:len(cuts)-1]...)
		}
		for c := range cuts {
			cuts[c] *= 2
		}
	}
}

// thresholds is the loss of some margins as a function of the thresholds.
type thresholds struct {
	z             []float64
	t             Target
	mean, square  float64   // of the margins: their mean and their variance,
	largest       float64   // and the largest distance from the mean
	weight        []float64 // of each class
	absent        []int
	slope         []float64 // derivative by each threshold,
	bend, coupled []float64 // second derivatives by it, and by it and the one before it
}

// newThresholds returns the function and the thresholds of the null model.
func newThresholds(l Ordinal, z []float64, t Target) (f *thresholds, start []float64) {
	n := l.Classes - 1
	f = &thresholds{z: make([]float64, len(z)), t: t, weight: l.weights(t), absent: l.absent(t), slope: make([]float64, n), bend: make([]float64, n), coupled: make([]float64, n)}
	total := 0.0
	for i, v := range z {
		f.mean += t.WeightOf(i) * v
		total += t.WeightOf(i)
	}
	f.mean /= max(total, math.SmallestNonzeroFloat64)
	for i, v := range z {
		if w := t.WeightOf(i); w > 0 {
			f.square += w * (v - f.mean) * (v - f.mean) / total
			f.largest = max(f.largest, math.Abs(v-f.mean))
		}
	}
	for _, c := range f.absent {
		f.weight[c] = absentRow
		total += absentRow
	}
	below := 0.0
	for _, w := range f.weight[:n] {
		below += w
		start = append(start, math.Log(below/(total-below)))
	}
	return f, start
}

// solve returns the thresholds of the lowest loss. A step is halved until the loss falls and the thresholds stay
// in order.
func (f *thresholds) solve(cuts []float64) []float64 {
	next, step := append([]float64(nil), cuts...), make([]float64, len(f.slope))
	value := f.eval(cuts)
	for range cutSteps {
		promised := f.newton(step)
		last := !(promised > cutEnough*value) // the loss cannot tell any more, but the step is right
		moved := false
		for k, share := 0, 1.0; k < cutHalvings && !moved; k, share = k+1, share/2 {
			ordered := true
			for c := range step {
				next[c+1] = cuts[c+1] - share*step[c]
				ordered = ordered && next[c+1] > next[c]
			}
			if !ordered {
				continue
			}
			if last {
				return next
			}
			if v := f.eval(next); v < value {
				cuts, next, value, moved = next, cuts, v, true
			}
		}
		if !moved {
			break
		}
	}
	return cuts
}

// eval returns the loss and sets its derivatives.
func (f *thresholds) eval(cuts []float64) (sum float64) {
	n := len(f.slope)
	clear(f.slope)
	clear(f.bend)
	clear(f.coupled)
	add := func(w float64, y int, z float64) {
		upper, upperNot, e := sigmoid(cuts[y+1] - z) // upper = σ(z − θ_{y+1}) is the probability of the classes above
		lower, lowerNot, g := sigmoid(z - cuts[y])
		sum += w * (math.Log1p(e) + math.Log1p(g) + max(z-cuts[y+1], 0) + max(cuts[y]-z, 0))
		if y < n {
			f.slope[y] -= w * upper
			f.bend[y] += w * upper * upperNot
		}
		if y > 0 {
			f.slope[y-1] += w * lower
			f.bend[y-1] += w * lower * lowerNot
		}
	}
	for i, y := range f.t.Y {
		if w := f.t.WeightOf(i); w > 0 {
			add(w, int(y), f.z[i])
		}
	}
	for _, y := range f.absent {
		add(absentRow, y, 0)
	}
	for y := 1; y < n; y++ { // classes between two thresholds
		gap := cuts[y+1] - cuts[y]
		e, rest := portable.Exp(-gap), -math.Expm1(-gap)
		sum -= f.weight[y] * math.Log(rest)
		f.slope[y] -= f.weight[y] * e / rest
		f.slope[y-1] += f.weight[y] * e / rest
		h := f.weight[y] * e / (rest * rest)
		f.bend[y] += h
		f.bend[y-1] += h
		f.coupled[y] = -h
	}
	return sum
}

// newton sets step to the inverse of the Hessian times the slope, and returns what it promises.
func (f *thresholds) newton(step []float64) (promised float64) {
	n := len(step)
	diagonal := append([]float64(nil), f.bend...)
	copy(step, f.slope)
	for c := 1; c < n; c++ {
		share := f.coupled[c] / max(diagonal[c-1], math.SmallestNonzeroFloat64)
		diagonal[c] -= share * f.coupled[c]
		step[c] -= share * step[c-1]
	}
	for c := n - 1; c >= 0; c-- {
		if c+1 < n {
			step[c] -= f.coupled[c+1] * step[c+1]
		}
		step[c] /= max(diagonal[c], math.SmallestNonzeroFloat64)
	}
	for c, s := range step {
		promised += s * f.slope[c] / 2
	}
	return promised
}

// LogShares appends the logarithm of the probability of each ordered class at margin z.
func LogShares(to, cuts []float64, z float64) []float64 {
	all := Ordinal{}.ends(cuts)
	for y := range len(cuts) + 1 {
		to = append(to, -cutAt(all, y, z).loss)
	}
	return to
}
