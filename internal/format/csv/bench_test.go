package csv

import (
	"bytes"
	"errors"
	"io"
	"math/rand/v2"
	"strconv"
	"testing"
)

// BenchmarkRead reads common kinds of tables. With -cpu 1 it measures one core.
func BenchmarkRead(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 1))
	digits := func(format byte, n int) func(i, j int) string {
		return func(i, j int) string { return strconv.FormatFloat(rng.NormFloat64(), format, n, 64) }
	}
	for _, table := range []struct {
		name string
		cols int
		cell func(i, j int) string
	}{
		{"six places", 20, digits('f', 6)},
		{"six places wide", 5000, digits('f', 6)},
		{"fifteen digits", 20, digits('g', 15)},
		{"all digits", 20, digits('g', -1)},
		{"short integers", 20, func(i, j int) string { return strconv.Itoa(rng.IntN(1000) - 300) }},
		{"letters", 20, func(i, j int) string { return string(rune('a' + rng.IntN(9))) }},
		{"mixed", 20, func(i, j int) string {
			switch {
			case j%5 == 0:
				return "category" + strconv.Itoa(rng.IntN(9))
			case rng.IntN(10) == 0:
				return ""
			}
			return strconv.FormatFloat(rng.NormFloat64(), 'f', 3, 64)
		}},
	} {
		b.Run(table.name, func(b *testing.B) {
			var text bytes.Buffer
			for i := 0; text.Len() < 32<<20; i++ {
				for j := range table.cols {
					if j > 0 {
						text.WriteByte(',')
					}
					text.WriteString(table.cell(i, j))
				}
				text.WriteByte('\n')
			}
			b.SetBytes(int64(text.Len()))
			b.ReportAllocs()
			for b.Loop() {
				r, err := NewReader(bytes.NewReader(text.Bytes()), "t.csv", Options{})
				for err == nil {
					_, err = r.Next(b.Context())
				}
				if !errors.Is(err, io.EOF) {
					b.Fatal(err)
				}
				r.Close()
			}
		})
	}
}
