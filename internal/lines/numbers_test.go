package lines

import (
	"slices"
	"testing"
)

func TestNumbers(t *testing.T) {
	for _, test := range []struct{ rows, list []int }{
		{[]int{1}, nil},
		{[]int{7, 8, 9}, nil},
		{[]int{1, 3}, []int{1, 3}},
		{[]int{4, 5, 6, 9, 10, 12}, []int{4, 5, 6, 9, 10, 12}},
	} {
		var n Numbers
		for _, line := range test.rows {
			n.Add(line)
		}
		if n.First != test.rows[0] || !slices.Equal(n.List, test.list) {
			t.Errorf("%v: first %d, list %v", test.rows, n.First, n.List)
		}
	}
}
