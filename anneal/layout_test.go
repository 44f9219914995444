package anneal_test

import (
	"reflect"
	"testing"

	"fsa/anneal"
)

func TestLayout(t *testing.T) {
	if got, want := anneal.Uniform(3, 2, 1), anneal.Grouped([]int{0, 2, 4, 6}, 1); !got.Equal(want) || got.Len() != want.Len() {
		t.Errorf("Uniform gives %+v, want %+v", got, want)
	}
	l := anneal.Grouped([]int{0, 1, 4, 6, 7}, 2)
	if l.Groups() != 4 || l.Len() != 9 {
		t.Errorf("%d groups and %d coefficients, want 4 and 9", l.Groups(), l.Len())
	}
	for _, c := range []struct {
		groups []int
		want   []int
	}{
		{[]int{0, 1, 2, 3}, []int{0, 1, 4, 6, 7}},
		{[]int{1, 3}, []int{0, 3, 4}},
		{[]int{2}, []int{0, 2}},
		{nil, []int{0}},
	} {
		if got := l.Keep(c.groups); !got.Equal(anneal.Grouped(c.want, 2)) || got.Len() != c.want[len(c.want)-1]+2 {
			t.Errorf("Keep(%v) gives %+v, want offsets %v", c.groups, got, c.want)
		}
	}
}

// Layouts differ if a group or the number of free coefficients differs.
func TestLayoutEqual(t *testing.T) {
	l := anneal.Uniform(3, 2, 1)
	for _, other := range []anneal.Layout{anneal.Uniform(4, 2, 1), anneal.Uniform(3, 1, 1), anneal.Uniform(3, 2, 0), anneal.Grouped([]int{0, 2, 3, 6}, 1)} {
		if l.Equal(other) || other.Equal(l) {
			t.Errorf("%+v and %+v are equal", l, other)
		}
	}
	if got := l.Keep([]int{0, 2}); !got.Equal(anneal.Uniform(2, 2, 1)) {
		t.Errorf("two of three groups are %+v", got)
	}
}

func TestResult(t *testing.T) {
	r := anneal.Result{
		Layout: anneal.Grouped([]int{0, 1, 3}, 1),
		Beta:   []float64{1, 2, 3, 4},
	}
	if got := [][]float64{r.Group(0), r.Group(1), r.Free()}; !reflect.DeepEqual(got, [][]float64{{1}, {2, 3}, {4}}) {
		t.Errorf("groups and free coefficients are %v", got)
	}
}
