package fit

import (
	"context"

	"fsa/internal/search"
)

// marginsOf returns the margins of the held-out rows by the fits of the folds; nil if a fit diverged.
func marginsOf(ctx context.Context, fits []*search.Fit) func(fold int, test []int) ([]float64, error) {
	return func(fold int, test []int) ([]float64, error) {
		if fits[fold] == nil {
			return nil, nil
		}
		return fits[fold].MarginsOf(ctx, test)
	}
}

// outOfFold returns the out-of-fold decision values, row after row, and which rows have one. With
// several repeats they are means. margins returns those of a fold, output after output, or nil if it has none.
func (j *Job) outOfFold(margins func(fold int, test []int) ([]float64, error)) (z []float64, has []bool, err error) {
	rows, outputs := j.Data.Rows(), j.Response.Loss.Outputs()
	z, has = make([]float64, rows*outputs), make([]bool, rows)
	times := make([]float64, rows)
	for i := range j.cut.Len() {
		test := j.cut.Split(i).Test
		of, err := margins(i, test)
		if err != nil {
			return nil, nil, err
		}
		if of == nil {
			continue
		}
		for i, row := range test {
			has[row] = true
			times[row]++
			for c := range outputs {
				z[row*outputs+c] += of[c*len(test)+i]
			}
		}
	}
	for row, n := range times {
		if n > 1 {
			for c := range outputs {
				z[row*outputs+c] /= n
			}
		}
	}
	return z, has, nil
}
