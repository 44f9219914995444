package anneal_test

import (
	"reflect"
	"testing"

	"fsa/anneal"
)

func TestLayout(t *testing.T) {
	if got, want := anneal.Uniform(3, 2, 1), (anneal.Layout{Offsets: []int{0, 2, 4, 6}, Free: 1}); !reflect.DeepEqual(got, want) {
		t.Errorf("Uniform gives %+v, want %+v", got, want)
	}
	l := anneal.Layout{Offsets: []int{0, 1, 4, 6, 7}, Free: 2}
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
		if got := l.Keep(c.groups); !reflect.DeepEqual(got, anneal.Layout{Offsets: c.want, Free: 2}) {
			t.Errorf("Keep(%v) gives %+v, want offsets %v", c.groups, got, c.want)
		}
	}
}

func TestResult(t *testing.T) {
	r := anneal.Result{
		Layout: anneal.Layout{Offsets: []int{0, 1, 3}, Free: 1},
		Beta:   []float64{1, 2, 3, 4},
	}
	if got := [][]float64{r.Group(0), r.Group(1), r.Free()}; !reflect.DeepEqual(got, [][]float64{{1}, {2, 3}, {4}}) {
		t.Errorf("groups and free coefficients are %v", got)
	}
}
