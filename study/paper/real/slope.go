package real

import "math"

// The slope of separable rows is infinite; it is limited to this range.
const (
	leastSlope = 0.0
	mostSlope  = 10.0
)

// pooledSlope returns the calibration slope over the held-out rows of several fits: a logistic
// regression of the class on the predicted logit, with one slope for all and an intercept for each
// fit, by Newton's method. It is NaN if no fit has information.
func pooledSlope(fits []Record) float64 {
	var used []*Record
	for i := range fits {
		if varies(fits[i].logit) && varies(fits[i].y) {
			used = append(used, &fits[i])
		}
	}
	if len(used) == 0 {
		return math.NaN()
	}
	b, a := 1.0, make([]float64, len(used))
	likelihood := func(b float64, a []float64) float64 {
		var sum float64
		for f, r := range used {
			for i, z := range r.logit {
				s := a[f] + b*z
				if r.y[i] <= 0 {
					s = -s
				}
				sum -= softplus(-s)
			}
		}
		return sum
	}
	best := likelihood(b, a)
	for range 100 {
		// The intercepts are eliminated from Newton's equations, because each is in its own only.
		ga, haa, hab := make([]float64, len(used)), make([]float64, len(used)), make([]float64, len(used))
		var gb, hbb float64
		for f, r := range used {
			for i, z := range r.logit {
				p := 1 / (1 + math.Exp(-(a[f] + b*z)))
				g, h := r.y[i]-p, p*(1-p)
				ga[f] += g
				gb += g * z
				haa[f] += h
				hab[f] += h * z
				hbb += h * z * z
			}
			haa[f] += 1e-9
		}
		top, below := gb, hbb+1e-9
		for f := range used {
			top -= hab[f] * ga[f] / haa[f]
			below -= hab[f] * hab[f] / haa[f]
		}
		db := top / max(below, 1e-9)
		step := 1.0
		moved := false
		for range 30 {
			nb, na := b+step*db, make([]float64, len(a))
			for f := range na {
				na[f] = a[f] + step*(ga[f]-hab[f]*db)/haa[f]
			}
			if l := likelihood(nb, na); l > best {
				moved = l-best > 1e-10*math.Abs(best)
				b, a, best = nb, na, l
				break
			}
			step /= 2
		}
		if !moved || b > 2*mostSlope {
			break
		}
	}
	return min(max(b, leastSlope), mostSlope)
}

func softplus(x float64) float64 {
	if x > 0 {
		return x + math.Log1p(math.Exp(-x))
	}
	return math.Log1p(math.Exp(x))
}

func varies(x []float64) bool {
	for _, v := range x {
		if v != x[0] {
			return true
		}
	}
	return false
}
