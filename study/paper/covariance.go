package paper

import (
	"fmt"
	"math"
	"math/rand/v2"
)

// covariance is a way in which standardised columns are correlated.
type covariance struct {
	name    string
	between func(i, j int) float64 // correlation of two columns
	least   float64                // a bound below the eigenvalues
	draw    func(row []float64, normal func() float64)
}

var independent = covariance{"independent", func(i, j int) float64 {
	if i == j {
		return 1
	}
	return 0
}, 1, func(row []float64, normal func() float64) {
	for j := range row {
		row[j] = normal()
	}
}}

// neighbours have the given correlation, and others less the farther they are apart.
func neighbours(rho float64) covariance {
	return covariance{fmt.Sprintf("neighbours %v", rho), func(i, j int) float64 { return math.Pow(rho, math.Abs(float64(i-j))) }, (1 - rho) / (1 + rho),
		func(row []float64, normal func() float64) {
			row[0] = normal()
			for j := 1; j < len(row); j++ {
				row[j] = rho*row[j-1] + math.Sqrt(1-rho*rho)*normal()
			}
		}}
}

// equal means that all columns have the same correlation.
func equal(rho float64) covariance {
	return covariance{fmt.Sprintf("all %v", rho), func(i, j int) float64 { return rho + (1-rho)*independent.between(i, j) }, 1 - rho,
		func(row []float64, normal func() float64) {
			shared := math.Sqrt(rho) * normal()
			for j := range row {
				row[j] = shared + math.Sqrt(1-rho)*normal()
			}
		}}
}

// factors has five common factors, which explain the given share of the variance of each column. Loadings are random.
func factors(share float64) covariance {
	const count, columns = 5, fdrColumns
	rng := rand.New(rand.NewPCG(5, 1))
	loadings := make([][count]float64, columns)
	for j := range loadings {
		l, square := &loadings[j], 0.0
		for f := range l {
			l[f] = rng.NormFloat64()
			square += l[f] * l[f]
		}
		for f := range l {
			l[f] *= math.Sqrt(share / square)
		}
	}
	return covariance{fmt.Sprintf("five factors %v", share), func(i, j int) float64 {
		sum := (1 - share) * independent.between(i, j)
		for f := range count {
			sum += loadings[i][f] * loadings[j][f]
		}
		return sum
	}, 1 - share, func(row []float64, normal func() float64) {
		var common [count]float64
		for f := range common {
			common[f] = normal()
		}
		for j := range row {
			row[j] = math.Sqrt(1-share) * normal()
			for f, l := range loadings[j] {
				row[j] += l * common[f]
			}
		}
	}}
}

// copies means that every second column is a copy of the one before it, with the given correlation.
func copies(rho float64) covariance {
	return covariance{fmt.Sprintf("copies %v", rho), func(i, j int) float64 {
		if i != j && i/2 == j/2 {
			return rho
		}
		return independent.between(i, j)
	}, 1 - rho, func(row []float64, normal func() float64) {
		for j := range row {
			if row[j] = normal(); j%2 == 1 {
				row[j] = rho*row[j-1] + math.Sqrt(1-rho*rho)*row[j]
			}
		}
	}}
}

// variance returns that of a sum of the columns times coefficients.
func (c covariance) variance(beta []float64) (sum float64) {
	for i, a := range beta {
		for j, b := range beta {
			if a != 0 && b != 0 {
				sum += a * b * c.between(i, j)
			}
		}
	}
	return sum
}
