package cuda

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"fsa/anneal"
	"fsa/loss"
)

// TestShortEpochs expects an epoch of short steps in one kernel to end where separate kernels end,
// and to give the same bits twice.
func TestShortEpochs(t *testing.T) {
	eachDevice(t, func(t *testing.T, d *Device) {
		if d.info().Major < 9 {
			return // it has no clusters, which this kernel needs
		}
		for module, format := range formats {
			for i, cols := range []int{9, 40, 100, 250, 255, 300, 600, 1000, 1024, 1030, 1500, 2048} {
				rows := []int{131, 300, 67}[i%3] // batches of several sizes
				s := newSample(format, rows, cols, loss.Logistic{})
				epochs := func(short bool) (anneal.Coefficients, anneal.Walked) {
					o := s.placed(t, d, 20+10*(i%5), 0, 0.01)
					defer o.Close()
					if o.work.short.kernel == "" {
						t.Fatalf("%s, %d columns: no kernel for short steps", module, cols)
					}
					if !short {
						o.work.short.kernel = ""
					}
					if err := o.Load(t.Context(), anneal.Coefficients{Momentum: true}, anneal.Rank{}); err != nil {
						t.Fatal(err)
					}
					var w anneal.Walked
					var err error
					for e := range 2 {
						if w, err = o.Epoch(t.Context(), anneal.Walk{First: 2 - e, Eta: 1 / float64(cols), Momentum: 0.5}); err != nil {
							t.Fatal(err)
						}
					}
					c, err := o.Save(t.Context())
					if err != nil {
						t.Fatal(err)
					}
					return c, w
				}
				want, said := epochs(false)
				got, told := epochs(true)
				again, _ := epochs(true)
				name := fmt.Sprintf("%s %d×%d", module, rows, cols)
				if e := max(apart(got.Beta, want.Beta), apart(got.Velocity, want.Velocity)); !(e < 2e-5) {
					t.Errorf("%s: coefficients are off by %g", name, e)
				}
				for _, v := range [][2]float64{{told.Loss, said.Loss}, {told.Moved, said.Moved}, {told.Largest, said.Largest}} {
					if !(math.Abs(v[0]-v[1]) <= 2e-5*v[1]) {
						t.Errorf("%s: the epoch led to %+v, want %+v", name, told, said)
						break
					}
				}
				if !slices.Equal(got.Beta, again.Beta) {
					t.Errorf("%s: a second run gave other bits", name)
				}
			}
		}
	})
}
