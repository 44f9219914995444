package data_test

import (
	"context"
	"errors"
	"math"
	"slices"
	"testing"

	"fsa/data"
	"fsa/internal/matrix"
)

var narrow = []data.Storage{data.StorageBFloat16, data.StorageInt8}

// unlike returns columns that differ: normal ones, far from zero, tiny, huge,
// constant, of two values, of integers, and with an outlier.
func unlike(rows, cols int) [][]float64 {
	x := normal(newRand(), rows, cols, 0)
	for i, row := range x {
		for j := range row {
			switch j % 8 {
			case 1:
				row[j] += 2020
			case 2:
				row[j] *= 1e-30
			case 3:
				row[j] *= 1e200
			case 4:
				row[j] = 3
			case 5:
				row[j] = float64(i % 2)
			case 6:
				row[j] = math.Round(5 * row[j])
			case 7:
				if i == 0 {
					row[j] = 1000
				}
			}
		}
	}
	return x
}

// Numbers move by as much as the storage says, whatever the column, and the
// scale goes on as it was.
func TestStorageRounds(t *testing.T) {
	rows := unlike(60, 40)
	for _, scale := range []data.Scale{data.ScaleColumn, data.ScaleCommon, data.ScaleNone} {
		for _, s := range narrow {
			d := dense(t, rows, nil, 7)
			_, want := designed(t, d, 0, scale)
			g, err := d.Design(background, data.DesignOptions{Scale: scale, Storage: s, Discard: true})
			if err != nil {
				t.Fatal(err)
			}
			got := cellsOf(t, g.X)
			for j := range want[0] {
				low, high, mean := want[0][j], want[0][j], 0.0
				for _, row := range want {
					low, high, mean = min(low, row[j]), max(high, row[j]), mean+row[j]/float64(len(want))
				}
				for i, row := range want {
					cell := got[i][j]*g.Scale[j] + g.Offset[j]
					slack := (high - low) / 508
					if s == data.StorageBFloat16 {
						slack = math.Abs(row[j]-mean) / 256
					}
					if !near(cell, row[j], slack*(1+1e-5)+1e-12*max(math.Abs(low), math.Abs(high))) {
						t.Errorf("%s, scale %q, column %d, row %d: %v became %v", s, scale, j, i, row[j], cell)
					}
				}
			}
		}
	}
}

// Rounding does not touch the dataset, unless it may be discarded.
func TestStorageLeavesTheDataset(t *testing.T) {
	rows := normal(newRand(), 50, 6, 0)
	for _, s := range narrow {
		d := dense(t, rows, nil, 20)
		_, before := designed(t, d, 0, data.ScaleColumn)
		g, err := d.Design(background, data.DesignOptions{Scale: data.ScaleColumn, Storage: s})
		if err != nil {
			t.Fatal(err)
		}
		if _, after := designed(t, d, 0, data.ScaleColumn); !slices.EqualFunc(before, after, slices.Equal[[]float64]) {
			t.Errorf("%s changed the dataset", s)
		}
		if m, ok := g.X.(matrix.Shrinker); !ok || m.BlockRows() <= matrix.NewDense(0, 6, nil).BlockRows() {
			t.Errorf("%s became %T with blocks of %d rows", s, g.X, g.X.BlockRows())
		}
	}
}

// Text beside the numbers stays.
func TestStorageBesideText(t *testing.T) {
	rows := [][]float64{{1, 0, 5}, {2, 1, 7}, {4, 0, 6}, {8, 0, 9}, {16, 1, 1}}
	schema := &data.Schema{Width: 3, Categories: map[int][]string{1: {"a", "b"}}}
	for _, s := range narrow {
		d := build(t, schema, data.Roles{}, cut(rows, denseBlock))
		_, want := designed(t, d, 0, data.ScaleColumn)
		g, err := d.Design(background, data.DesignOptions{Scale: data.ScaleColumn, Storage: s, Discard: true})
		if err != nil {
			t.Fatal(err)
		}
		got := cellsOf(t, g.X)
		for i, row := range want {
			for j, v := range row {
				if cell := got[i][j]*g.Scale[j] + g.Offset[j]; !near(cell, v, 0.01) || j > 1 && !near(cell, v, 1e-15) {
					t.Errorf("%s, row %d, column %d: %v became %v", s, i, j, v, cell)
				}
			}
		}
	}
}

