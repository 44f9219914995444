package paper

import (
	"context"
	"math"
	"math/rand/v2"

	"fsa"
	"fsa/data"
)

// The numbers of the experiment.
const (
	priceRuns    = 50 // tables, by default
	priceRows    = 200
	priceFresh   = 20000 // rows on which the difference is measured
	priceWidth   = 30    // columns
	priceClasses = "two classes"
	givenThree   = "k = 3"
	chosenSize   = "k open"
	heldPrice    = "interval holds the difference (%)"
	priceMean    = "difference on fresh rows"
	priceMiddle  = "estimated difference"
)

// price measures how often the interval of what a model loses against a ridge on all columns holds the difference on fresh
// rows, when both are fitted to all rows. It is not in the paper.
func price(ctx context.Context, s *Setup) (*Result, error) {
	seeds, methods := s.seeds(priceRuns), []string{givenThree, chosenSize}
	names := []string{"numbers", priceClasses}
	var units []unit
	for _, seed := range seeds {
		for _, name := range names {
			units = append(units, unit{cell: name, seed: seed, methods: methods, load: func(context.Context) (trial, error) { return loadPrice(name == priceClasses, seed) }})
		}
	}
	out, err := s.fit(ctx, "price", s.Threads, units)
	if err != nil {
		return nil, err
	}
	r := &Result{byMethod: true, Notes: out.notes()}
	for _, name := range names {
		for _, method := range methods {
			for _, metric := range []string{heldPrice, priceMean, priceMiddle} {
				sum := out.summarize(name, method, metric, seeds)
				r.Rows = append(r.Rows, Row{Data: name, N: new(priceRows), M: new(priceWidth), Method: method, Metric: metric, Ours: sum.mean, Runs: sum.runs, SE: sum.se})
			}
		}
	}
	return r, nil
}

// loadPrice makes a table and fresh rows. The effects of columns fall by the factor 0.7.
func loadPrice(classes bool, seed uint64) (trial, error) {
	rng, kind := rand.New(rand.NewPCG(seed, 33)), neighbours(0.5)
	var cells, y []float64
	row := make([]float64, priceWidth)
	for range priceRows + priceFresh {
		kind.draw(row, rng.NormFloat64)
		z := 0.0
		for j, v := range row {
			z += math.Pow(0.7, float64(j)) * v
		}
		target := z + 2*rng.NormFloat64()
		if classes {
			target = 0
			if rng.Float64() < logistic(z) {
				target = 1
			}
		}
		cells, y = append(cells, row...), append(y, target)
	}
	known, err := data.FromRows(nil, priceWidth, cells[:priceRows*priceWidth], y[:priceRows])
	if err != nil {
		return nil, err
	}
	all, err := data.FromRows(nil, priceWidth, cells, y)
	columns := make([]int, priceWidth)
	for j := range columns {
		columns[j] = j
	}
	x := columnsOf(cells, priceWidth, columns)
	return func(ctx context.Context, method string) (values, error) {
		o := fsa.Options{Bins: fsa.None, Seed: seed, Run: fsa.Run{Threads: 1}, Validation: fsa.Validation{Reference: "ridge"}}
		if !classes {
			o.Loss = "squared"
		}
		if method == givenThree {
			o.K = 3
		}
		m, err := fsa.Fit(ctx, known, o)
		if err != nil {
			return nil, err
		}
		p, err := m.PredictDataset(ctx, all)
		if err != nil {
			return nil, err
		}
		reference := chosenRidge(x, y, classes)
		difference := 0.0
		for i := priceRows; i < len(y); i++ {
			z := reference.intercept
			for j, b := range reference.beta {
				z += b * x[j][i]
			}
			difference += (rowLoss(y[i], p.Decision[i], classes) - rowLoss(y[i], z, classes)) / priceFresh
		}
		r := m.Validation().Reference
		return values{heldPrice: percentIf(r.Low <= difference && difference <= r.High), priceMean: difference, priceMiddle: r.Difference}, nil
	}, err
}

// chosenRidge fits all columns to the first rows of a table, with the ridge of the lowest loss on five folds of them.
func chosenRidge(x [][]float64, y []float64, classes bool) likelihood {
	const folds = 5
	part := func(keep func(i int) bool) (to [][]float64, target []float64) {
		to = make([][]float64, len(x))
		for i := range priceRows {
			if keep(i) {
				target = append(target, y[i])
				for j := range x {
					to[j] = append(to[j], x[j][i])
				}
			}
		}
		return to, target
	}
	best, least := 0.0, math.Inf(1)
	for power := -6; power <= 4; power++ {
		ridge, sum := math.Pow(10, float64(power)/2), 0.0
		for f := range folds {
			train, target := part(func(i int) bool { return i%folds != f })
			fit := fitOf(train, target, classes, ridge)
			for i := f; i < priceRows; i += folds {
				z := fit.intercept
				for j, b := range fit.beta {
					z += b * x[j][i]
				}
				sum += rowLoss(y[i], z, classes)
			}
		}
		if sum < least {
			best, least = ridge, sum
		}
	}
	train, target := part(func(int) bool { return true })
	return fitOf(train, target, classes, best)
}

// rowLoss is half the square of the error, or the log loss of a class.
func rowLoss(y, z float64, classes bool) float64 {
	if classes {
		return math.Log1p(math.Exp((1 - 2*y) * z))
	}
	return (y - z) * (y - z) / 2
}
