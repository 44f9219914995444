// Package readertest has the suite that every reader of tables must pass.
package readertest

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math"
	"math/rand/v2"
	"testing"

	"fsa/data"
)

// Format describes a file format to the suite.
type Format struct {
	// Write starts a table of the given number of rows on w.
	Write func(w io.Writer, s *data.Schema, rows int) (data.Writer, error)
	// Read opens a written table.
	Read func(file []byte) (data.Reader, error)
	// Sparse says that blocks are sparse.
	Sparse bool
	// Exact is the relative precision that survives: 0 for all bits of a float64.
	Exact float64
	// Labels says that the format carries a label and a query for each row.
	Labels bool
	// Whole says that a file knows its length, so that a truncated one is always refused.
	Whole bool
}

// Run checks that tables can be read back: many shapes, awkward values, and that a file truncated
// anywhere is refused or, if it cannot know its length, read with no more rows.
func Run(t *testing.T, f Format) {
	const seed = 7
	rng := rand.New(rand.NewPCG(seed, 1))
	for _, shape := range [][2]int{{1, 1}, {2, 3}, {7, 1}, {65, 17}, {1000, 5}, {3, 700}} {
		rows, cols := shape[0], shape[1]
		want := Random(rng, rows, cols, f)
		var file bytes.Buffer
		schema := &data.Schema{Width: cols, Sparse: f.Sparse}
		w, err := f.Write(&file, schema, rows)
		if err != nil {
			t.Fatalf("%d×%d (seed %d): start: %v", rows, cols, seed, err)
		}
		if err := errors.Join(w.Write(want), w.Close()); err != nil {
			t.Fatalf("%d×%d (seed %d): write: %v", rows, cols, seed, err)
		}
		r, err := f.Read(file.Bytes())
		if err != nil {
			t.Fatalf("%d×%d (seed %d): open: %v", rows, cols, seed, err)
		}
		got, err := Collect(t, r)
		if err != nil {
			t.Fatalf("%d×%d (seed %d): read: %v", rows, cols, seed, err)
		}
		compare(t, f, got, want, cols)
		if r, err = f.Read(file.Bytes()); err != nil {
			t.Fatalf("%d×%d (seed %d): open again: %v", rows, cols, seed, err)
		}
		if byColumn, ok := r.(data.ByColumn); ok {
			if got, err = Columns(t, byColumn); err != nil {
				t.Fatalf("%d×%d (seed %d): read by columns: %v", rows, cols, seed, err)
			}
			compare(t, f, got, want, cols)
		} else if err := r.Close(); err != nil {
			t.Fatalf("%d×%d (seed %d): close: %v", rows, cols, seed, err)
		}

		n := file.Len()
		for _, cut := range []int{0, 3 * n / 10, 6 * n / 10, 9 * n / 10, 999 * n / 1000, n - 1} {
			r, err := f.Read(file.Bytes()[:cut])
			if err != nil {
				continue
			}
			if short, err := Collect(t, r); err == nil && (f.Whole || short.Rows > rows) {
				t.Errorf("%d×%d cut to %d of %d bytes: %d rows", rows, cols, cut, n, short.Rows)
			}
		}
	}
}

// Random returns a block with ordinary and awkward cells.
func Random(rng *rand.Rand, rows, cols int, f Format) *data.Block {
	awkward := []float64{0, math.NaN(), 1e-30, -1e30, 12345678, 0.1, -0.5, 1}
	cell := func() float64 {
		if rng.IntN(4) == 0 {
			return awkward[rng.IntN(len(awkward))]
		}
		return rng.NormFloat64()
	}
	b := &data.Block{Rows: rows}
	if f.Sparse {
		b.Start = []int{0}
	}
	for i := range rows {
		if f.Labels {
			b.Label = append(b.Label, float64(i%3)-1)
			b.Query = append(b.Query, int64(i/4))
		}
		for j := range cols {
			switch v := cell(); {
			case !f.Sparse:
				b.Dense = append(b.Dense, v)
			case v != 0 && rng.IntN(3) == 0 || i == rows-1 && j == cols-1:
				b.Index = append(b.Index, uint32(j))
				b.Value = append(b.Value, v)
			}
		}
		if f.Sparse {
			b.Start = append(b.Start, len(b.Index))
		}
	}
	return b
}

