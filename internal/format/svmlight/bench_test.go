package svmlight

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
	for _, table := range []struct {
		name  string
		gap   int // largest step from one index to the next
		value func() string
	}{
		{"counts", 500, func() string { return strconv.Itoa(1 + rng.IntN(20)) }},
		{"ones", 20000, func() string { return "1" }},
		{"six digits", 500, func() string { return strconv.FormatFloat(rng.NormFloat64(), 'g', 6, 64) }},
		{"scientific", 500, func() string { return strconv.FormatFloat(rng.NormFloat64(), 'e', 7, 64) }},
		{"all digits", 500, func() string { return strconv.FormatFloat(rng.NormFloat64(), 'g', -1, 64) }},
		{"dense eight places", 1, func() string { return strconv.FormatFloat(10*rng.Float64(), 'f', 8, 64) }},
	} {
		b.Run(table.name, func(b *testing.B) {
			var text bytes.Buffer
			for text.Len() < 32<<20 {
				text.WriteString(strconv.Itoa(rng.IntN(2)*2 - 1))
				for p, index := 0, 0; p < 100; p++ {
					index += 1 + rng.IntN(table.gap)
					text.WriteString(" " + strconv.Itoa(index) + ":" + table.value())
				}
				text.WriteByte('\n')
			}
			b.SetBytes(int64(text.Len()))
			b.ReportAllocs()
			for b.Loop() {
				r, err := NewReader(bytes.NewReader(text.Bytes()), "t.svm", Options{})
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