// A number of a row without weight may lie beyond the range of its column.
func TestStorageWithoutWeight(t *testing.T) {
	rows, weight := [][]float64{{1}, {2}, {4}, {1000}, {-1000}}, []float64{1, 1, 1, 0, 0}
	d := dense(t, rows, weight)
	g, err := d.Design(background, data.DesignOptions{Scale: data.ScaleNone, Storage: data.StorageInt8})
	if err != nil {
		t.Fatal(err)
	}
	for i, row := range cellsOf(t, g.X) {
		if want := []float64{1, 2, 4, 4, 1}[i]; !near(row[0]*g.Scale[0]+g.Offset[0], want, 3.0/508) {
			t.Errorf("row %d became %v, want %v", i, row[0]*g.Scale[0]+g.Offset[0], want)
		}
	}
}

// What cannot be rounded is refused before anything is discarded.
func TestStorageRefuses(t *testing.T) {
	rows := normal(newRand(), 30, 5, 0.6)
	full, listed := dense(t, rows, nil), sparse(t, rows, nil)
	words := build(t, &data.Schema{Width: 1, Categories: map[int][]string{0: {"a", "b"}}}, data.Roles{}, cut([][]float64{{0}, {1}}, denseBlock))
	for name, c := range map[string]struct {
		d    *data.Dataset
		bins int
	}{"bins": {full, 4}, "sparse": {listed, 0}, "texts": {words, 0}} {
		for _, s := range narrow {
			if _, err := c.d.Design(background, data.DesignOptions{Bins: c.bins, Storage: s, Discard: true}); !errors.Is(err, data.ErrStorage) {
				t.Errorf("%s as %s: %v", name, s, err)
			}
		}
		if _, err := c.d.Design(background, data.DesignOptions{Bins: c.bins}); err != nil {
			t.Errorf("%s as float32: %v", name, err)
		}
	}
	if _, err := full.Design(background, data.DesignOptions{Storage: "float8"}); err == nil {
		t.Error("an unknown storage was accepted")
	}
	ctx, cancel := context.WithCancel(background)
	cancel()
	if _, err := full.Design(ctx, data.DesignOptions{Storage: data.StorageInt8, Discard: true}); !errors.Is(err, context.Canceled) {
		t.Errorf("after the end of the context: %v", err)
	}
}

// Missing numbers are rounded as the mean of their column.
func TestStorageFills(t *testing.T) {
	rows := [][]float64{{1}, {math.NaN()}, {3}, {8}}
	for _, s := range narrow {
		for _, discard := range []bool{false, true} {
			d := dense(t, rows, nil)
			g, err := d.Design(background, data.DesignOptions{Scale: data.ScaleNone, Storage: s, Discard: discard})
			if err != nil {
				t.Fatal(err)
			}
			if cell := cellsOf(t, g.X)[1][0]*g.Scale[0] + g.Offset[0]; !near(cell, 4, 7.0/256) {
				t.Errorf("%s, discard %v: a missing number became %v, want the mean 4", s, discard, cell)
			}
			if discard {
				continue
			}
			if _, again := designed(t, d, 0, data.ScaleNone); !near(again[3][0], 8, 1e-6) {
				t.Errorf("%s: the dataset was changed: %v", s, again)
			}
		}
	}
}

// The bytes are those of the float32 numbers that are rounded.
func BenchmarkStorage(b *testing.B) {
	const rows, cols = 2000, 5000
	d := dense(b, normal(newRand(), rows, cols, 0), nil)
	for _, s := range narrow {
		b.Run(string(s), func(b *testing.B) {
			b.SetBytes(4 * rows * cols)
			for b.Loop() {
				if _, err := d.Design(background, data.DesignOptions{Storage: s}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
