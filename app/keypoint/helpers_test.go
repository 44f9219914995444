package keypoint

import (
	"bytes"
	"fmt"
	"image/png"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fsa/app/keypoint/faces"
	"fsa/app/keypoint/photo"
)

// madeUpFace has the landmarks of an artificial face, in IED from the middle of its eyes: the
// keypoints at their positions, all others at the nose.
func madeUpFace() (at [faces.Landmarks]faces.XY) {
	for i := range at {
		at[i] = faces.XY{X: 0, Y: 0.5}
	}
	for p, v := range map[faces.Point]faces.XY{
		faces.LeftEye: {X: -0.5}, faces.RightEye: {X: 0.5}, faces.LeftNose: {X: -0.24, Y: 0.67}, faces.RightNose: {X: 0.23, Y: 0.67},
		faces.LeftMouth: {X: -0.43, Y: 1.02}, faces.RightMouth: {X: 0.43, Y: 1.02}, faces.Chin: {Y: 1.73},
	} {
		for _, i := range p.Members() {
			at[i] = v
		}
	}
	return at
}

// drawn returns a noisy picture with an artificial face of the given size at (x, y): dark eyes with
// bright rims, a dark mouth, a bright chin.
func drawn(r *rand.Rand, w, h int, x, y, ied float64) *photo.Image {
	m := photo.New(w, h)
	shade := func(px, py float64) float64 {
		u, v := (px-x)/ied, (py-y)/ied
		disc := func(cx, cy, radius float64) float64 {
			return 1 / (1 + math.Exp((math.Hypot(u-cx, v-cy)-radius)*30))
		}
		s := 110 + 60*disc(0, 0.8, 1.4)
		for _, side := range []float64{-0.5, 0.5} {
			s += 60*disc(side, 0, 0.28) - 180*disc(side, 0, 0.13)
		}
		s -= 90 * disc(-0.24, 0.67, 0.07)
		s -= 90 * disc(0.23, 0.67, 0.07)
		return s - 100*disc(0, 1.02, 0.43)*disc(0, 1.02, 0.2) + 60*disc(0, 1.73, 0.15)
	}
	for i := range w * h {
		s := shade(float64(i%w), float64(i/w))
		for c := range m.Pix {
			m.Pix[c][i] = uint8(min(max(s-10*float64(c)+8*r.NormFloat64(), 0), 255))
		}
	}
	return m
}

// madeUp writes a folder of artificial faces, for training and for testing.
func madeUp(t testing.TB, learn, test int) string {
	t.Helper()
	const seed = 17
	r := rand.New(rand.NewPCG(seed, 0))
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "img"), 0o755); err != nil {
		t.Fatal(err)
	}
	var table strings.Builder
	table.WriteString("set\timage\tface\twidth\theight\tfaces_in_image\tied")
	for i := range faces.Landmarks {
		fmt.Fprintf(&table, "\tx%d\ty%d", i+1, i+1)
	}
	table.WriteString("\n")
	for k := range learn + test {
		set := faces.Train
		if k >= learn {
			set = faces.HelenTest
		}
		w, h := 130+r.IntN(30), 130+r.IntN(30)
		x, y, ied := 60+10*r.Float64(), 40+10*r.Float64(), 42.0
		m := drawn(r, w, h, x, y, ied)
		var b bytes.Buffer
		if err := png.Encode(&b, m.RGBA()); err != nil {
			t.Fatal(err)
		}
		name := fmt.Sprintf("%s_%d.png", set, k)
		if err := os.WriteFile(filepath.Join(dir, "img", name), b.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&table, "%s\t%s\t%d\t%d\t%d\t1\t%v", set, name, k, w, h, ied)
		for _, at := range madeUpFace() {
			fmt.Fprintf(&table, "\t%.2f\t%.2f", x+ied*at.X, y+ied*at.Y)
		}
		table.WriteString("\n")
	}
	if err := os.WriteFile(filepath.Join(dir, "landmarks.tsv"), []byte(table.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	return dir
}

func openFaces(t testing.TB, dir string) *faces.Folder {
	t.Helper()
	f, err := faces.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// quick are options of a short training.
func quick(t testing.TB, f *faces.Folder, point faces.Point) TrainOptions {
	t.Helper()
	l, err := FindLearner(FSALorenz, LearnerOptions{K: 20, Bins: 5})
	if err != nil {
		t.Fatal(err)
	}
	return TrainOptions{Folder: f, Point: point, Learner: l, Pool: PoolSpec{Haar: 100, Seed: 1}, Rounds: 1, Negatives: 200, Log: t.Logf}
}

func encoded(t testing.TB, d *Detector) string {
	t.Helper()
	var b bytes.Buffer
	if _, err := d.WriteTo(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}
