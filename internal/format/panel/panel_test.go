package panel

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"fsa/data"
	"fsa/internal/readertest"
)

// write returns the file of blocks.
func write(t testing.TB, s *data.Schema, o Options, blocks ...*data.Block) []byte {
	t.Helper()
	var file bytes.Buffer
	w, err := NewWriter(&file, s, 0, o)
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range blocks {
		if err := w.Write(b); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return file.Bytes()
}

func read(t testing.TB, file []byte) *data.Block {
	t.Helper()
	r, err := NewReader(bytes.NewReader(file), int64(len(file)), "x.fsa")
	if err != nil {
		t.Fatal(err)
	}
	b, err := readertest.Collect(t, r)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestContract(t *testing.T) {
	for _, memory := range []int64{0, 1000} { // one panel, or many
		for _, sparse := range []bool{false, true} {
			for _, labels := range []bool{false, true} {
				readertest.Run(t, readertest.Format{
					Write: func(w io.Writer, s *data.Schema, rows int) (data.Writer, error) {
						return NewWriter(w, s, rows, Options{Memory: memory})
					},
					Read: func(file []byte) (data.Reader, error) {
						return NewReader(bytes.NewReader(file), int64(len(file)), "x.fsa")
					},
					Sparse: sparse, Labels: labels, Exact: 0x1p-24, Whole: true,
				})
			}
		}
	}
}

// Of a panel that is larger than its memory, parts are held one after the other.
func TestPartsOfAPanel(t *testing.T) {
	const rows, cols = 1000, 5
	rng := rand.New(rand.NewPCG(4, 4))
	b := &data.Block{Rows: rows}
	for i := range rows {
		for range cols - 1 {
			b.Dense = append(b.Dense, float64(rng.IntN(100)))
		}
		b.Dense = append(b.Dense, float64(i)+math.Pi) // which takes eight bytes
		b.Label = append(b.Label, float64(i))
	}
	for _, memory := range []int64{0, 12000} { // one panel, or two
		file := write(t, &data.Schema{Width: cols}, Options{Memory: memory, Exact: []int{cols - 1}}, b)
		for _, hold := range []int64{1, 24 * 17, 24 * 999, 1 << 20} {
			r, err := NewReader(bytes.NewReader(file), int64(len(file)), "x.fsa")
			if err != nil {
				t.Fatal(err)
			}
			r.Memory = hold
			var cells, labels []float64
			for {
				part, err := r.Next(context.Background())
				if err == io.EOF {
					break
				}
				if err != nil {
					t.Fatal(err)
				}
				cells, labels = append(cells, part.Dense...), append(labels, part.Label...)
				if held := r.hi - r.lo; held > max(int(hold/24), tileCols) {
					t.Errorf("with %d bytes %d rows are held", hold, held)
				}
			}
			if !slices.Equal(cells, b.Dense) || !slices.Equal(labels, b.Label) {
				t.Errorf("with %d bytes other rows are read", hold)
			}
		}
	}
}

// Columns are stored as float64 if a float32 would lose significant digits, also if that becomes
// clear late, and others are not.
func TestDigits(t *testing.T) {
	const rows = 500
	rng := rand.New(rand.NewPCG(1, 2))
	columns := []struct {
		name  string
		cell  func(i int) float64
		exact bool
		wide  bool
	}{
		{"normal", func(int) float64 { return rng.NormFloat64() }, false, false},
		{"whole", func(i int) float64 { return float64(2000 + i%20) }, true, false},
		{"time", func(int) float64 { return 1.7e9 + rng.Float64() }, true, true},
		{"huge", func(int) float64 { return rng.NormFloat64() * 1e300 }, true, true},
		{"tiny", func(int) float64 { return rng.NormFloat64() * 1e-300 }, true, true},
		{"late", func(i int) float64 {
			if i == 333 {
				return 1e100
			}
			return float64(i % 5)
		}, true, true},
		{"holes", func(i int) float64 {
			if i%3 > 0 {
				return math.NaN()
			}
			return 1.7e9 + rng.Float64()
		}, true, true},
		{"chosen", func(int) float64 { return rng.NormFloat64() }, true, true},
		{"y", func(int) float64 { return rng.NormFloat64() }, true, true},
		{"empty", func(int) float64 { return math.NaN() }, true, false},
	}
	s := &data.Schema{Width: len(columns)}
	b := &data.Block{Rows: rows}
	for _, c := range columns {
		s.Names = append(s.Names, c.name)
	}
	for i := range rows {
		for _, c := range columns {
			b.Dense = append(b.Dense, c.cell(i))
		}
	}
	for _, memory := range []int64{0, 100 * 4 * int64(len(columns)) * 5 / 2} {
		file := write(t, s, Options{Memory: memory, Exact: []int{7}}, b)
		got := read(t, file)
		tab, err := Open(bytes.NewReader(file), int64(len(file)), "x.fsa")
		if err != nil {
			t.Fatal(err)
		}
		x := readRows(t, tab, all(len(columns)), 0, rows)
		for j, c := range columns {
			if wide := tab.foot.columns[j].wide != never; wide != c.wide {
				t.Errorf("%s: kept as float64: %v", c.name, wide)
			}
			p := tab.Profile(j)
			spread := p.Max - p.Min
			for i := range rows {
				v, w := got.Dense[i*len(columns)+j], b.Dense[i*len(columns)+j]
				if v != w && (w == w || v == v) && (c.exact || math.Abs(v-w) > 1e-7*math.Abs(w)) {
					t.Fatalf("%s, row %d: %v came back as %v", c.name, i, w, v)
				}
				u := p.Shift + math.Ldexp(float64(x[i*len(columns)+j]), p.Exponent)
				if !(math.Abs(u-w) <= 1e-6*spread) && w == w {
					t.Fatalf("%s, row %d: %v becomes %v for learning", c.name, i, w, u)
				}
			}
		}
	}
}

// Profiles are those of the numbers, computed in the simple way.
func TestProfile(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	const rows, cols = 300, 4
	dense := &data.Block{Rows: rows}
	sparse := &data.Block{Rows: rows, Start: []int{0}}
	for range rows {
		for j := range cols {
			v := 1e3*float64(j) + math.Round(rng.NormFloat64()*8)/8
			if rng.IntN(9) == 0 {
				v = math.NaN()
			}
			if rng.IntN(2) == 0 {
				v = 0
			}
			dense.Dense = append(dense.Dense, v)
			if v != 0 {
				sparse.Index, sparse.Value = append(sparse.Index, uint32(j)), append(sparse.Value, v)
			}
		}
		sparse.Start = append(sparse.Start, len(sparse.Index))
	}
	for _, file := range [][]byte{
		write(t, &data.Schema{Width: cols}, Options{Memory: 1000}, dense),
		write(t, &data.Schema{Width: cols, Sparse: true}, Options{}, sparse),
	} {
		tab, err := Open(bytes.NewReader(file), int64(len(file)), "x.fsa")
		if err != nil {
			t.Fatal(err)
		}
		for j := range cols {
			var want data.Profile
			var n float64
			want.Min, want.Max = math.Inf(1), math.Inf(-1)
			for i := range rows {
				v := dense.Dense[i*cols+j]
				if v != v {
					want.Missing++
					continue
				}
				n++
				want.Mean += v
				want.Min, want.Max = min(want.Min, v), max(want.Max, v)
			}
			want.Mean /= n
			for i := range rows {
				if v := dense.Dense[i*cols+j]; v == v {
					want.SD += (v - want.Mean) * (v - want.Mean) / n
				}
			}
			want.SD = math.Sqrt(want.SD)
			got := *tab.Profile(j)
			if got.Min != want.Min || got.Max != want.Max || got.Missing != want.Missing ||
				math.Abs(got.Mean-want.Mean) > 1e-9*want.SD || math.Abs(got.SD-want.SD) > 1e-9*want.SD {
				t.Errorf("column %d: %+v, want %+v", j, got, want)
			}
		}
	}
}

// readRows returns rows one after the other.
func readRows(t *testing.T, tab *Table, cols []int, lo, hi int) []float32 {
	t.Helper()
	x := make([]float32, (hi-lo)*len(cols))
	if _, err := tab.ReadRows(x, cols, lo, hi); err != nil {
		t.Fatal(err)
	}
	to := make([]float32, len(x))
	for first := lo; first < hi; first += tab.TileRows() {
		rows := min(tab.TileRows(), hi-first)
		for k := range cols {
			for i := range rows {
				to[(first-lo+i)*len(cols)+k] = x[(first-lo)*len(cols)+k*rows+i]
			}
		}
	}
	return to
}

// A few columns of some rows are those of the whole table.
func TestReadRows(t *testing.T) {
	const rows, cols = 700, 90
	rng := rand.New(rand.NewPCG(5, 6))
	b := &data.Block{Rows: rows}
	for range rows * cols {
		b.Dense = append(b.Dense, float64(float32(rng.NormFloat64())))
	}
	file := write(t, &data.Schema{Width: cols}, Options{Memory: 64 * 4 * cols * 5 / 2}, b)
	tab, err := Open(bytes.NewReader(file), int64(len(file)), "x.fsa")
	if err != nil || tab.UnitRows() != 64 {
		t.Fatalf("%v, panels of %d rows", err, tab.UnitRows())
	}
	for _, list := range [][]int{all(cols), {0}, {cols - 1}, {3, 4, 5, 50, 89}} {
		for _, part := range [][2]int{{0, rows}, {0, 1}, {64, 65}, {128, 612}, {640, rows}} {
			lo, hi := part[0], part[1]
			x := readRows(t, tab, list, lo, hi)
			for i := lo; i < hi; i++ {
				for k, j := range list {
					if got := x[(i-lo)*len(list)+k]; float64(got) != b.Dense[i*cols+j] {
						t.Fatalf("row %d, column %d: %v, want %v", i, j, got, b.Dense[i*cols+j])
					}
				}
			}
		}
	}
	y, err := tab.ReadColumn(context.Background(), 17)
	for i := range rows {
		if err != nil || y[i] != b.Dense[i*cols+17] {
			t.Fatalf("row %d of a column: %v, %v", i, y[i], err)
		}
	}
}

func TestTexts(t *testing.T) {
	s := &data.Schema{Width: 2, Names: []string{"größe", ""}, Categories: map[int][]string{1: {"a", "", "ü"}}}
	b := &data.Block{Rows: 4, Dense: []float64{1, 0, 2, 1, 3, 2, 4, math.NaN()}}
	file := write(t, s, Options{}, b)
	r, err := NewReader(bytes.NewReader(file), int64(len(file)), "x.fsa")
	if err != nil {
		t.Fatal(err)
	}
	if got := r.Schema(); !slices.Equal(got.Names, s.Names) || !slices.Equal(got.Categories[1], s.Categories[1]) {
		t.Errorf("%+v", got)
	}
	if _, err := readertest.Collect(t, r); err != nil {
		t.Error(err)
	}
	s.Categories = map[int][]string{1: {"a", ""}}
	file = write(t, s, Options{}, b)
	if r, err = NewReader(bytes.NewReader(file), int64(len(file)), "x.fsa"); err != nil {
		t.Fatal(err)
	}
	if _, err := r.Next(context.Background()); !errors.Is(err, data.ErrBadData) {
		t.Errorf("a code without text: %v", err)
	}
}

func TestRefusedToWrite(t *testing.T) {
	w, err := NewWriter(io.Discard, &data.Schema{Width: 2}, 0, Options{})
	if err != nil {
		t.Fatal(err)
	}
	err = errors.Join(w.Write(&data.Block{Rows: 2, Dense: []float64{1, 2, 3, math.Inf(1)}}), w.Close())
	if !errors.Is(err, data.ErrBadData) || !strings.Contains(err.Error(), "row 2: column x1") {
		t.Errorf("infinity: %v", err)
	}
	w, _ = NewWriter(io.Discard, &data.Schema{Width: 2, Sparse: true}, 0, Options{})
	err = w.Write(&data.Block{Rows: 1, Start: []int{0, 1}, Index: []uint32{1}, Value: []float64{math.Inf(-1)}})
	if !errors.Is(err, data.ErrBadData) {
		t.Errorf("infinity: %v", err)
	}
	w, _ = NewWriter(io.Discard, &data.Schema{Width: 1}, 0, Options{})
	err = w.Write(&data.Block{Rows: 1, Dense: []float64{1}, Label: []float64{1}})
	if err = errors.Join(err, w.Write(&data.Block{Rows: 1, Dense: []float64{1}})); !errors.Is(err, data.ErrBadData) {
		t.Errorf("a row without label: %v", err)
	}
}

// No byte of a file can change unnoticed, except padding.
func TestDamage(t *testing.T) {
	s := &data.Schema{Width: 3, Names: []string{"a", "b", "c"}}
	b := &data.Block{Rows: 5, Dense: make([]float64, 15), Label: make([]float64, 5), Query: make([]int64, 5)}
	for i := range b.Dense {
		b.Dense[i] = float64(i) / 3
	}
	sparse := &data.Block{Rows: 2, Start: []int{0, 2, 3}, Index: []uint32{0, 2, 1}, Value: []float64{1, 2, 1e99}, Label: []float64{1, 2}, Query: []int64{1, 1}}
	for _, file := range [][]byte{write(t, s, Options{}, b), write(t, &data.Schema{Width: 3, Sparse: true}, Options{}, sparse)} {
		want := read(t, file)
		for i := range file {
			file[i] ^= 4
			r, err := NewReader(bytes.NewReader(file), int64(len(file)), "x.fsa")
			if err == nil {
				var got *data.Block
				if got, err = readertest.Collect(t, r); err == nil && (!slices.Equal(got.Dense, want.Dense) || !slices.Equal(got.Value, want.Value) || !slices.Equal(got.Label, want.Label)) {
					t.Fatalf("byte %d was changed without notice", i)
				}
			}
			if err != nil && !errors.Is(err, data.ErrBadData) {
				t.Fatalf("byte %d: %v", i, err)
			}
			file[i] ^= 4
		}
	}
}

func FuzzReader(f *testing.F) {
	s := &data.Schema{Width: 2, Names: []string{"a", "b"}, Categories: map[int][]string{1: {"u", "v"}}}
	f.Add(write(f, s, Options{}, &data.Block{Rows: 2, Dense: []float64{1, 0, 1e99, 1}, Label: []float64{1, 2}}))
	f.Add(write(f, &data.Schema{Width: 9, Sparse: true}, Options{}, &data.Block{Rows: 2, Start: []int{0, 1, 3}, Index: []uint32{1, 2, 8}, Value: []float64{1, 2, 3}}))
	f.Add([]byte(magic))
	f.Fuzz(func(t *testing.T, file []byte) {
		mend(file)
		r, err := NewReader(bytes.NewReader(file), int64(len(file)), "x.fsa")
		if err != nil {
			return
		}
		got, err := readertest.Collect(t, r)
		if err != nil || r.foot.sparse {
			return
		}
		x := make([]float32, got.Rows*r.foot.width)
		if _, err := r.ReadRows(x, all(r.foot.width), 0, got.Rows); err != nil {
			t.Errorf("the rows were read one way and not the other: %v", err)
		}
	})
}
