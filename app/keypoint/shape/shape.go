// Package shape has the mean face in three dimensions and fits its pose to positions on a
// photograph.
//
// The face is estimated from flat annotations alone. Under weak perspective, a photograph of a
// rigid body shows two of three coordinates after a rotation and a scaling, so the landmarks of
// many faces, stacked, have nearly rank three; their factorisation gives the shape and the cameras,
// up to a change of coordinates that makes the cameras rotations (Tomasi and Kanade 1992).
package shape

import (
	"errors"
	"math"

	"gonum.org/v1/gonum/mat"

	"fsa/app/keypoint/faces"
)

// XYZ is a point in three dimensions: right, down, and away from the viewer.
type XYZ struct{ X, Y, Z float64 }

// Face is the mean face: its keypoints, seen from the front, with a distance of 1 between the eyes,
// which are at the same height with their middle at the origin.
type Face [faces.Points]XYZ

// least is the number of faces needed: the change of coordinates has six unknowns, and only turned
// heads show depth.
const least = 10

// Learn returns the mean face of annotated faces.
func Learn(all []*faces.Face) (*Face, error) {
	if len(all) < least {
		return nil, errors.New("shape: the mean face needs at least ten annotated faces")
	}
	w := mat.NewDense(2*len(all), faces.Landmarks, nil)
	for i, f := range all {
		var cx, cy, size float64
		for _, p := range f.Landmarks {
			cx += p.X / faces.Landmarks
			cy += p.Y / faces.Landmarks
		}
		for _, p := range f.Landmarks {
			size += (p.X-cx)*(p.X-cx) + (p.Y-cy)*(p.Y-cy)
		}
		if size == 0 {
			return nil, errors.New("shape: all landmarks of a face have the same position")
		}
		size = math.Sqrt(size)
		for j, p := range f.Landmarks {
			w.Set(2*i, j, (p.X-cx)/size)
			w.Set(2*i+1, j, (p.Y-cy)/size)
		}
	}
	var svd mat.SVD
	if !svd.Factorize(w, mat.SVDThin) {
		return nil, errors.New("shape: the landmarks cannot be factorised")
	}
	var u, v mat.Dense
	svd.UTo(&u)
	svd.VTo(&v)
	values := svd.Values(nil)
	cameras, points := mat.NewDense(2*len(all), 3, nil), mat.NewDense(3, faces.Landmarks, nil)
	for k := range 3 {
		root := math.Sqrt(values[k])
		for i := range 2 * len(all) {
			cameras.Set(i, k, u.At(i, k)*root)
		}
		for j := range faces.Landmarks {
			points.Set(k, j, v.At(j, k)*root)
		}
	}
	q, err := upgrade(cameras)
	if err != nil {
		return nil, err
	}
	var inverse, body, turned mat.Dense
	if err := inverse.Inverse(q); err != nil {
		return nil, errors.New("shape: the depth of the faces cannot be estimated: photographs of turned heads are needed")
	}
	body.Mul(&inverse, points)
	turned.Mul(cameras, q)
	return frontal(&body, &turned), nil
}

