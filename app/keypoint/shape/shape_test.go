package shape

import (
	"math"
	"math/rand/v2"
	"testing"

	"fsa/app/keypoint/faces"
	"fsa/internal/need"
)

// body returns an artificial rigid face of 68 landmarks.
func body(r *rand.Rand) [faces.Landmarks]XYZ {
	var b [faces.Landmarks]XYZ
	for i := range b {
		x, y := 2*r.Float64()-1, 2*r.Float64()-1
		b[i] = XYZ{x, y, 0.7*(x*x+y*y) + 0.1*r.NormFloat64()}
	}
	for _, i := range faces.LeftEye.Members() {
		b[i] = XYZ{-0.5, -0.1, 0}
	}
	for _, i := range faces.RightEye.Members() {
		b[i] = XYZ{0.5, -0.1, 0}
	}
	b[faces.LeftNose.Members()[0]] = XYZ{-0.2, 0.4, -0.3}
	b[faces.RightNose.Members()[0]] = XYZ{0.2, 0.4, -0.3}
	b[faces.Chin.Members()[0]] = XYZ{0, 1.5, 0.1}
	b[faces.LeftMouth.Members()[0]] = XYZ{-0.35, 0.9, -0.1}
	b[faces.RightMouth.Members()[0]] = XYZ{0.35, 0.9, -0.1}
	return b
}

// The shape is recovered from photographs of a rigid body, up to the effect of a mean pose that is
// not exactly frontal: distances between keypoints are compared.
func TestLearnRigid(t *testing.T) {
	const seed = 11
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	b := body(r)
	var all []*faces.Face
	for range 60 {
		p := Pose{Yaw: 0.5 * r.NormFloat64(), Pitch: 0.3 * r.NormFloat64(), Roll: 0.2 * r.NormFloat64(), Scale: 20 + 60*r.Float64(), X: 300 * r.Float64(), Y: 300 * r.Float64()}
		f := &faces.Face{}
		for i, at := range b {
			f.Landmarks[i] = p.Project(at)
		}
		all = append(all, f)
	}
	face, err := Learn(all)
	if err != nil {
		t.Fatal(err)
	}
	for i := range faces.Points {
		for j := range i {
			place := func(p faces.Point) XYZ { return b[p.Members()[0]] }
			want := place(i).plus(place(j).times(-1)).length()
			if got := face[i].plus(face[j].times(-1)).length(); math.Abs(got-want) > 1e-6 {
				t.Errorf("%v and %v are %.4f apart, not %.4f", i, j, got, want)
			}
		}
	}
	if face[faces.LeftEye].X > 0 || face[faces.Chin].Y < 0 || face[faces.LeftNose].Z > 0 {
		t.Errorf("the face lies wrong: %+v", face)
	}
}

func TestLearnRefuses(t *testing.T) {
	if _, err := Learn(make([]*faces.Face, 3)); err == nil {
		t.Error("three faces were enough")
	}
	flat := make([]*faces.Face, 20)
	for i := range flat {
		flat[i] = &faces.Face{}
	}
	if _, err := Learn(flat); err == nil {
		t.Error("faces of one point were enough")
	}
}

func TestFit(t *testing.T) {
	const seed = 5
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	face := &Face{
		faces.LeftEye: {-0.5, 0, 0}, faces.RightEye: {0.5, 0, 0}, faces.LeftNose: {-0.25, 0.6, -0.35}, faces.RightNose: {0.25, 0.6, -0.35},
		faces.LeftMouth: {-0.4, 1, -0.2}, faces.RightMouth: {0.4, 1, -0.2}, faces.Chin: {0, 1.6, -0.1},
	}
	for range 50 {
		truth := Pose{Yaw: 0.4 * r.NormFloat64(), Pitch: 0.2 * r.NormFloat64(), Roll: 0.3 * r.NormFloat64(), Scale: 30, X: 100, Y: 80}
		places := truth.Points(face)
		var seen []Seen
		for p := range faces.Points {
			seen = append(seen, Seen{p, places[p], 1})
		}
		start := Align(face, 0, 0, faces.LeftEye, faces.Chin, places[faces.LeftEye], places[faces.Chin])
		for _, at := range []faces.Point{faces.LeftEye, faces.Chin} {
			if q := start.Project(face[at]); math.Hypot(q.X-places[at].X, q.Y-places[at].Y) > 1e-9 {
				t.Fatalf("Align puts %v at %v, not %v", at, q, places[at])
			}
		}
		wrong := faces.RightEye + faces.Point(r.IntN(int(faces.Points)-2)) // none that the start is aligned to
		seen[wrong].At.X += 40
		got := Fit(face, start, seen)
		for p, at := range got.Points(face) {
			if away := math.Hypot(at.X-places[p].X, at.Y-places[p].Y); away > 0.2*truth.Scale && faces.Point(p) != wrong {
				t.Errorf("with a wrong %v of %+v, %v is %.1f pixels away: %+v", wrong, truth, faces.Point(p), away, got)
			}
		}
	}
}

// The mean face fits the annotations of faces that it was not trained on.
func TestRealFaces(t *testing.T) {
	folder, err := faces.Open(need.Data(t, "faces"))
	if err != nil {
		t.Fatal(err)
	}
	var all []*faces.Face
	for _, p := range folder.Training() {
		all = append(all, &p.Faces[0])
	}
	face, err := Learn(all)
	if err != nil {
		t.Fatal(err)
	}
	for p, at := range face {
		t.Logf("%-12v %6.2f %6.2f %6.2f", faces.Point(p), at.X, at.Y, at.Z)
	}
	near, count := 0, 0
	for _, p := range folder.Test() {
		for i := range p.Faces {
			f := &p.Faces[i]
			var seen []Seen
			for k := range faces.Points {
				seen = append(seen, Seen{k, f.Point(k), 1})
			}
			start := Align(face, 0, 0, faces.LeftEye, faces.RightEye, seen[0].At, seen[1].At)
			for k, at := range Fit(face, start, seen).Points(face) {
				count++
				want := seen[k].At
				if math.Hypot(at.X-want.X, at.Y-want.Y) < 0.2*f.IED {
					near++
				}
			}
		}
	}
	t.Logf("%d of %d keypoints of test faces are within 0.2 IED of the fitted mean face", near, count)
	if near < count*9/10 {
		t.Errorf("%d of %d", near, count)
	}
}
