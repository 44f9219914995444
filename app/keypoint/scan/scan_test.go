package scan

import (
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"fsa/app/keypoint/photo"
	"fsa/app/keypoint/pool"
)

func smooth(w, h int, seed uint64) *photo.Image {
	r := rand.New(rand.NewPCG(seed, 0))
	m := photo.New(w, h)
	for c := range m.Pix {
		a, b, d := r.Float64()/9, r.Float64()/9, r.Float64()*6
		for i := range m.Pix[c] {
			x, y := float64(i%w), float64(i/w)
			m.Pix[c][i] = uint8(120 + 60*math.Sin(a*x+d)*math.Cos(b*y) + 40*r.Float64())
		}
	}
	return m
}

// detector returns n random terms with curved responses.
func detector(t testing.TB, n int, seed uint64) []Term {
	p, err := pool.New(5000, 1)
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(seed, 1))
	terms := make([]Term, n)
	for i := range terms {
		f := p.Feature(r.IntN(p.Len()))
		high := float32(20 * int(f.W) * int(f.H))
		low := -high
		if f.Shape == pool.Cell {
			low, high = 0, 2000
		}
		terms[i] = Term{Feature: f, Range: pool.NewRange(low, high)}
		size := math.Exp(-4 * float64(i) / float64(n))
		slope, curve := size*r.NormFloat64(), size*r.NormFloat64()
		for c := range terms[i].Response {
			u := float64(c)/127.5 - 1
			terms[i].Response[c] = 0.3 * (slope*u + curve*(u*u-0.5))
		}
	}
	return terms
}

// All kernels give the same bits.
func TestKernelsAgree(t *testing.T) {
	m := smooth(100, 60, 4)
	for seed := range uint64(4) {
		terms := detector(t, 60, seed)
		var want []Hit
		for i, k := range kernelSets() {
			s := New(0.25, terms)
			s.kernels = k
			got := s.Image(nil, m, All, &Room{})
			if i == 0 {
				want = got
				if len(got) != m.W*m.H {
					t.Fatalf("%d hits of %d windows", len(got), m.W*m.H)
				}
			} else if !reflect.DeepEqual(got, want) {
				t.Errorf("seed %d: kernels %d differ from those in Go", seed, i)
			}
		}
	}
}

// A threshold beyond all scores is reached by all windows or by none.
func TestExtremeThresholds(t *testing.T) {
	m := smooth(60, 40, 4)
	s := New(0.25, detector(t, 20, 1))
	for _, threshold := range []float64{All, -1e300, -1e15, -1e10, math.Inf(-1), 1e10, 1e15, 1e300, math.Inf(1)} {
		want := m.W * m.H
		if threshold > 0 {
			want = 0
		}
		if got := len(s.Image(nil, m, threshold, &Room{})); got != want {
			t.Errorf("%v: %d hits of %d windows, not %d", threshold, got, m.W*m.H, want)
		}
	}
}

// A score is the intercept plus the responses to the bytes of an extractor.
func TestScoresAgainstExtractor(t *testing.T) {
	p, err := pool.New(300, 1)
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(7, 7))
	terms := make([]Term, p.Len())
	ranges := make([]pool.Range, p.Len())
	for j := range terms {
		ranges[j] = pool.NewRange(-3000, 3000)
		terms[j] = Term{Feature: p.Feature(j), Range: ranges[j]}
		for c := range terms[j].Response {
			terms[j].Response[c] = r.NormFloat64()
		}
	}
	m := smooth(300, 80, 2) // wider and higher than a tile
	s := New(-1, terms)
	e := pool.NewExtractor(p)
	codes := make([]uint8, p.Len())
	hits := s.Image(nil, m, All, &Room{})
	for _, h := range hits {
		if r.IntN(200) > 0 && h.X > 0 && h.X < m.W-1 {
			continue
		}
		e.MoveTo(m, h.X, h.Y)
		e.Codes(codes, ranges)
		want := -1.0
		for j, c := range codes {
			want += terms[j].Response[c]
		}
		if math.Abs(h.Score-want) > 1e-2 { // 1164 roundings to 2⁻¹⁶
			t.Fatalf("the score at (%d, %d) is %v, from bytes %v", h.X, h.Y, h.Score, want)
		}
	}
}

// Abandoning windows does not change which windows reach the threshold.
func TestRejectionKeepsDetections(t *testing.T) {
	m := smooth(290, 130, 9)
	for seed := range uint64(5) {
		s := New(0, detector(t, 200, seed))
		var all, some Room
		everything := s.Image(nil, m, All, &all)
		scores := make([]float64, len(everything))
		for i, h := range everything {
			scores[i] = h.Score
		}
		slices.Sort(scores)
		for _, share := range []float64{0.5, 0.9, 0.999, 1} {
			threshold := scores[int(share*float64(len(scores)-1))]
			want := slices.DeleteFunc(slices.Clone(everything), func(h Hit) bool { return h.Score < threshold })
			some.Evaluated = 0
			if got := s.Image(nil, m, threshold, &some); !reflect.DeepEqual(got, want) {
				t.Errorf("seed %d, threshold %v: %d hits instead of %d", seed, threshold, len(got), len(want))
			}
			if share == 1 && some.Evaluated >= all.Evaluated {
				t.Errorf("seed %d: nothing was left out", seed)
			}
		}
		if hits := s.Image(nil, m, 1e9, &some); len(hits) > 0 {
			t.Errorf("%d windows reach a billion", len(hits))
		}
	}
}

// BenchmarkScan measures a detector of 1500 features on one core: with all windows, and with a
// threshold that one window in a thousand reaches.
func BenchmarkScan(b *testing.B) {
	m := smooth(512, 384, 1)
	s := New(0, detector(b, 1500, 1))
	var scores []float64
	for _, h := range s.Image(nil, m, All, &Room{}) {
		scores = append(scores, h.Score)
	}
	slices.Sort(scores)
	rare := scores[len(scores)*999/1000]
	for _, c := range []struct {
		name      string
		kernels   [pool.Ops]kernel
		threshold float64
	}{{"rare", fastest(), rare}, {"all", fastest(), All}, {"go", goKernels, rare}} {
		b.Run(c.name, func(b *testing.B) {
			s.kernels = c.kernels
			var r Room
			var hits []Hit
			for b.Loop() {
				hits = s.Image(hits[:0], m, c.threshold, &r)
			}
			windows := float64(b.N) * float64(m.W*m.H)
			b.ReportMetric(windows/b.Elapsed().Seconds()/1e6, "Mwindows/s")
			b.ReportMetric(float64(r.Evaluated)/windows, "features/window")
		})
	}
}
