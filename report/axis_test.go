package report

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// The axis shows where the data are: linear for even numbers, logarithmic for positive ones with a
// long tail, and by quantiles where neither has room for most rows. It always increases.
func TestAxis(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	quantiles := func(draw func() float64) *Density {
		x := make([]float64, 2001)
		for i := range x {
			x[i] = draw()
		}
		slices.Sort(x)
		d := &Density{}
		for i := range 41 {
			d.Quantiles = append(d.Quantiles, x[50*i])
		}
		return d
	}
	for _, c := range []struct {
		name      string
		draw      func() float64
		log, warp bool
	}{
		{"even", rng.Float64, false, false},
		{"normal", rng.NormFloat64, false, false},
		{"long tail", func() float64 { return math.Exp(2 * rng.NormFloat64()) }, true, false},
		{"long tail with zeros", func() float64 { return max(0, math.Exp(3*rng.NormFloat64())-1) }, false, true},
		{"a code for missing values", func() float64 {
			if rng.IntN(50) == 0 {
				return 99999
			}
			return 20 + 30*rng.Float64()
		}, false, true},
		{"many zeros", func() float64 { return max(0, rng.Float64()-0.6) }, false, false},
		{"two values", func() float64 { return float64(rng.IntN(2)) }, false, false},
	} {
		a := axisOf(quantiles(c.draw))
		if a.log != c.log || (a.warp != nil) != c.warp {
			t.Errorf("%s: %+v", c.name, a)
		}
		for i := 1; i < len(a.warp); i++ {
			if !(a.warp[i] > a.warp[i-1]) {
				t.Errorf("%s: the axis does not increase at %d", c.name, i)
			}
		}
	}
	if a := axisOf(nil); a.log || a.warp != nil {
		t.Error("an unknown distribution has an axis of its own")
	}
}

// A waterfall begins at the intercept and ends at the decision value, whatever is summed up on its
// way.
func TestWaterfall(t *testing.T) {
	for _, n := range []int{0, 1, exampleBars, exampleBars + 1, exampleBars + 2, 60} {
		x := &Examples{Intercept: []float64{0.5}}
		e := &Example{}
		want := 0.5
		for i := range n {
			v := math.Sin(float64(i))
			x.Names, e.Values, e.Adds = append(x.Names, plainName(i)), append(e.Values, "1"), append(e.Adds, v)
			want += v
		}
		steps := waterfall(x, e)
		for i := 1; i < len(steps); i++ {
			if steps[i].from != steps[i-1].to {
				t.Errorf("%d variables: step %d does not begin where the one before ends", n, i)
			}
		}
		if last := steps[len(steps)-1]; math.Abs(last.to-want) > 1e-12 || len(steps) > exampleBars+3 {
			t.Errorf("%d variables: %d steps to %v, want %v", n, len(steps), last.to, want)
		}
	}
}

// The slider is linear, starts in its middle, and counts every row once at each threshold.
func TestThresholds(t *testing.T) {
	r := sampleRun(2, plainName)
	for _, probability := range []bool{true, false} {
		if !probability {
			r.Rows.Probability = nil
		}
		s := newThresholds(r)
		if s.At[s.Start] != map[bool]float64{true: 0.5}[probability] || len(s.Ends()) != 3 {
			t.Errorf("it starts at %v and ends at %v", s.At[s.Start], s.Ends())
		}
		for i, c := range s.Counts {
			if c[0]+c[1]+c[2]+c[3] != len(r.Rows.Target) {
				t.Errorf("%v rows at %v", c, s.At[i])
			}
			if step := s.At[1] - s.At[0]; i > 0 && math.Abs(s.At[i]-s.At[i-1]-step) > 1e-5 {
				t.Errorf("a step of %v at %v", s.At[i]-s.At[i-1], s.At[i])
			}
		}
	}
}

// Large numbers have three digits and years four, as a person writes them.
func TestBrief(t *testing.T) {
	for v, want := range map[float64]string{191485: "191,000", -7.334: "−7.33", 2012: "2012", 1.5e-7: "1.5×10⁻⁷", 3.7e-17: "0", 72890.4: "72,900"} {
		if got := brief(v); got != want {
			t.Errorf("%v: %s, want %s", v, got, want)
		}
	}
}

// Half samples and folds that disagree about a variable are named.
func TestDisagreement(t *testing.T) {
	r := sampleRun(2, plainName)
	r.Stability = &Stability{Halves: 20, Shares: map[string]float64{"variable 0": 0.9, "variable 1": 0.2}}
	if got := r.disagreement(); !strings.Contains(got, "variable 1 (20% of the half samples, 90% of the folds)") || strings.Contains(got, "variable 0") {
		t.Errorf("%q", got)
	}
	f := stabilityBars(r, 10)
	if len(f.Table[0]) != 4 || len(f.chart.Curves[0].X) == 0 {
		t.Errorf("the picture lacks folds or half samples: %v", f.Table[0])
	}
}
