package matrix_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"fsa/internal/matrix"
	"fsa/internal/matrix/matrixtest"
)

// codes returns rows of bytes. Some columns have few values, one has only one.
func codes(rng *rand.Rand, rows, cols int) [][]uint8 {
	x := make([][]uint8, rows)
	for i := range x {
		x[i] = make([]uint8, cols)
		for j := range x[i] {
			switch {
			case j == 1:
				x[i][j] = 77
			case j%3 == 2:
				x[i][j] = uint8(40 + rng.IntN(5))
			default:
				x[i][j] = uint8(rng.IntN(256))
			}
		}
	}
	return x
}

func numbers(rows [][]uint8) [][]float64 {
	x := make([][]float64, len(rows))
	for i, row := range rows {
		for _, c := range row {
			x[i] = append(x[i], float64(c))
		}
	}
	return x
}

// byteSizes are rows and columns: fewer and more than are taken together, and
// rows of no, of one and of several full tiles.
var byteSizes = [][2]int{{1, 1}, {3, 5}, {40, 4}, {1024, 3}, {1025, 6}, {2500, 9}}

func TestBytes(t *testing.T) {
	rng := newRand()
	for _, size := range byteSizes {
		x := codes(rng, size[0], size[1])
		b := matrix.NewBytes(size[1])
		b.Append(x)
		matrixtest.Run(t, fmt.Sprintf("%d×%d", size[0], size[1]), b, numbers(x))
	}
}

// A selection does not see what is appended later; rows move all at once.
func TestBytesGrowAndMove(t *testing.T) {
	rng := newRand()
	rows := codes(rng, 2100, 5)
	b := matrix.NewBytes(5)
	b.Append(rows[:1100])
	before, err := b.Select(background, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	b.Append(rows[1100:])
	matrixtest.Run(t, "before", before, numbers(rows[:1100]))
	order := rng.Perm(len(rows))
	if err := b.Permute(background, order); err != nil {
		t.Fatal(err)
	}
	moved := make([][]uint8, len(rows))
	for i, row := range order {
		moved[i] = rows[row]
	}
	matrixtest.Run(t, "moved", b, numbers(moved))
	for v := range 5 {
		at := 0
		for first, run := range b.Runs(v) {
			for i, c := range run {
				if first != at || moved[first+i][v] != c {
					t.Fatalf("seed %d: byte %d of variable %d is %d, want %d", seed, first+i, v, c, moved[first+i][v])
				}
			}
			at += len(run)
		}
		if at != len(rows) {
			t.Errorf("%d bytes of variable %d, want %d", at, v, len(rows))
		}
	}
}
