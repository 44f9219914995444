package eval

import (
	"cmp"
	"math"
	"slices"

	"fsa/internal/portable"
)

// Recalibration fits a logistic regression of the classes on decision values z, the log odds
// predicted by a model, and returns its coefficients (Cox 1958). A calibrated model has slope 1 and
// intercept 0. A slope below 1 means that its probabilities are too extreme, as those of an
// overfitted model are. A row is positive if y > 0.
//
// Both are NaN if a class has no weight, if some z is not finite, if z does not vary, or if a
// threshold on z separates the classes: the slope would then be infinite.
func Recalibration(z, y, w []float64) (slope, intercept float64) {
	check("Recalibration", len(z), len(y), w)
	mean, scale := spread(z, w)
	if !(scale > 0) || math.IsInf(scale, 0) || separated(z, y, w) {
		return math.NaN(), math.NaN()
	}
	// In units of the standard deviation of z the two coefficients are well conditioned.
	unit := make([]float64, len(z))
	for i := range z {
		unit[i] = (z[i] - mean) / scale
	}
	b, a := newton(unit, y, w)
	return b / scale, a - b*mean/scale
}

// spread returns the mean and the standard deviation of z.
func spread(z []float64, w weights) (mean, deviation float64) {
	mean = average(z, w)
	var sum, total float64
	for i := range z {
		d := z[i] - mean
		sum += w.at(i) * d * d
		total += w.at(i)
	}
	return mean, math.Sqrt(sum / total)
}

// separated reports whether no positive row is below a negative one, or none above one, or a class
// is missing.
func separated(z, y []float64, w weights) bool {
	type ends struct{ low, high float64 }
	pos := ends{math.Inf(1), math.Inf(-1)}
	neg := pos
	for i := range z {
		if w.at(i) == 0 {
			continue
		}
		e := &neg
		if y[i] > 0 {
			e = &pos
		}
		e.low, e.high = min(e.low, z[i]), max(e.high, z[i])
	}
	return neg.high <= pos.low || pos.high <= neg.low
}

// newton returns the slope b and the intercept a that minimise the log loss of a + b·z. The loss is
// convex and has a finite minimum, so Newton steps that are halved until the loss falls converge.
func newton(z, y []float64, w weights) (b, a float64) {
	now := logistic(b, a, z, y, w)
	const rounds = 200 // far more than any data need: near the minimum the number of correct digits doubles
	for range rounds {
		det := now.haa*now.hbb - now.hab*now.hab
		if !(det > 0) {
			break
		}
		stepA := (now.hbb*now.ga - now.hab*now.gb) / det
		stepB := (now.haa*now.gb - now.hab*now.ga) / det
		next, share := now, 1.0
		for ; share > 0x1p-40; share /= 2 {
			next = logistic(b-share*stepB, a-share*stepA, z, y, w)
			// Near the minimum the loss is constant up to rounding; a smaller gradient decides
			// there.
			const flat = 1e-12
			if fall := (now.loss - next.loss) / now.loss; fall > flat ||
				fall > -flat && math.Hypot(next.ga, next.gb) < math.Hypot(now.ga, now.gb) {
				break
			}
		}
		if share <= 0x1p-40 {
			break // no step improves it
		}
		b, a, now = b-share*stepB, a-share*stepA, next
	}
	return b, a
}

// derivatives is the log loss of a + b·z with its gradient and its Hessian.
type derivatives struct {
	loss, ga, gb, haa, hab, hbb float64
}

func logistic(b, a float64, z, y []float64, w weights) (d derivatives) {
	for i := range z {
		margin, sign := a+b*z[i], 1.0
		if !(y[i] > 0) {
			margin, sign = -margin, -1
		}
		// e is small if the margin is large, so no precision is lost.
		e := portable.Exp(-math.Abs(margin))
		wrong := e / (1 + e) // the probability of the other class
		if margin < 0 {
			wrong = 1 / (1 + e)
		}
		wi := w.at(i)
		g, h := -sign*wi*wrong, wi*e/((1+e)*(1+e))
		d.loss += wi * (math.Log1p(e) + max(-margin, 0))
		d.ga += g
		d.gb += g * z[i]
		d.haa += h
		d.hab += h * z[i]
		d.hbb += h * z[i] * z[i]
	}
	return d
}

// CalibrationBin compares predicted probabilities with observed frequencies.
type CalibrationBin struct {
	Low, High float64 // smallest and largest probability of its rows
	Weight    float64 // weight of its rows
	Predicted float64 // mean probability of the positive class
	Observed  float64 // share of the weight that is positive
}

// CalibrationTable orders rows by the probability p that they are positive and divides them into at
// most the given number of bins of about equal weight. Rows with equal probabilities are in the
// same bin. Bins are ascending and not empty. A row is positive if y > 0. The table is nil if the
// total weight is 0 or some p is NaN.
func CalibrationTable(p, y, w []float64, bins int) []CalibrationBin {
	check("CalibrationTable", len(p), len(y), w)
	if bins < 1 {
		panic("eval: CalibrationTable of no bins")
	}
	order := make([]int, 0, len(p))
	var total float64
	for i := range p {
		if math.IsNaN(p[i]) {
			return nil
		}
		if weights(w).at(i) != 0 {
			order = append(order, i)
			total += weights(w).at(i)
		}
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(p[a], p[b]) })

	var table []CalibrationBin
	var before float64
	last := -1
	for first := 0; first < len(order); {
		value := p[order[first]]
		var tied, positive float64 // weight of the rows with this probability
		for ; first < len(order) && p[order[first]] == value; first++ {
			i := order[first]
			tied += weights(w).at(i)
			if y[i] > 0 {
				positive += weights(w).at(i)
			}
		}
		// The bin of these rows is the one that contains the middle of their weight.
		bin := int((before + tied/2) / total * float64(bins))
		before += tied
		if bin != last {
			table = append(table, CalibrationBin{Low: value})
			last = bin
		}
		t := &table[len(table)-1]
		t.High = value
		t.Weight += tied
		t.Predicted += tied * value
		t.Observed += positive
	}
	for b := range table {
		table[b].Predicted /= table[b].Weight
		table[b].Observed /= table[b].Weight
	}
	return table
}
