package anneal_test

import (
	"context"
	"fmt"
	"math"

	"fsa/anneal"
)

// tones are the frequencies that a signal may contain. Each is a group of two coefficients, of its cosine and its sine;
// the mean of the signal is a free coefficient. No matrix is stored.
type tones struct {
	signal []float64
	cycles []int // cycles over the whole signal, of the active frequencies
}

var _ anneal.Curved = (*tones)(nil)

func (o *tones) Layout() anneal.Layout { return anneal.Uniform(len(o.cycles), 2, 1) }

func (o *tones) Batches() int { return 1 }

// Eval is the squared error of the signal.
func (o *tones) Eval(ctx context.Context, _ int, grad, beta []float64) (sum, weight float64, err error) {
	clear(grad)
	x := make([]float64, len(beta))
	for i, y := range o.signal {
		o.waves(x, i)
		r := dot(x, beta) - y
		sum += r * r / 2
		for c, v := range x {
			grad[c] += r * v
		}
	}
	return sum, float64(len(o.signal)), ctx.Err()
}

// Curvature lets Run choose the step size. It is simple here because the waves are orthogonal: the mean square of a
// cosine or a sine is ½, and that of a constant is 1.
func (o *tones) Curvature(ctx context.Context, _ int, dst, v []float64) (float64, error) {
	n := float64(len(o.signal))
	for c := range v {
		dst[c] = n / 2 * v[c]
	}
	dst[len(v)-1] = n * v[len(v)-1]
	return n, ctx.Err()
}

func (o *tones) Keep(_ context.Context, groups []int) error {
	kept := make([]int, len(groups))
	for to, from := range groups {
		kept[to] = o.cycles[from]
	}
	o.cycles = kept
	return nil
}

// waves sets x to the values at time i by which the coefficients are multiplied.
func (o *tones) waves(x []float64, i int) {
	for j, c := range o.cycles {
		x[2*j+1], x[2*j] = math.Sincos(2 * math.Pi * float64(c*i) / float64(len(o.signal)))
	}
	x[len(x)-1] = 1
}

func dot(x, y []float64) float64 {
	var sum float64
	for i, v := range x {
		sum += v * y[i]
	}
	return sum
}

// An objective of your own is a type with four methods, or five if Run is to choose the step size. This one finds the two
// of fifty tones that make up a signal.
func Example() {
	o := &tones{signal: make([]float64, 200)}
	for i := range o.signal {
		at := 2 * math.Pi * float64(i) / 200
		hiss := 0.3 * math.Sin(float64(i*i))
		o.signal[i] = 5 + 2*math.Cos(7*at) + 1.5*math.Sin(31*at) + hiss
	}
	for c := range 50 {
		o.cycles = append(o.cycles, c+1)
	}
	r, err := anneal.Run(context.Background(), o, anneal.Settings{K: 2})
	if err != nil {
		fmt.Println(err)
		return
	}
	for i, g := range r.Groups {
		fmt.Printf("%d cycles, %.1f strong\n", g+1, anneal.Norm(r.Group(i)))
	}
	fmt.Printf("around %.1f\n", r.Free()[0])
	// Output:
	// 7 cycles, 2.0 strong
	// 31 cycles, 1.5 strong
	// around 5.0
}

// A schedule of your own: drop a tenth of the groups in every epoch. It can ignore K, because Run never keeps fewer groups
// and always ends with K.
func ExampleSchedule() {
	tenth := func(e, _, groups, _ int) int { return int(float64(groups) * math.Pow(0.9, float64(e))) }
	fmt.Printf("%.1f passes over the data\n", anneal.Passes(tenth, 500, 10_000, 10))
	fmt.Printf("%.1f with the default\n", anneal.Passes(anneal.Inverse(anneal.DefaultMu), 500, 10_000, 10))
	// Output:
	// 10.4 passes over the data
	// 10.2 with the default
}
