package npy

import (
	"context"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"testing"

	"fsa/data"
)

// BenchmarkRead reads a mapped file in the system's cache.
func BenchmarkRead(b *testing.B) {
	for _, cols := range []int{8, 1000, 30000} {
		for _, cell := range []Type{Uint8, Float16, Float32, Float64} {
			for _, fortran := range []bool{false, true} {
				b.Run(fmt.Sprintf("%v/cols=%d/fortran=%v", cell, cols, fortran), func(b *testing.B) {
					rows := 6000000 / cols
					pad := 64 - len(encode(nil, rows, cols, cell, false, fortran, 0))%64
					path := filepath.Join(b.TempDir(), "a.npy")
					if err := os.WriteFile(path, encode(make([]float64, rows*cols), rows, cols, cell, false, fortran, pad), 0o600); err != nil {
						b.Fatal(err)
					}
					for b.Loop() {
						r, err := Open(path)
						if err != nil {
							b.Fatal(err)
						}
						drain(b, r)
					}
					b.ReportMetric(float64(rows*cols*b.N)/b.Elapsed().Seconds()/1e6, "Mvalues/s")
				})
			}
		}
	}
}

func drain(b *testing.B, r *Reader) {
	for {
		_, err := r.Next(context.Background())
		if err == io.EOF {
			break
		}
		if err != nil {
			b.Fatal(err)
		}
	}
	if err := r.Close(); err != nil {
		b.Fatal(err)
	}
}

// BenchmarkWrite writes to nowhere: it measures the conversion.
func BenchmarkWrite(b *testing.B) {
	const rows, cols = 131, 1000
	block := &data.Block{Rows: rows, Dense: make([]float64, rows*cols)}
	for _, cell := range []Type{Float32, Float64} {
		b.Run(cell.String(), func(b *testing.B) {
			w, err := NewWriter(io.Discard, math.MaxInt32, cols)
			if err != nil {
				b.Fatal(err)
			}
			w.Type = cell
			for b.Loop() {
				if err := w.Write(block); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(rows*cols*float64(b.N)/b.Elapsed().Seconds()/1e6, "Mvalues/s")
		})
	}
}