// Collect reads to the end, checks the promises of every reader about its blocks, and returns them
// as one, which lists the lines of all rows if they have some.
func Collect(tb testing.TB, r data.Reader) (*data.Block, error) {
	tb.Helper()
	defer r.Close()
	all := &data.Block{}
	if r.Schema().Sparse {
		all.Start = []int{0}
	}
	for {
		b, err := r.Next(context.Background())
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, err
		}
		if b.Rows < 1 {
			tb.Fatal("a block without rows")
		}
		if b.Label != nil && len(b.Label) != b.Rows || b.Query != nil && len(b.Query) != b.Rows {
			tb.Fatal("labels or queries do not match the rows")
		}
		if b.Lines != nil && (len(b.Lines) != b.Rows || b.Lines[0] != b.Line) {
			tb.Fatalf("lines %v of %d rows from line %d", b.Lines, b.Rows, b.Line)
		}
		if all.Rows > 0 && (b.Line > 0) != (all.Line > 0) {
			tb.Fatal("some blocks have lines and others have none")
		}
		for i := 0; b.Line > 0 && i < b.Rows; i++ {
			line := b.LineOf(i)
			if n := len(all.Lines); n > 0 && line <= all.Lines[n-1] {
				tb.Fatalf("line %d after line %d", line, all.Lines[n-1])
			}
			all.Lines = append(all.Lines, line)
			all.Line = all.Lines[0]
		}
		all.Rows += b.Rows
		all.Label = append(all.Label, b.Label...)
		all.Query = append(all.Query, b.Query...)
		if !r.Schema().Sparse {
			if len(b.Dense) != b.Rows*r.Schema().Width {
				tb.Fatalf("%d cells in %d rows of %d columns", len(b.Dense), b.Rows, r.Schema().Width)
			}
			all.Dense = append(all.Dense, b.Dense...)
			continue
		}
		if len(b.Start) != b.Rows+1 || b.Start[0] != 0 || b.Start[b.Rows] != len(b.Index) || len(b.Index) != len(b.Value) {
			tb.Fatal("the parts of a sparse block do not match")
		}
		for i := range b.Rows {
			row := b.Index[b.Start[i]:b.Start[i+1]]
			for p := 1; p < len(row); p++ {
				if row[p-1] >= row[p] {
					tb.Fatal("indices of a row do not ascend")
				}
			}
			all.Start = append(all.Start, len(all.Index)+b.Start[i+1])
		}
		all.Index = append(all.Index, b.Index...)
		all.Value = append(all.Value, b.Value...)
	}
	s := r.Schema()
	for _, j := range all.Index {
		if int(j) >= s.Width {
			tb.Fatalf("index %d in %d columns", j, s.Width)
		}
	}
	if s.Names != nil && len(s.Names) != s.Width {
		tb.Fatalf("%d names for %d columns", len(s.Names), s.Width)
	}
	for j, categories := range s.Categories {
		for i := range all.Rows {
			if v := all.Dense[i*s.Width+j]; v == v && (v < 0 || v != math.Trunc(v) || int(v) >= len(categories)) {
				tb.Fatalf("code %v in text column %d of %d texts", v, j, len(categories))
			}
		}
	}
	return all, nil
}

func compare(t *testing.T, f Format, got, want *data.Block, cols int) {
	t.Helper()
	if got.Rows != want.Rows {
		t.Fatalf("%d rows came back of %d", got.Rows, want.Rows)
	}
	equal := func(a, b float64) bool {
		return a == b || a != a && b != b || math.Abs(a-b) <= f.Exact*math.Abs(b)
	}
	check := func(what string, a, b []float64) {
		t.Helper()
		if len(a) != len(b) {
			t.Fatalf("%d %s came back of %d", len(a), what, len(b))
		}
		for i := range a {
			if !equal(a[i], b[i]) {
				t.Fatalf("%s %d of a table with %d columns: %v came back as %v", what, i, cols, b[i], a[i])
			}
		}
	}
	check("cells", got.Dense, want.Dense)
	check("values", got.Value, want.Value)
	check("labels", got.Label, want.Label)
	for i := range want.Index {
		if got.Index[i] != want.Index[i] {
			t.Fatalf("index %d: %d came back as %d", i, want.Index[i], got.Index[i])
		}
	}
	for i := range want.Query {
		if got.Query[i] != want.Query[i] {
			t.Fatalf("query %d: %d came back as %d", i, want.Query[i], got.Query[i])
		}
	}
}
