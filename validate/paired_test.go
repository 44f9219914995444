package validate_test

import (
	"math"
	"testing"

	"fsa/validate"
)

// The interval of independent rows is that of scipy.stats.ttest_1samp(d, 0).confidence_interval().
func TestPairedRows(t *testing.T) {
	got := validate.Paired([]float64{0.3, -0.1, 0.4, 0.1, 0.8}, nil, nil)
	if math.Abs(got.Mean-0.3) > 1e-12 || math.Abs(got.Low+0.1210687) > 1e-7 || math.Abs(got.High-0.7210687) > 1e-7 || got.Units != 5 {
		t.Errorf("%+v", got)
	}
}

// Copies of rows in one unit carry no more information than one row of it, and a row without a weight carries none.
func TestPairedUnits(t *testing.T) {
	plain := validate.Paired([]float64{0.3, -0.1, 0.4}, nil, nil)
	copied := validate.Paired([]float64{0.3, -0.1, 0.3, 0.4, -0.1, 0.4}, nil, []int{7, 2, 7, 1, 2, 1})
	weighted := validate.Paired([]float64{0.3, 9, -0.1, 0.4}, []float64{2, 0, 2, 2}, nil)
	for _, got := range []validate.Interval{copied, weighted} {
		if got.Units != 3 || math.Abs(got.Mean-plain.Mean) > 1e-12 || math.Abs(got.Low-plain.Low) > 1e-12 || math.Abs(got.High-plain.High) > 1e-12 {
			t.Errorf("%+v instead of %+v", got, plain)
		}
	}
	if one := validate.Paired([]float64{1, 2}, nil, []int{4, 4}); !math.IsInf(one.High, 1) || one.Mean != 1.5 {
		t.Errorf("one unit: %+v", one)
	}
}

func TestWithin(t *testing.T) {
	rows := []float64{0, 1, 2, 3, 0, 1, 2, 3}
	folds, err := validate.Scheme{Fold: rows}.Split(len(rows))
	if err != nil {
		t.Fatal(err)
	}
	for i := range folds.Len() {
		out := map[int]bool{}
		for _, row := range folds.Split(i).Test {
			out[row] = true
		}
		list := folds.Within(i, 2)
		if len(list) != 2 {
			t.Fatalf("%d splits within fold %d", len(list), i)
		}
		for _, s := range list {
			if len(s.Train) != 4 || len(s.Test) != 2 {
				t.Errorf("fold %d: %v", i, s)
			}
			for _, row := range append(s.Train, s.Test...) {
				if out[row] {
					t.Errorf("fold %d uses its own test row %d", i, row)
				}
			}
		}
	}
	ordered, err := validate.Scheme{Folds: 3, Time: []float64{0, 1, 2, 3, 4, 5, 6, 7}}.Split(8)
	if err != nil {
		t.Fatal(err)
	}
	if list := ordered.Within(0, 3); list != nil {
		t.Errorf("the first part was divided: %v", list)
	}
	for _, s := range ordered.Within(2, 3) {
		if last, first := s.Train[len(s.Train)-1], s.Test[0]; last >= first || s.Test[len(s.Test)-1] > 5 {
			t.Errorf("not in the order of time: %v", s)
		}
	}
}
