package panel

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"fsa/data"
)

// readAll reads a file as a fit does, and as a reader.
func readAll(file []byte) error {
	for _, memory := range []int64{0, 1 << 30} {
		tab, err := Open(bytes.NewReader(file), int64(len(file)), "x.fsa")
		if err != nil {
			return err
		}
		d, err := data.FromStore(context.Background(), "x.fsa", tab, data.Roles{}, memory)
		if err != nil {
			return err
		}
		if _, err := d.Design(context.Background(), data.DesignOptions{Bins: 3}); memory > 0 && err != nil {
			return err
		}
	}
	r, err := NewReader(bytes.NewReader(file), int64(len(file)), "x.fsa")
	if err != nil {
		return err
	}
	for _, err := range data.Blocks(context.Background(), r) {
		if err != nil {
			return err
		}
	}
	return nil
}

// Files with right checksums whose footer does not match the cells, or the cells not the footer.
func TestUntrue(t *testing.T) {
	rows := random(300, 6, 0.5)
	for _, sparse := range []bool{false, true} {
		s, b := &data.Schema{Width: 6}, denseBlock(rows)
		if sparse {
			s, b = &data.Schema{Width: 12, Sparse: true}, sparseBlock(rows)
		}
		const column = 32 + groupBytes + 3*columnBytes // number 3 in the footer
		const cells, missing, mean, sd, low, high = column + 8, column + 16, column + 24, column + 32, column + 40, column + 48
		number := func(at int, change func(v float64) float64) func([]byte) {
			return func(footer []byte) {
				v := math.Float64frombits(binary.LittleEndian.Uint64(footer[at:]))
				binary.LittleEndian.PutUint64(footer[at:], math.Float64bits(change(v)))
			}
		}
		to := func(v float64) func(float64) float64 { return func(float64) float64 { return v } }
		times := func(f float64) func(float64) float64 { return func(v float64) float64 { return v * f } }
		for what, edit := range map[string]func([]byte){
			"mean NaN": number(mean, to(math.NaN())), "SD NaN": number(sd, to(math.NaN())), "min NaN": number(low, to(math.NaN())), "max NaN": number(high, to(math.NaN())),
			"SD infinite": number(sd, to(math.Inf(1))), "SD 0": number(sd, to(0)), "SD tiny": number(sd, to(1e-300)), "SD huge": number(sd, to(1e300)), "SD −2": number(sd, to(-2)),
			"SD too large": number(sd, times(1.01)), "SD too small": number(sd, times(0.99)),
			"mean moved": number(mean, func(v float64) float64 { return v + 0.01 }),
			"min lower":  number(low, times(2)), "min higher": number(low, times(0.5)), "max lower": number(high, times(0.5)), "max higher": number(high, times(2)),
			"one missing":   func(f []byte) { binary.LittleEndian.PutUint64(f[missing:], 1) },
			"fewer cells":   func(f []byte) { f[cells]-- },
			"a column less": func(f []byte) { f[column]++ }, // or one that occurs twice
			"constant": func(f []byte) {
				number(low, to(0))(f)
				number(high, to(0))(f)
				number(mean, to(0))(f)
				number(sd, to(0))(f)
			},
			"all are missing":  func(f []byte) { copy(f[missing:missing+8], f[cells:cells+8]) },
			"an infinite span": func(f []byte) { number(low, to(-1.7e308))(f); number(high, to(1.7e308))(f) },
		} {
			file := edited(t, s, b, edit)
			err := readAll(file)
			if e := (*data.Error)(nil); !errors.As(err, &e) || e.File != "x.fsa" {
				t.Errorf("sparse %v: %s: %v", sparse, what, err)
			}
		}
		whole := write(t, s, Options{}, b)
		if err := readAll(whole); err != nil {
			t.Errorf("sparse %v: %v", sparse, err)
		}
		// The last value of the only group, before labels and checksums.
		tab, err := Open(bytes.NewReader(whole), int64(len(whole)), "x.fsa")
		if err != nil {
			t.Fatal(err)
		}
		at := tab.foot.groups[0].offset + tab.foot.groupSize(0) - 4*int64(tab.foot.checks()) - 8*300 - 4
		for _, v := range []float32{float32(math.NaN()), float32(math.Inf(1)), float32(math.Inf(-1)), 1e30, -1e30} {
			file := bytes.Clone(whole)
			binary.LittleEndian.PutUint32(file[at:], math.Float32bits(v))
			mend(file)
			err := readAll(file)
			if e := (*data.Error)(nil); !errors.As(err, &e) || e.File != "x.fsa" || e.Column == "" {
				t.Errorf("sparse %v: cell %v: %v", sparse, v, err)
			}
		}
	}
}

