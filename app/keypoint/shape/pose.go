package shape

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"fsa/app/keypoint/faces"
)

// Pose is the pose of a face on a photograph, under weak perspective: turned by yaw, pitch and
// roll, in this order, in radians, then scaled, with the middle of its eyes at (X, Y).
type Pose struct {
	Yaw, Pitch, Roll float64
	Scale            float64 // pixels between the eyes, as seen from the front
	X, Y             float64
}

// Project returns the position of a point of the face on the photograph.
func (p Pose) Project(at XYZ) faces.XY {
	sy, cy := math.Sincos(p.Yaw)
	sp, cp := math.Sincos(p.Pitch)
	sr, cr := math.Sincos(p.Roll)
	x, z := cy*at.X+sy*at.Z, -sy*at.X+cy*at.Z
	y := cp*at.Y - sp*z
	return faces.XY{X: p.X + p.Scale*(cr*x-sr*y), Y: p.Y + p.Scale*(sr*x+cr*y)}
}

// Points returns the positions of all keypoints.
func (p Pose) Points(f *Face) (at [faces.Points]faces.XY) {
	for i, v := range f {
		at[i] = p.Project(v)
	}
	return at
}

// Align returns the pose with the given yaw and pitch that puts keypoints a and b at the given
// positions.
func Align(f *Face, yaw, pitch float64, a, b faces.Point, atA, atB faces.XY) Pose {
	p := Pose{Yaw: yaw, Pitch: pitch, Scale: 1}
	u, v := p.Project(f[a]), p.Project(f[b])
	// A similarity is a multiplication of complex numbers.
	from, to := complex(v.X-u.X, v.Y-u.Y), complex(atB.X-atA.X, atB.Y-atA.Y)
	turn := to / from
	p.Roll, p.Scale = math.Atan2(imag(turn), real(turn)), math.Hypot(real(turn), imag(turn))
	u = p.Project(f[a])
	p.X, p.Y = atA.X-u.X, atA.Y-u.Y
	return p
}

// Seen is a keypoint that was seen at a position.
type Seen struct {
	Point  faces.Point
	At     faces.XY
	Weight float64
}

const (
	steps = 20  // maximal number of steps of the fit
	knee  = 0.3 // IED at which a deviation costs half of the maximum
	// stiff is the cost of an angle of one radian, in IED. It prevents a few keypoints from turning
	// the head too far.
	stiff = 0.04
)

// Fit returns the pose that brings keypoints closest to their observed positions, starting from a
// given pose. The cost of a deviation r is bounded, r²/(r²+knee²), so wrong keypoints have little
// effect; angles have a small cost.
func Fit(f *Face, start Pose, seen []Seen) Pose {
	t := target{f, seen, start.Scale}
	p, cost := start, t.cost(start)
	damping := 1e-3
	for range steps {
		next, ok := t.step(p, damping)
		if !ok {
			break
		}
		c := t.cost(next)
		if c >= cost {
			if damping *= 10; damping > 1e6 {
				break
			}
			continue
		}
		done := cost-c < 1e-9*cost
		p, cost, damping = next, c, damping/10
		if done {
			break
		}
	}
	return p
}

// moved returns the pose after a step whose positions are in units of the scale.
func (p Pose) moved(d [6]float64) Pose {
	s := p.Scale
	return Pose{p.Yaw + d[0], p.Pitch + d[1], p.Roll + d[2], s * math.Exp(d[3]), p.X + s*d[4], p.Y + s*d[5]}
}

// target is the data of a fit.
type target struct {
	face *Face
	seen []Seen
	unit float64 // pixels; fixed, so that a large face has no advantage
}

// residuals returns the deviations in units, and the angles.
func (t *target) residuals(p Pose) []float64 {
	r := make([]float64, 0, 2*len(t.seen)+2)
	for _, s := range t.seen {
		at := p.Project(t.face[s.Point])
		r = append(r, (at.X-s.At.X)/t.unit, (at.Y-s.At.Y)/t.unit)
	}
	return append(r, stiff*p.Yaw, stiff*p.Pitch)
}

// weights returns the weights that turn the cost of each residual into a square.
func (t *target) weights(r []float64) []float64 {
	w := make([]float64, len(r))
	for i := range w {
		w[i] = 1
	}
	for i, s := range t.seen {
		q := knee*knee + r[2*i]*r[2*i] + r[2*i+1]*r[2*i+1]
		w[2*i] = s.Weight * knee * knee / (q * q)
		w[2*i+1] = w[2*i]
	}
	return w
}

func (t *target) cost(p Pose) float64 {
	r := t.residuals(p)
	sum := 0.0
	for i, s := range t.seen {
		q := r[2*i]*r[2*i] + r[2*i+1]*r[2*i+1]
		sum += s.Weight * q / (q + knee*knee)
	}
	for _, v := range r[2*len(t.seen):] {
		sum += v * v
	}
	return sum
}

// step returns the pose after a damped Gauss–Newton step.
func (t *target) step(p Pose, damping float64) (Pose, bool) {
	r := t.residuals(p)
	w := t.weights(r)
	const h = 1e-5
	jacobian := mat.NewDense(len(r), 6, nil)
	for k := range 6 {
		var d [6]float64
		d[k] = h
		for i, v := range t.residuals(p.moved(d)) {
			jacobian.Set(i, k, (v-r[i])/h)
		}
	}
	a, b := mat.NewSymDense(6, nil), mat.NewVecDense(6, nil)
	for i, v := range r {
		row := jacobian.RawRowView(i)
		for k := range 6 {
			b.SetVec(k, b.AtVec(k)-w[i]*row[k]*v)
			for l := k; l < 6; l++ {
				a.SetSym(k, l, a.At(k, l)+w[i]*row[k]*row[l])
			}
		}
	}
	for k := range 6 {
		a.SetSym(k, k, a.At(k, k)*(1+damping)+1e-9)
	}
	var chol mat.Cholesky
	if !chol.Factorize(a) {
		return p, false
	}
	var x mat.VecDense
	if chol.SolveVecTo(&x, b) != nil {
		return p, false
	}
	var d [6]float64
	for k := range d {
		d[k] = x.AtVec(k)
		if math.IsNaN(d[k]) || math.Abs(d[k]) > 3 {
			return p, false
		}
	}
	return p.moved(d), true
}
