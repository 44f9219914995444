package cuda

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"fsa/internal/solve"
	"fsa/loss"
)

// twinLearn does in Go what the kernels of learn.cu do.
func twinLearn(kernel string, s shape, l learnArgs) {
	n := int64(l.Columns)
	column := func(j int64) []float64 { return at[float64](l.X, (j+1)*l.Rows)[j*l.Rows:] }
	y, w, z := at[float64](l.Y, l.Rows), at[float64](l.W, l.Rows), at[float64](l.Z, l.Rows)
	r, to := at[float64](l.R, l.Rows), at[float64](l.To, l.Rows)
	derive := func(z, y float64) (r, sum float64) {
		d := make([]float64, 1)
		sum, _ = lossOf(&passArgs{Kind: l.Kind, Huber: l.Huber, Outputs: 1}).Eval(d, []float64{z}, loss.Target{Y: []float64{y}})
		return d[0], sum
	}
	switch kernel {
	case "combine":
		for i := range to {
			to[i] = l.Constant
			for j, c := range at[int32](l.Column, n) {
				to[i] += at[float64](l.Beta, n)[j] * column(int64(c))[i]
			}
		}
	case "losses":
		parts := at[float64](l.Parts, 2*int64(s.grid[0]))
		clear(parts)
		for i := range z {
			if to[i] = z[i]; l.T != 0 {
				to[i] += l.T * at[float64](l.Along, l.Rows)[i]
			}
			d, sum := derive(to[i], y[i])
			r[i] = w[i] * d
			parts[i/256*2] += w[i] * sum
			parts[i/256*2+1] += r[i]
		}
	case "curvatures":
		parts := at[float64](l.Parts, int64(s.grid[0]))
		clear(parts)
		for i := range z {
			up, _ := derive(z[i]+l.Difference, y[i])
			down, _ := derive(z[i]-l.Difference, y[i])
			parts[i/256] += w[i] * min(max((up-down)/(2*l.Difference), l.Flattest*l.Bend), l.Bend)
		}
	case "slopes", "grams":
		for slab := range int64(l.Slabs) {
			lo, hi := l.Rows*slab/int64(l.Slabs), l.Rows*(slab+1)/int64(l.Slabs)
			if kernel == "slopes" {
				for j, c := range at[int32](l.Column, n) {
					sum := 0.0
					for i := lo; i < hi; i++ {
						sum += column(int64(c))[i] * r[i]
					}
					at[float64](l.Parts, int64(l.Slabs)*n)[slab*n+int64(j)] = sum
				}
				continue
			}
			side := n + 1
			cell := func(c, i int64) float64 {
				if c == n {
					return 1
				}
				return column(c)[i]
			}
			for a := range side {
				for b := range side {
					if a/gramTile < b/gramTile {
						continue // nothing may read it
					}
					sum := 0.0
					for i := lo; i < hi; i++ {
						sum += r[i] * cell(a, i) * cell(b, i)
					}
					at[float64](l.Parts, int64(l.Slabs)*side*side)[(slab*side+a)*side+b] = sum
				}
			}
		}
	}
}

// learnable returns a problem with some columns, a few of which have an effect.
func learnable(l loss.Loss, rows, cols int, weighted bool) *solve.Problem {
	rng := rand.New(rand.NewPCG(uint64(rows), uint64(cols)))
	p := &solve.Problem{X: make([][]float64, cols), Penalty: make([]float64, cols), Ridge: 1e-4, Loss: l, Intercept: true}
	z := make([]float64, rows)
	for j := range p.X {
		for i := range rows {
			v := rng.NormFloat64()
			p.X[j] = append(p.X[j], v)
			if j%3 == 0 {
				z[i] += v / float64(j+1)
			}
		}
		p.Penalty[j] = float64(j%2) * 1e-3
	}
	for i := range rows {
		y := z[i] + rng.NormFloat64()/2 + 0.2
		switch l.(type) {
		case loss.Squared, loss.Huber:
		default:
			y = math.Copysign(1, y)
		}
		p.Target.Y = append(p.Target.Y, y)
		if weighted {
			p.Target.Weight = append(p.Target.Weight, float64(rng.IntN(3)))
		}
	}
	return p
}

// TestLearn expects a refit on a device to give the result of the processor, from the beginning and
// from given coefficients, on all columns and on some.
func TestLearn(t *testing.T) {
	eachDevice(t, func(t *testing.T, d *Device) {
		for name, l := range losses {
			if l.Outputs() > 1 {
				continue
			}
			for _, size := range [][2]int{{300, 5}, {1000, 17}, {257, 1}, {700, 40}} {
				rows, cols := size[0], size[1]
				t.Run(fmt.Sprintf("%s %d×%d", name, rows, cols), func(t *testing.T) {
					here := learnable(l, rows, cols, rows != 300)
					there := *here
					var err error
					if there.Device, err = d.columns(here.X, l, here.Target); err != nil {
						t.Fatal(err)
					}
					defer there.Device.Close()
					all := count(cols)
					var from *solve.Solution
					for _, set := range [][]int{all, all[:(cols+1)/2], all, nil, all[cols-1:]} {
						if from != nil && len(from.Beta[0]) != len(set) {
							from = nil
						}
						want, err := here.Solve(t.Context(), set, from)
						if err != nil {
							t.Fatal(err)
						}
						got, err := there.Solve(t.Context(), set, from)
						if err != nil {
							t.Fatal(err)
						}
						if math.Abs(got.Objective-want.Objective) > 1e-9*math.Abs(want.Objective) || apart(got.Z, want.Z) > 1e-4 {
							t.Errorf("columns %v: objective %.15g, want %.15g; margins are off by %g", set, got.Objective, want.Objective, apart(got.Z, want.Z))
						}
						from = want
					}
				})
			}
		}
	})
}

// TestLearnRefused expects a loss that a device does not support to be refused, and a failing
// device to result in an error.
func TestLearnRefused(t *testing.T) {
	f := newFake(9)
	d, err := newDevice(f, 0)
	if err != nil {
		t.Fatal(err)
	}
	p := learnable(loss.Logistic{}, 300, 4, true)
	if _, err := d.Columns(p.X, p.Loss, p.Target); !errors.Is(err, ErrUnsupported) {
		t.Errorf("few numbers: %v", err)
	}
	if _, err := d.columns(p.X, loss.Multinomial{Classes: 3}, p.Target); !errors.Is(err, ErrUnsupported) {
		t.Errorf("several outputs: %v", err)
	}
	if p.Device, err = d.columns(p.X, p.Loss, p.Target); err != nil {
		t.Fatal(err)
	}
	f.fail = "slopes"
	if _, err := p.Solve(t.Context(), []int{0, 1}, nil); !errors.Is(err, ErrLost) {
		t.Errorf("a device that fails: %v", err)
	}
	p.Device.Close()
	small, err := newDevice(newFake(9), 5000)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := small.columns(p.X, p.Loss, p.Target); !errors.Is(err, ErrMemory) {
		t.Errorf("too little memory: %v", err)
	}
	if d.used != 0 || small.used != 0 {
		t.Errorf("%d and %d bytes are still in use", d.used, small.used)
	}
}
