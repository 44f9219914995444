package parquet

import (
	"context"
	"io"
	"math/rand/v2"
	"testing"

	"fsa/data"
)

// BenchmarkRead reads numbers with and without nulls, and texts.
func BenchmarkRead(b *testing.B) {
	const rows, cols = 200_000, 20
	rng := rand.New(rand.NewPCG(1, 1))
	for name, cell := range map[string]func() float64{
		"numbers": rng.NormFloat64,
		"nulls": func() float64 {
			if rng.IntN(10) == 0 {
				return nan
			}
			return rng.NormFloat64()
		},
		"texts": func() float64 { return float64(rng.IntN(5)) },
	} {
		b.Run(name, func(b *testing.B) {
			s := &data.Schema{Width: cols, Categories: map[int][]string{}}
			if name == "texts" {
				for j := range cols {
					s.Categories[j] = []string{"a", "b", "c", "d", "e"}
				}
			}
			block := &data.Block{Rows: rows, Dense: make([]float64, rows*cols)}
			for i := range block.Dense {
				block.Dense[i] = cell()
			}
			file := write(b, s, block)
			for b.Loop() {
				r, err := open(file)
				if err != nil {
					b.Fatal(err)
				}
				for err == nil {
					_, err = r.Next(context.Background())
				}
				if err != io.EOF {
					b.Fatal(err)
				}
			}
			b.ReportMetric(rows*cols*float64(b.N)/b.Elapsed().Seconds()/1e6, "Mvalues/s")
		})
	}
}

// BenchmarkWrite writes numbers to nowhere.
func BenchmarkWrite(b *testing.B) {
	const rows, cols = 1000, 100
	block := &data.Block{Rows: rows, Dense: make([]float64, rows*cols)}
	rng := rand.New(rand.NewPCG(1, 1))
	for i := range block.Dense {
		block.Dense[i] = rng.NormFloat64()
	}
	w, err := NewWriter(io.Discard, &data.Schema{Width: cols}, 0)
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if err := w.Write(block); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(rows*cols*float64(b.N)/b.Elapsed().Seconds()/1e6, "Mvalues/s")
}
