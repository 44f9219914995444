package fsa_test

import (
	"context"
	"fmt"
	"math"

	"fsa"
	"fsa/anneal"
	"fsa/data"
	"fsa/loss"
)

// Huber is a custom loss: squared near zero and linear beyond Width, so that a few outliers in the target do not matter. It
// depends only on margins and targets, and works with any table, shape function and prior.
type Huber struct{ Width float64 }

// Outputs says that a row has one margin.
func (Huber) Outputs() int { return 1 }

// Eval sets r to the derivative of the loss by the margins z.
func (h Huber) Eval(r, z []float64, t loss.Target) (sum, weight float64) {
	for i := range z {
		e, w := z[i]-t.Y[i], t.WeightOf(i)
		near := min(max(e, -h.Width), h.Width)
		r[i] = w * near
		sum += r[i] * (e - near/2)
		weight += w
	}
	return sum, weight
}

// Curvature returns an upper bound on the second derivative, which determines the step size.
func (Huber) Curvature(d []float64, t loss.Target) (weight float64) {
	for i := range d {
		d[i] = t.WeightOf(i)
		weight += d[i]
	}
	return weight
}

func ExampleFit_ownLoss() {
	var x, y []float64
	for i := range 200 {
		a, b, c := math.Sin(float64(i)), math.Cos(float64(3*i)), math.Sin(float64(7*i))
		x = append(x, a, b, c)
		y = append(y, 2*b+1)
		if i%20 == 0 {
			y[i] = 1e6 // an outlier
		}
	}
	table, err := data.FromRows([]string{"a", "b", "c"}, 3, x, y)
	if err != nil {
		panic(err)
	}
	model, err := fsa.Fit(context.Background(), table, fsa.Options{K: 1, Objective: fsa.Objective{Custom: Huber{Width: 0.1}}})
	if err != nil {
		panic(err)
	}
	v := model.Selected()[0]
	fmt.Printf("%.1f·%s\n", v.Coefficients[0], v.Name)
	// Output: 2.0·b
}

// Probit is the loss of a target of 0 and 1 whose probability is the normal distribution function Φ of the margin.
type Probit struct{}

func (Probit) Outputs() int { return 1 }

// Eval has −ln Φ(z) for a target of 1, and −ln Φ(−z) for a target of 0. Below −30, where Φ is almost zero, a parabola continues it.
func (Probit) Eval(r, z []float64, t loss.Target) (sum, weight float64) {
	for i, y := range t.Y {
		sign, w := 2*y-1, t.WeightOf(i)
		x, below := max(sign*z[i], -30), min(sign*z[i]+30, 0)
		p := math.Erfc(-x/math.Sqrt2) / 2
		slope := -math.Exp(-x*x/2) / math.Sqrt(2*math.Pi) / p
		sum += w * (-math.Log(p) + slope*below + below*below/2)
		r[i] = w * sign * (slope + below)
		weight += w
	}
	return sum, weight
}

// Curvature is 1 for every row: the second derivative of −ln Φ is less.
func (Probit) Curvature(d []float64, t loss.Target) (weight float64) {
	for i := range d {
		d[i] = t.WeightOf(i)
		weight += d[i]
	}
	return weight
}

// Inverse makes a prediction of the margin of a row.
func (Probit) Inverse(z []float64) { z[0] = math.Erfc(-z[0]/math.Sqrt2) / 2 }

// Measures are reported beside the usual ones, and one of them can compare sizes.
func (Probit) Measures() []loss.Measure {
	return []loss.Measure{{Name: "misses", Of: func(predicted, y, _ []float64) float64 {
		n := 0.0
		for i, p := range predicted {
			if (p > 0.5) != (y[i] > 0.5) {
				n++
			}
		}
		return n / float64(len(y))
	}}}
}

func ExampleFit_ownLink() {
	ctx := context.Background()
	var x, y []float64
	for i := range 400 {
		a, b, c := math.Sin(float64(i)), math.Cos(float64(3*i)), math.Sin(float64(7*i))
		x = append(x, a, b, c)
		y = append(y, 0)
		if 2*b > math.Sin(float64(5*i*i)) {
			y[i] = 1
		}
	}
	table, err := data.FromRows([]string{"a", "b", "c"}, 3, x, y)
	if err != nil {
		panic(err)
	}
	m, err := fsa.Fit(ctx, table, fsa.Options{K: 1, Bins: fsa.None, Objective: fsa.Objective{Custom: Probit{}}, Validation: fsa.Validation{Measure: "misses"}})
	if err != nil {
		panic(err)
	}
	p, err := m.PredictDataset(ctx, table)
	if err != nil {
		panic(err)
	}
	fmt.Printf("%s, %.0f%% misses on other rows\n", m.Selected()[0].Name, 100*m.Validation().Metrics["misses"])
	fmt.Printf("row 0: margin %.2f, probability %.2f\n", p.Decision[0], p.Values()[0])
	// Output:
	// b, 8% misses on other rows
	// row 0: margin 0.83, probability 0.80
}

// Compute how many passes over a table a schedule takes.
func ExampleOptions() {
	const columns, k, epochs = 100_000, 100, 500
	for _, mu := range []float64{100, 300} {
		fmt.Printf("μ = %3.0f: %.1f passes\n", mu, anneal.Passes(anneal.Inverse(mu), epochs, columns, k))
	}
	// Output:
	// μ = 100: 10.2 passes
	// μ = 300: 5.0 passes
}

// A service with rows in memory fits a model to some of them, with weights, and scores others one by one.
func ExampleFit_scorer() {
	ctx := context.Background()
	table := &data.Schema{Width: 3, Names: []string{"a", "b", "c"}}
	var x, y, w []float64
	for i := range 200 {
		a, b, c := math.Sin(float64(i)), math.Cos(float64(3*i)), math.Sin(float64(7*i))
		x, y, w = append(x, a, b, c), append(y, 2*b+1), append(w, 1+float64(i%2))
	}
	rows := data.NewBuilder("rows", table, data.Roles{TargetVector: &data.Vector{Values: y}, WeightVector: &data.Vector{Values: w}})
	if err := rows.Add(&data.Block{Rows: len(y), Dense: x}); err != nil {
		panic(err)
	}
	d, err := rows.Dataset(ctx)
	if err != nil {
		panic(err)
	}
	model, err := fsa.Fit(ctx, d, fsa.Options{K: 1})
	if err != nil {
		panic(err)
	}
	scorer, err := model.Scorer(table) // one for each goroutine
	if err != nil {
		panic(err)
	}
	z, err := scorer.Score(&data.Block{Rows: 1, Dense: []float64{0, 0.5, 0}})
	if err != nil {
		panic(err)
	}
	fmt.Printf("%.2f\n", z[0])
	// Output: 2.00
}
