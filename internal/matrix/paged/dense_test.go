package paged_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"testing"

	"fsa/internal/matrix"
	"fsa/internal/matrix/matrixtest"
	"fsa/internal/matrix/paged"
)

var background = context.Background()

func newRand() *rand.Rand { return rand.New(rand.NewPCG(42, 1)) }

// normal returns rows of standard normal numbers.
func normal(rng *rand.Rand, rows, cols int) [][]float64 {
	x := make([][]float64, rows)
	for i := range x {
		for range cols {
			x[i] = append(x[i], rng.NormFloat64())
		}
	}
	return x
}

// fileOf returns rows as the bytes of a file, behind a header.
func fileOf(rows [][]float64, header int) []byte {
	file := make([]byte, header)
	for _, row := range rows {
		for _, v := range row {
			file = binary.NativeEndian.AppendUint32(file, math.Float32bits(float32(v)))
		}
	}
	return file
}

func TestDense(t *testing.T) {
	rng := newRand()
	for _, size := range [][2]int{{1, 1}, {7, 3}, {300, 20}} {
		rows := normal(rng, size[0], size[1])
		for _, row := range rows {
			for j := range row {
				row[j] = float64(float32(row[j]))
			}
		}
		// All in memory as soon as possible, or never.
		for _, memory := range []int64{1 << 30, int64(4 * size[0] * size[1])} {
			m := paged.NewPlain(bytes.NewReader(fileOf(rows, 128)), 128, size[0], size[1], memory)
			matrixtest.Run(t, fmt.Sprintf("%d×%d in %d bytes", size[0], size[1], memory), m, rows)
		}
	}
}

// What does not fit stays in the file, and gives the same products.
func TestStays(t *testing.T) {
	rows := normal(newRand(), 50, 9)
	m := paged.NewPlain(bytes.NewReader(fileOf(rows, 0)), 0, 50, 9, 4*50*2)
	few, err := m.Select(background, nil, []int{1, 4, 6, 8})
	if err != nil {
		t.Fatal(err)
	}
	if _, ok := few.(*paged.Dense); !ok {
		t.Fatalf("four columns moved into memory for two: %T", few)
	}
	fewer, err := few.Select(background, nil, []int{1, 3})
	if err != nil {
		t.Fatal(err)
	}
	if _, ok := fewer.(*matrix.Dense); !ok {
		t.Fatalf("two columns did not move into memory: %T", fewer)
	}
	beta := []float64{2, -3}
	for _, c := range []struct {
		m    matrix.Matrix
		beta []float64
	}{{few, []float64{0, 2, 0, -3}}, {fewer, beta}} {
		x, err := c.m.Slice(background, 10, 40)
		if err != nil {
			t.Fatal(err)
		}
		z := make([]float64, 30)
		x.Mul(z, c.beta)
		for i, got := range z {
			if want := 2*rows[10+i][4] - 3*rows[10+i][8]; math.Abs(got-want) > 1e-5 {
				t.Fatalf("row %d: %v, want %v", 10+i, got, want)
			}
		}
	}
	if _, err := few.Select(background, []int{3, 1}, nil); err == nil {
		t.Error("rows of what does not fit were chosen")
	}
}

// A file that is cut gives an error, also if it is read ahead.
func TestCut(t *testing.T) {
	const rows, cols = 3, 3 << 20 // a row is more than is read at once
	file := make([]byte, 4*rows*cols-100)
	m := paged.NewPlain(bytes.NewReader(file), 0, rows, cols, 0)
	if _, err := m.Slice(background, 0, 2); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if _, err := m.Slice(background, 1, 3); !errors.Is(err, io.EOF) {
			t.Errorf("cut file: %v", err)
		}
	}
}
