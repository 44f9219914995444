package validate

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"
)

func TestFoldErrors(t *testing.T) {
	nan := math.NaN()
	share := func(x float64) func(Scheme, int) error {
		return func(s Scheme, n int) error { _, err := s.Holdout(n, x); return err }
	}
	pairs := func(p int) func(Scheme, int) error {
		return func(s Scheme, n int) error { _, err := s.Pairs(n, p); return err }
	}
	name := func(c float64) string { return fmt.Sprintf("%q", []string{"healthy", "ill"}[int(c)]) }
	for _, c := range []struct {
		rows int
		s    Scheme
		cut  func(Scheme, int) error // nil means Split
		want string
	}{
		{5, Scheme{Folds: 1}, nil, "at least 2"},
		{5, Scheme{Folds: -3}, nil, "at least 2"},
		{5, Scheme{Folds: 1 << 20}, nil, "fewer than 65535"},
		{5, Scheme{Repeats: -1}, nil, "at least one"},
		{5, Scheme{Folds: 10}, nil, "5 rows cannot be divided into 10 parts: use at most 5"},
		{1, Scheme{}, nil, "1 row cannot be divided into 2 parts: at least 2"},
		{0, Scheme{}, nil, "nothing to split"},
		{2, Scheme{Weight: []float64{0, 0}}, nil, "nothing to split"},
		{3, Scheme{Weight: []float64{0, 1, 0}}, nil, "1 row cannot"},
		{2, Scheme{Weight: []float64{1, -1}}, nil, "row 2 has the weight -1"},
		{2, Scheme{Weight: []float64{1, nan}}, nil, "row 2 has no weight"},
		{2, Scheme{Class: []float64{1, nan}}, nil, "row 2 has no class"},
		{2, Scheme{Group: []float64{nan, 1}}, nil, "row 1 has no group"},
		{2, Scheme{Time: []float64{nan, 1}}, nil, "row 1 has no time"},
		{2, Scheme{Fold: []float64{nan, 1}}, nil, "row 1 has no fold"},
		{6, Scheme{Folds: 3, Class: []float64{0, 0, 0, 0, 1, 1}, ClassName: name}, nil, `class "ill" has 2 rows, too few for 3 parts: use at most 2`},
		{5, Scheme{Class: []float64{0, 0, 0, 0, 1}}, nil, "class 1 has 1 row, too few for 2 parts: at least 2"},
		{4, Scheme{Keys: []uint64{1, 1, 1, 1}}, nil, "1 different row cannot"},
		{4, Scheme{Group: []float64{1, 1, 1, 1}}, nil, "1 group cannot"},
		{4, Scheme{Query: []int{0, 4}}, nil, "1 query cannot"},
		{4, Scheme{Folds: 3, Query: []int{0, 2, 2, 4}}, nil, "2 queries cannot"},
		{4, Scheme{Query: []int{0, 2, 4}, Group: []float64{1, 2, 2, 2}}, nil, "rows 1 and 2 belong to one query, but to two groups"},
		{4, Scheme{Query: []int{0, 2, 4}, Fold: []float64{1, 1, 1, 2}}, nil, "rows 3 and 4 belong to one query, but to two folds"},
		{4, Scheme{Group: []float64{1, 2, 1, 2}, Fold: []float64{1, 1, 2, 2}}, nil, "rows 1 and 3 belong to one group, but to folds 1 and 2"},
		// To balance classes 1 and 2, group 3 goes to another part than group 4: the part with class 0.
		{8, Scheme{Folds: 2, Class: []float64{0, 3, 3, 1, 2, 0, 1, 2}, Group: []float64{1, 1, 2, 4, 4, 3, 3, 3},
			Weight: []float64{1, 200, 200, 60, 60, 1, 40, 40}}, nil, "all rows of class 0 would fall into one of 2 parts"},
		{2, Scheme{Fold: []float64{4, 4}}, nil, "all rows are in fold 4"},
		{3, Scheme{Fold: []float64{4, 5, 5}, Weight: []float64{0, 1, 1}}, nil, "the rows of fold 4 have no weight"},
		{3, Scheme{Fold: []float64{4, 4, 5}, Class: []float64{1, 0, 0}, ClassName: name}, nil, `all rows of class "ill" are in fold 4`},
		{2, Scheme{Fold: []float64{4, 5}, Folds: 2}, nil, "leave their number out"},
		{2, Scheme{Fold: []float64{4, 5}, Repeats: 2}, nil, "leave repeats out"},
		{2, Scheme{Fold: []float64{4, 5}, Time: []float64{1, 2}}, nil, "leave one out"},
		{4, Scheme{Folds: 4, Time: []float64{1, 2, 3, 4}}, nil, "there are 4 rows of different times, too few for 5 consecutive parts"},
		{3, Scheme{Time: []float64{1, 1, 1}}, nil, "fewer folds"},
		{4, Scheme{Time: []float64{1, 2, 3, 4}, Group: []float64{1, 2, 2, 1}}, nil, "whose group does not overlap"},
		{4, Scheme{Time: []float64{1, 2, 3, 4}, Class: []float64{0, 0, 0, 1}}, nil, "class 1 does not occur in the first part"},
		{4, Scheme{}, share(0), "above 0 and below 1"},
		{4, Scheme{}, share(1), "above 0 and below 1"},
		{4, Scheme{}, share(nan), "above 0 and below 1"},
		{9, Scheme{}, share(0.01), "no row would be held out: hold out more"},
		{9, Scheme{}, share(0.99), "no row would be left for training: hold out less"},
		{6, Scheme{Class: []float64{0, 0, 0, 0, 1, 1}}, share(0.2), "no row of class 1 would be held out"},
		{3, Scheme{Class: []float64{0, 0, 1}}, share(0.5), "class 1 has 1 row"},
		{2, Scheme{Time: []float64{1, 1}}, share(0.5), "too few for 2 consecutive parts"},
		{3, Scheme{Time: []float64{1, 2, 3}, Class: []float64{0, 0, 1}}, share(0.3), "hold out less"},
		{4, Scheme{}, pairs(0), "at least one"},
		{1, Scheme{}, pairs(5), "1 row cannot"},
		{3, Scheme{Class: []float64{0, 0, 1}}, pairs(5), "class 1 has 1 row"},
		{2, Scheme{Weight: []float64{1, -1}}, pairs(5), "row 2"},
		{2, Scheme{Weight: []float64{1, -1}}, share(0.5), "row 2"},
	} {
		cut := c.cut
		if cut == nil {
			cut = func(s Scheme, n int) error { _, err := s.Split(n); return err }
		}
		err := cut(c.s, c.rows)
		if !errors.Is(err, ErrFolds) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v, want %q", c.s, err, c.want)
		}
	}
}

func TestFoldShapesPanic(t *testing.T) {
	for name, s := range map[string]Scheme{
		"class":            {Class: []float64{1}},
		"keys":             {Keys: []uint64{1}},
		"queries":          {Query: []int{0, 2}},
		"queries in order": {Query: []int{0, 2, 1, 3}},
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if recover() == nil {
					t.Error("no panic")
				}
			}()
			s.Split(3)
		})
	}
}
