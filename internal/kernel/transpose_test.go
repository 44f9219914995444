package kernel

import "testing"

func TestFromColumns(t *testing.T) {
	for columns := range 20 {
		for n := range 5 {
			width, height := columns+2, n+3
			from, to := make([]int, columns*height), make([]int, n*width)
			for i := range from {
				from[i] = i + 1
			}
			FromColumns(to, width, from, height, columns, n)
			for i := range to {
				row, j := i/width, i%width
				want := 0 // nothing behind the row is touched
				if j < columns {
					want = from[j*height+row]
				}
				if to[i] != want {
					t.Fatalf("%d columns of %d: cell %d of row %d is %d, want %d", columns, n, j, row, to[i], want)
				}
			}
		}
	}
}
