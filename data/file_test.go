package data_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"testing"

	"fsa/data"
	"fsa/data/matrixtest"
)

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

func TestFile(t *testing.T) {
	rng := newRand()
	for _, size := range [][2]int{{1, 1}, {7, 3}, {300, 20}} {
		rows := normal(rng, size[0], size[1], 0)
		for _, row := range rows {
			for j := range row {
				row[j] = float64(float32(row[j]))
			}
		}
		// All in memory as soon as possible, or never.
		for _, memory := range []int64{1 << 30, int64(4 * size[0] * size[1])} {
			m := data.NewFile(bytes.NewReader(fileOf(rows, 128)), 128, size[0], size[1], memory)
			matrixtest.Run(t, fmt.Sprintf("%d×%d in %d bytes", size[0], size[1], memory), m, rows)
		}
	}
}

// What does not fit stays in the file, and gives the same products.
func TestFileStays(t *testing.T) {
	rows := normal(newRand(), 50, 9, 0)
	m := data.NewFile(bytes.NewReader(fileOf(rows, 0)), 0, 50, 9, 4*50*2)
	few, err := m.Select(background, nil, []int{1, 4, 6, 8})
	if err != nil {
		t.Fatal(err)
	}
	if _, ok := few.(*data.File); !ok {
		t.Fatalf("four columns moved into memory for two: %T", few)
	}
	fewer, err := few.Select(background, nil, []int{1, 3})
	if err != nil {
		t.Fatal(err)
	}
	if _, ok := fewer.(*data.Dense); !ok {
		t.Fatalf("two columns did not move into memory: %T", fewer)
	}
	beta := []float64{2, -3}
	for _, c := range []struct {
		m    data.Matrix
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
func TestFileCut(t *testing.T) {
	const rows, cols = 3, 3 << 20 // a row is more than is read at once
	file := make([]byte, 4*rows*cols-100)
	m := data.NewFile(bytes.NewReader(file), 0, rows, cols, 0)
	if _, err := m.Slice(background, 0, 2); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if _, err := m.Slice(background, 1, 3); !errors.Is(err, io.EOF) {
			t.Errorf("cut file: %v", err)
		}
	}
}

func TestFromFile(t *testing.T) {
	rows := normal(newRand(), 60, 5, 0)
	rows[7][2] = math.NaN()
	y := make([]float64, 60)
	for i := range y {
		y[i] = rows[i][0]
	}
	file := fileOf(rows, 0)
	want := dense(t, rows, nil)
	roles := data.Roles{TargetVector: &data.Vector{Values: y}}
	d, err := data.FromFile(background, "file", data.NewFile(bytes.NewReader(file), 0, 60, 5, 0), roles)
	if err != nil {
		t.Fatal(err)
	}
	for j, c := range d.Columns {
		w := want.Columns[j]
		if !near(c.Mean, w.Mean, 1e-6) || !near(c.SD, w.SD, 1e-6) || c.Missing != w.Missing {
			t.Errorf("column %d: %+v, want %+v", j, c, w)
		}
	}
	if _, err := d.Design(background, data.DesignOptions{Bins: 3}); err == nil {
		t.Error("bins of a table that does not fit")
	}
	rows[3][1] = math.Inf(1)
	infinite := data.NewFile(bytes.NewReader(fileOf(rows, 0)), 0, 60, 5, 0)
	if _, err := data.FromFile(background, "file", infinite, roles); !errors.Is(err, data.ErrBadData) {
		t.Errorf("infinity: %v", err)
	}
	weight := slices.Repeat([]float64{1}, 60)
	weight[3] = 0 // the row does not count, but it is multiplied
	roles.WeightVector = &data.Vector{Values: weight}
	if _, err := data.FromFile(background, "file", infinite, roles); !errors.Is(err, data.ErrBadData) {
		t.Errorf("infinity without weight: %v", err)
	}
	if _, err := data.FromFile(background, "file", infinite, data.Roles{Target: "x1"}); err == nil {
		t.Error("a column as the target")
	}
}

// Dropping variables in place is selecting them.
func TestShrink(t *testing.T) {
	rows := normal(newRand(), 9000, 12, 0)
	for i, row := range rows {
		for j := range row {
			if (i+j)%3 != 0 {
				row[j] = 0
			}
		}
	}
	beta := []float64{1, -2, 0.5}
	for _, m := range []data.Matrix{data.NewDenseChunks(rows, 100), sparseMatrix(t, rows)} {
		for _, vars := range [][]int{{0, 2, 3, 7, 8, 11}, {1, 3, 5}} {
			want, err := m.Select(background, nil, vars)
			if err != nil {
				t.Fatal(err)
			}
			m.(data.Shrinker).Shrink(vars)
			if n, k := m.Dims(); n != 9000 || k != len(vars) || m.Cells() != want.Cells() {
				t.Fatalf("%T: %d×%d with %d cells, want %d", m, n, k, m.Cells(), want.Cells())
			}
		}
		var got [2][]float64
		ref, err := m.Select(background, nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		for i, x := range []data.Matrix{m, ref} {
			r, err := x.Slice(background, 0, 9000)
			if err != nil {
				t.Fatal(err)
			}
			got[i] = make([]float64, 9000)
			r.Mul(got[i], beta)
		}
		if !slices.Equal(got[0], got[1]) {
			t.Errorf("%T: products differ after shrinking", m)
		}
		for i, row := range rows {
			if want := row[2] - 2*row[7] + 0.5*row[11]; math.Abs(got[0][i]-want) > 1e-5 {
				t.Fatalf("%T, row %d: %v, want %v", m, i, got[0][i], want)
			}
		}
	}
}
