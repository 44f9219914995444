package data_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math"
	"slices"
	"testing"

	"fsa/data"
	"fsa/internal/matrix/paged"
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

func TestFromMatrix(t *testing.T) {
	rows := normal(newRand(), 60, 5, 0)
	rows[7][2] = math.NaN()
	y := make([]float64, 60)
	for i := range y {
		y[i] = rows[i][0]
	}
	file := fileOf(rows, 0)
	want := dense(t, rows, nil)
	roles := data.Roles{TargetVector: &data.Vector{Values: y}}
	d, err := data.FromMatrix(background, "file", nil, paged.NewPlain(bytes.NewReader(file), 0, 60, 5, 0), roles)
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
	infinite := paged.NewPlain(bytes.NewReader(fileOf(rows, 0)), 0, 60, 5, 0)
	if _, err := data.FromMatrix(background, "file", nil, infinite, roles); !errors.Is(err, data.ErrBadData) {
		t.Errorf("infinity: %v", err)
	}
	weight := slices.Repeat([]float64{1}, 60)
	weight[3] = 0 // the row does not count, but it is multiplied
	roles.WeightVector = &data.Vector{Values: weight}
	if _, err := data.FromMatrix(background, "file", nil, infinite, roles); !errors.Is(err, data.ErrBadData) {
		t.Errorf("infinity without weight: %v", err)
	}
	if _, err := data.FromMatrix(background, "file", nil, infinite, data.Roles{Target: "x1"}); err == nil {
		t.Error("a column as the target")
	}
}