// A file of the program itself is never refused, whatever the numbers are and in whichever order
// panels are read.
func TestTrue(t *testing.T) {
	const seed, n = 3, 700
	rng := rand.New(rand.NewPCG(seed, 0))
	kinds := []func(i int) float64{
		func(int) float64 { return rng.NormFloat64() },
		func(int) float64 { return 7 },
		func(i int) float64 { return 1e30 * float64(1-min(i, 1)) }, // an outlier first
		func(i int) float64 { return 1e30*float64(i/(n-1)) + rng.Float64() },
		func(int) float64 { return 2020 + rng.Float64() },
		func(int) float64 { return 1.7e9 + float64(rng.IntN(1000)) },
		func(int) float64 { return math.Ldexp(rng.NormFloat64(), rng.IntN(2000)-1000) },
		func(int) float64 { return 1e300 * rng.NormFloat64() },
		func(int) float64 { return 1e-300 * rng.NormFloat64() },
		func(int) float64 { return float64(rng.IntN(2)) },
		func(i int) float64 { return float64(i / (n - 1)) },
		func(int) float64 { return math.NaN() },
		func(i int) float64 { return []float64{math.NaN(), rng.ExpFloat64()}[rng.IntN(2)] },
		func(int) float64 { return (rng.Float64()*2 - 1) * math.MaxFloat64 },
		func(int) float64 { return 5e-324 * float64(rng.IntN(3)) },
		func(int) float64 { return 0 },
		func(int) float64 { return 1e15 + rng.Float64() },
	}
	rows := make([][]float64, n)
	for i := range rows {
		for _, kind := range kinds {
			rows[i] = append(rows[i], kind(i))
		}
	}
	for _, sparse := range []bool{false, true} {
		for _, memory := range []int64{0, 5000} {
			s, b := &data.Schema{Width: len(kinds)}, denseBlock(rows)
			if sparse {
				s, b = &data.Schema{Width: 100, Sparse: true}, sparseBlock(rows)
			}
			what := fmt.Sprintf("seed %d, sparse %v, memory %d", seed, sparse, memory)
			file := write(t, s, Options{Memory: memory}, b)
			tab, err := Open(bytes.NewReader(file), int64(len(file)), "x.fsa")
			if err != nil {
				t.Fatalf("%s: %v", what, err)
			}
			for range 3 {
				for _, g := range rng.Perm(len(tab.foot.groups)) {
					if sparse {
						_, err = tab.readGroup(g)
					} else {
						_, err = tab.readRuns(g, all(len(kinds)), func(int, []run) {})
					}
					if err != nil {
						t.Errorf("%s, group %d: %v", what, g, err)
					}
				}
			}
			for g := range tab.foot.groups {
				if !sparse {
					if _, err = tab.readRuns(g, all(len(kinds)), func(int, []run) {}); err != nil {
						t.Errorf("%s, group %d: %v", what, g, err)
					}
				}
			}
			for j := range tab.seen {
				if !sparse && tab.seen[j].groups != len(tab.foot.groups) {
					t.Errorf("%s: %d groups of column %d were verified", what, tab.seen[j].groups, j)
				}
			}
		}
	}
}