// upgrade returns the change of coordinates Q that makes cameras rotations: the two rows m and n of
// each then have equal lengths and a right angle between them. In L = QQᵀ these conditions are
// linear, mᵀLm = nᵀLn and mᵀLn = 0, and L is the symmetric matrix of length 1 that comes closest to
// them.
func upgrade(cameras *mat.Dense) (*mat.Dense, error) {
	rows, _ := cameras.Dims()
	a := mat.NewDense(rows, 6, nil)
	// The six numbers of L are L11, L12, L13, L22, L23 and L33.
	product := func(m, n []float64) []float64 {
		return []float64{
			m[0] * n[0], m[0]*n[1] + m[1]*n[0], m[0]*n[2] + m[2]*n[0],
			m[1] * n[1], m[1]*n[2] + m[2]*n[1], m[2] * n[2],
		}
	}
	for i := 0; i < rows; i += 2 {
		m, n := cameras.RawRowView(i), cameras.RawRowView(i+1)
		mm, nn := product(m, m), product(n, n)
		for k := range mm {
			mm[k] -= nn[k]
		}
		a.SetRow(i, mm)
		a.SetRow(i+1, product(m, n))
	}
	var svd mat.SVD
	if !svd.Factorize(a, mat.SVDFull) {
		return nil, errors.New("shape: the estimated cameras cannot be corrected to rotations")
	}
	var v mat.Dense
	svd.VTo(&v)
	l := mat.Col(nil, 5, &v)
	sym := mat.NewSymDense(3, []float64{l[0], l[1], l[2], l[1], l[3], l[4], l[2], l[4], l[5]})
	if mat.Trace(sym) < 0 {
		sym.ScaleSym(-1, sym)
	}
	var eigen mat.EigenSym
	if !eigen.Factorize(sym, true) {
		return nil, errors.New("shape: the estimated cameras cannot be corrected to rotations")
	}
	var vectors mat.Dense
	eigen.VectorsTo(&vectors)
	values := eigen.Values(nil)
	q := mat.NewDense(3, 3, nil)
	for k, value := range values {
		// Noise may make an eigenvalue negative. It is replaced by a small positive one, so that
		// the body becomes flat and not imaginary.
		root := math.Sqrt(max(value, 1e-4*values[2]))
		for i := range 3 {
			q.Set(i, k, vectors.At(i, k)*root)
		}
	}
	return q, nil
}

// frontal brings a body into the coordinates of [Face]: those of the mean camera, then levelled and
// scaled by the eyes.
func frontal(body, cameras *mat.Dense) *Face {
	rows, _ := cameras.Dims()
	var right, down XYZ
	for i := 0; i < rows; i += 2 {
		m, n := cameras.RawRowView(i), cameras.RawRowView(i+1)
		right = right.plus(XYZ{m[0], m[1], m[2]})
		down = down.plus(XYZ{n[0], n[1], n[2]})
	}
	right = right.times(1 / right.length())
	down = down.plus(right.times(-down.dot(right)))
	down = down.times(1 / down.length())
	away := right.cross(down)
	var face Face
	for p := range faces.Points {
		var at XYZ
		members := p.Members()
		for _, i := range members {
			at = at.plus(XYZ{body.At(0, i), body.At(1, i), body.At(2, i)}.times(1 / float64(len(members))))
		}
		face[p] = XYZ{at.dot(right), at.dot(down), at.dot(away)}
	}
	// The sides of the nose are nearer to the viewer than the eyes. Weak perspective cannot show
	// this, so it is assumed.
	if face[faces.LeftNose].Z+face[faces.RightNose].Z > face[faces.LeftEye].Z+face[faces.RightEye].Z {
		for p := range face {
			face[p].Z = -face[p].Z
		}
	}
	middle := face[faces.LeftEye].plus(face[faces.RightEye]).times(0.5)
	apart := face[faces.RightEye].plus(face[faces.LeftEye].times(-1))
	size, tilt := apart.length(), math.Atan2(apart.Y, apart.X)
	sin, cos := math.Sincos(-tilt)
	for p := range face {
		at := face[p].plus(middle.times(-1)).times(1 / size)
		face[p] = XYZ{cos*at.X - sin*at.Y, sin*at.X + cos*at.Y, at.Z}
	}
	return &face
}

func (a XYZ) plus(b XYZ) XYZ      { return XYZ{a.X + b.X, a.Y + b.Y, a.Z + b.Z} }
func (a XYZ) times(s float64) XYZ { return XYZ{s * a.X, s * a.Y, s * a.Z} }
func (a XYZ) dot(b XYZ) float64   { return a.X*b.X + a.Y*b.Y + a.Z*b.Z }
func (a XYZ) length() float64     { return math.Sqrt(a.dot(a)) }
func (a XYZ) cross(b XYZ) XYZ {
	return XYZ{a.Y*b.Z - a.Z*b.Y, a.Z*b.X - a.X*b.Z, a.X*b.Y - a.Y*b.X}
}
