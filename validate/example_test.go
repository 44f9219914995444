package validate_test

import (
	"fmt"

	"fsa/validate"
)

// Divide rows into folds, fit and test models of several sizes on each fold, and choose a size by a rule.
func Example() {
	class := []float64{0, 0, 0, 0, 0, 0, 1, 1, 1}
	folds, err := validate.Scheme{Folds: 3, Class: class, Seed: 1}.Split(len(class))
	if err != nil {
		fmt.Println(err)
		return
	}
	sizes := []int{0, 5, 20}
	errors := make([][]float64, len(sizes))
	for i := range folds.Len() {
		split := folds.Split(i)
		fmt.Printf("learn from %d rows, test on %d\n", len(split.Train), len(split.Test))
		for s, e := range []float64{0.33, 0.10, 0.09} { // the errors of some method
			errors[s] = append(errors[s], e+0.02*float64(i))
		}
	}
	curve := validate.NewCurve(sizes, errors, nil, folds.Repeats())
	for _, rule := range []string{"min", "one-se"} {
		at, err := curve.Choose(rule)
		if err != nil {
			fmt.Println(err)
			return
		}
		p := curve.Points[at]
		fmt.Printf("%s: %d variables, error %.2f ± %.2f\n", rule, p.Size, p.Mean, p.SE)
	}
	// Output:
	// learn from 6 rows, test on 3
	// learn from 6 rows, test on 3
	// learn from 6 rows, test on 3
	// min: 20 variables, error 0.11 ± 0.01
	// one-se: 5 variables, error 0.12 ± 0.01
}
