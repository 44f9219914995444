package stable

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"fsa/data"
	"fsa/data/open"
	"fsa/model"
)

// TestTies names what folds have selected in place of variables of the model: a correlated copy, a
// category, whose correlation is undefined, a column of other information, and nothing if all folds agree.
func TestTies(t *testing.T) {
	d := table(t)
	rival := func(name string, share, correlation float64) model.StableRival {
		return model.StableRival{Name: name, Share: share, Correlation: correlation}
	}
	for _, c := range []struct {
		name   string
		folds  [][]int
		chosen []int
		want   []model.Tie
	}{
		{"all agree", [][]int{{0, 3}, {0, 3}, {0, 3}}, []int{0, 3}, nil},
		{"half of the folds", [][]int{{0, 3}, {1, 3}}, []int{0, 3}, nil},
		{"a copy", [][]int{{1, 3}, {1, 3}, {0, 3}}, []int{0, 3}, []model.Tie{{Name: "a", Share: 1. / 3, Rivals: []model.StableRival{rival("b", 1, 0.9)}}}},
		{"a category", [][]int{{2, 3}, {2, 3}}, []int{0, 3}, []model.Tie{{Name: "a", Rivals: []model.StableRival{rival("c", 1, 0)}}}},
		{"equally often", [][]int{{3}, {1}}, []int{0}, []model.Tie{{Name: "a", Rivals: []model.StableRival{rival("b", 0.5, 0.9)}}}},
		{"smaller folds", [][]int{{3}, {3}}, []int{0, 3}, []model.Tie{{Name: "a", Others: []string{}}}},
		{"other information", [][]int{{3}, {3}, {0}}, []int{0}, []model.Tie{{Name: "a", Share: 1. / 3, Others: []string{"e"}}}},
		{"in the model, too", [][]int{{1}, {1}, {0}}, []int{0, 1}, []model.Tie{{Name: "a", Share: 1. / 3, Others: []string{"b"}}}},
		{"no folds", nil, []int{0}, nil},
	} {
		got, err := Ties(t.Context(), d, c.folds, c.chosen)
		same := slices.EqualFunc(got, c.want, func(a, b model.Tie) bool {
			return a.Name == b.Name && a.Share == b.Share && slices.Equal(a.Others, b.Others) && (a.Others == nil) == (b.Others == nil) && slices.EqualFunc(a.Rivals, b.Rivals, func(a, b model.StableRival) bool {
				// The correlations of the table are about as listed.
				return a.Name == b.Name && a.Share == b.Share && math.Abs(math.Abs(a.Correlation)-b.Correlation) < 0.12 && (a.Correlation == 0) == (b.Correlation == 0)
			})
		})
		if err != nil || !same {
			t.Errorf("%s: %+v, want %+v (error %v)", c.name, got, c.want, err)
		}
	}
}

// table has b = a + noise, a category c, and e apart.
func table(t *testing.T) *data.Dataset {
	t.Helper()
	rng := rand.New(rand.NewPCG(7, 7))
	var text strings.Builder
	text.WriteString("a,b,c,e,y\n")
	for i := range 200 {
		a := rng.NormFloat64()
		fmt.Fprintf(&text, "%g,%g,%s,%g,%d\n", a, a+0.4*rng.NormFloat64(), []string{"x", "y", "z"}[i%3], rng.NormFloat64(), i%2)
	}
	path := filepath.Join(t.TempDir(), "t.csv")
	if err := os.WriteFile(path, []byte(text.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	d, err := open.Table(t.Context(), path, open.Options{}, open.Roles{Target: "y"})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func TestCorrelation(t *testing.T) {
	nan := math.NaN()
	for _, c := range []struct {
		x, y []float64
		want float64
	}{
		{[]float64{1, 2, 3}, []float64{2, 4, 6}, 1},
		{[]float64{1, 2, 3}, []float64{3, 2, 1}, -1},
		{[]float64{1, nan, 2, 3}, []float64{1, 9, 2, 3}, 1},
		{[]float64{1, 1, 1}, []float64{1, 2, 3}, 0},
		{nil, nil, 0},
	} {
		if got := Correlation(c.x, c.y); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("of %v and %v: %v, want %v", c.x, c.y, got, c.want)
		}
	}
}
