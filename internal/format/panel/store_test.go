package panel

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"fsa/data"
	"fsa/internal/matrix"
	"fsa/internal/matrix/matrixtest"
	"fsa/internal/matrix/paged"
)

// open returns the table of blocks.
func open(t *testing.T, s *data.Schema, o Options, blocks ...*data.Block) *Table {
	t.Helper()
	file := write(t, s, o, blocks...)
	tab, err := Open(bytes.NewReader(file), int64(len(file)), "x.fsa")
	if err != nil {
		t.Fatal(err)
	}
	return tab
}

// random returns rows with a share of nonzero cells.
func random(rows, cols int, full float64) [][]float64 {
	rng := rand.New(rand.NewPCG(uint64(rows), uint64(cols)))
	x := make([][]float64, rows)
	for i := range x {
		x[i] = make([]float64, cols)
		for j := range x[i] {
			if rng.Float64() < full {
				x[i][j] = float64(float32(rng.NormFloat64()))
			}
		}
	}
	for j := range cols { // every column has values
		x[j%rows][j] = 1
	}
	return x
}

func denseBlock(x [][]float64) *data.Block {
	return &data.Block{Rows: len(x), Dense: slices.Concat(x...), Label: make([]float64, len(x))}
}

func sparseBlock(x [][]float64) *data.Block {
	b := &data.Block{Rows: len(x), Start: []int{0}, Label: make([]float64, len(x))}
	for _, row := range x {
		for j, v := range row {
			if v != 0 {
				b.Index, b.Value = append(b.Index, uint32(j)), append(b.Value, v)
			}
		}
		b.Start = append(b.Start, len(b.Index))
	}
	return b
}

// A table in the file is a matrix like any other, in panels of any height, whether it can move into
// memory or not.
func TestMatrix(t *testing.T) {
	for _, size := range [][2]int{{2, 1}, {700, 30}, {1100, 3}} {
		rows := random(size[0], size[1], 1)
		for _, height := range []int{1, 7, 16, 48, 512} {
			o := Options{Memory: int64(height*4*size[1])*5/2 + 9}
			tab := open(t, &data.Schema{Width: size[1]}, o, denseBlock(rows))
			m := paged.NewDense(tab, all(size[1]), 1<<30)
			matrixtest.Run(t, fmt.Sprintf("%d×%d in panels of %d", size[0], size[1], tab.UnitRows()), m, rows)
			if size[1] == 1 {
				continue
			}
			part, err := paged.NewDense(tab, all(size[1]), 0).Select(context.Background(), nil, []int{0, 2})
			if err != nil {
				t.Fatal(err)
			}
			for _, to := range [][2]int{{0, size[0]}, {size[0] / 3, size[0] / 2}, {size[0] - 1, size[0]}} {
				x, err := part.Slice(context.Background(), to[0], to[1])
				if err != nil {
					t.Fatal(err)
				}
				z := make([]float64, to[1]-to[0])
				x.Mul(z, []float64{1, 2})
				x.(matrix.Releaser).Release()
				for i, v := range z {
					if want := rows[to[0]+i][0] + 2*rows[to[0]+i][2]; math.Abs(v-want) > 1e-12 {
						t.Fatalf("row %d: %v, want %v", to[0]+i, v, want)
					}
				}
			}
		}
	}
}

func TestSparseMatrix(t *testing.T) {
	rows := random(3000, 40, 0.1)
	var blocks []*data.Block
	for part := range slices.Chunk(rows, 1000) {
		blocks = append(blocks, sparseBlock(part))
	}
	tab := open(t, &data.Schema{Width: 40, Sparse: true}, Options{}, blocks...)
	m := data.StoredSparse(tab, 1<<30)
	matrixtest.Run(t, "sparse", m, rows)
	if n := m.BytesRead(); n < 4*int64(m.Cells()) {
		t.Errorf("%d bytes were read of %d cells", n, m.Cells())
	}
	few, err := data.StoredSparse(tab, 0).Select(context.Background(), nil, []int{3, 5})
	if _, ok := few.(*paged.Sparse); !ok || err != nil {
		t.Errorf("a selection is %T, %v", few, err)
	}
	full := random(300, 20, 0.8)
	tab = open(t, &data.Schema{Width: 20, Sparse: true}, Options{}, sparseBlock(full))
	matrixtest.Run(t, "full", paged.NewDense(tab, all(20), 1<<30), full)

	for _, c := range []struct {
		rows   [][]float64
		memory int64
		want   string
	}{{rows, 0, "*paged.Sparse"}, {rows, 1 << 30, "*matrix.Sparse"}, {full, 0, "*paged.Dense"}, {full, 1 << 30, "*matrix.Dense"}} {
		tab := open(t, &data.Schema{Width: len(c.rows[0]), Sparse: true}, Options{}, sparseBlock(c.rows))
		d, err := data.FromStore(context.Background(), "x.fsa", tab, data.Roles{}, c.memory)
		if err != nil {
			t.Fatal(err)
		}
		g, err := d.Design(context.Background(), data.DesignOptions{Scale: data.ScaleNone})
		if got := fmt.Sprintf("%T", g.X); got != c.want || err != nil {
			t.Errorf("%s, want %s: %v", got, c.want, err)
		}
	}
}

// A table gives the same dataset from its file as from its rows, whatever its contents, with
// weights and without.
func TestFromStore(t *testing.T) {
	const rows = 400
	ctx := context.Background()
	rng := rand.New(rand.NewPCG(8, 9))
	s := &data.Schema{Width: 7, Names: []string{"a", "time", "word", "w", "y", "huge", "q"}, Categories: map[int][]string{2: {"u", "v", "w"}}}
	b := &data.Block{Rows: rows}
	for i := range rows {
		row := []float64{rng.NormFloat64(), 1.7e9 + rng.Float64(), float64(rng.IntN(3)), rng.Float64(), rng.NormFloat64(), 1e200 * rng.NormFloat64(), float64(i / 10)}
		if rng.IntN(20) == 0 {
			row[0], row[2] = math.NaN(), math.NaN()
		}
		b.Dense = append(b.Dense, row...)
	}
	tab := open(t, s, Options{Memory: 100 * 4 * 7 * 5 / 2, Exact: []int{0, 3}}, b)
	for _, roles := range []data.Roles{{Target: "y"}, {Target: "y", Weight: "w"}, {Target: "4", Query: "q", Drop: []string{"huge"}},
		{Target: "y", Offset: "w", Exposure: true}, {Target: "y", Stratum: "q", Entry: "w"}, {Targets: []string{"y", "a"}}} {
		builder := data.NewBuilder("rows", s, roles)
		if err := builder.Add(b); err != nil {
			t.Fatal(err)
		}
		want, err := builder.Dataset(ctx)
		if err != nil {
			t.Fatal(err)
		}
		for _, memory := range []int64{0, 1 << 30} {
			got, err := data.FromStore(ctx, "x.fsa", tab, roles, memory)
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(got.Target.Weight, want.Target.Weight) || !slices.Equal(got.Target.Y, want.Target.Y) || !slices.Equal(got.Target.Query, want.Target.Query) || got.Target.Name != want.Target.Name {
				t.Errorf("%+v: another target, or other weights or queries", roles)
			}
			same := slices.Equal(got.Target.Offset, want.Target.Offset) && slices.Equal(got.Target.Stratum, want.Target.Stratum) && slices.Equal(got.Target.Entry, want.Target.Entry) && len(got.Target.Each) == len(roles.Targets)
			for k, of := range got.Target.Each {
				to := want.Target.Each[k]
				same = same && of.Name == to.Name && slices.EqualFunc(of.Values, to.Values, func(a, b float64) bool { return a == b || a != a && b != b })
			}
			if !same {
				t.Errorf("%+v: other offsets, strata, entries or targets", roles)
			}
			if len(got.Columns) != len(want.Columns) {
				t.Fatalf("%+v: %d columns", roles, len(got.Columns))
			}
			for j, c := range got.Columns {
				w := want.Columns[j]
				near := func(a, b float64) bool { return math.Abs(a-b) <= 1e-6*max(w.SD, 1e-9*math.Abs(b)) }
				if c.Index != w.Index || c.Text != w.Text || c.Missing != w.Missing || !near(c.Mean, w.Mean) || !near(c.SD, w.SD) || !near(c.Min, w.Min) || !near(c.Max, w.Max) {
					t.Errorf("%+v, memory %d, column %s: %+v, want %+v", roles, memory, got.ColumnName(j), c, w)
				}
			}
			a, err := got.Design(ctx, data.DesignOptions{})
			if err != nil {
				t.Fatal(err)
			}
			z, err := want.Design(ctx, data.DesignOptions{})
			if err != nil {
				t.Fatal(err)
			}
			sameProducts(t, a, z)
			_, err = got.Design(ctx, data.DesignOptions{Bins: 3})
			if (memory == 0) != (err != nil) {
				t.Errorf("bins with memory %d: %v", memory, err)
			}
		}
	}
	for _, roles := range []data.Roles{{Target: "z"}, {Weight: "word"}, {Target: "a"}, {Weight: "a"}, {Query: "time"}} {
		if _, err := data.FromStore(ctx, "x.fsa", tab, roles, 0); !errors.Is(err, data.ErrBadData) {
			t.Errorf("%+v: %v", roles, err)
		}
	}
}

// sameProducts checks that two designs give the same margins.
func sameProducts(t *testing.T, a, b *data.Design) {
	t.Helper()
	ctx := context.Background()
	var z [2][]float64
	for k, g := range []*data.Design{a, b} {
		rows, cols := g.X.Dims()
		rng := rand.New(rand.NewPCG(1, 1))
		beta, constant := make([]float64, cols), 0.0
		for j := range beta {
			v := rng.NormFloat64()
			beta[j], constant = v*g.Scale[j], constant+v*g.Offset[j]
		}
		x, err := g.X.Slice(ctx, 0, rows)
		if err != nil {
			t.Fatal(err)
		}
		z[k] = make([]float64, rows)
		x.Mul(z[k], beta)
		for i := range z[k] {
			z[k][i] += constant
		}
	}
	for i := range z[0] {
		if math.Abs(z[0][i]-z[1][i]) > 1e-4 {
			t.Fatalf("row %d: %v, want %v", i, z[0][i], z[1][i])
		}
	}
}

// A damaged run is noticed when it is read, and only then.
func TestDamagedRun(t *testing.T) {
	rows := random(100, 5, 1)
	file := write(t, &data.Schema{Width: 5}, Options{}, denseBlock(rows))
	file[page+4*100*3+7] ^= 1 // in the run of column 3
	tab, err := Open(bytes.NewReader(file), int64(len(file)), "x.fsa")
	if err != nil {
		t.Fatal(err)
	}
	x := make([]float32, 100*2)
	if _, err := tab.ReadRows(x, []int{0, 4}, 0, 100); err != nil {
		t.Error(err)
	}
	if _, err := tab.ReadRows(x, []int{0, 3}, 0, 100); !errors.Is(err, data.ErrBadData) {
		t.Errorf("damage: %v", err)
	}
}

// A sparse table without cells is refused if variables are to be selected.
func TestWithoutCells(t *testing.T) {
	for _, width := range []int{0, 3} {
		tab := open(t, &data.Schema{Width: width, Sparse: true}, Options{}, &data.Block{Rows: 2, Start: []int{0, 0, 0}})
		if _, err := data.FromStore(context.Background(), "x.fsa", tab, data.Roles{}, 0); !errors.Is(err, data.ErrBadData) {
			t.Errorf("%d columns of zeros: %v", width, err)
		}
		if n := tab.UnitRows(); n < 1 {
			t.Errorf("%d columns of zeros in units of %d rows", width, n)
		}
	}
}

// edited returns the file of a block after a change to its footer.
func edited(t *testing.T, s *data.Schema, b *data.Block, edit func(footer []byte)) []byte {
	t.Helper()
	file := write(t, s, Options{}, b)
	last := file[len(file)-trailerBytes:]
	at := binary.LittleEndian.Uint64(last)
	edit(file[at : len(file)-trailerBytes])
	mend(file)
	return file
}

// A panel that claims to be far higher than the table takes no memory.
func TestHeight(t *testing.T) {
	const at = 16 // of the height in the footer
	rows := random(50, 4, 1)
	for height, good := range map[uint32]bool{50: true, 64: true, runBytes / 4: true, 0: false, 49: false, runBytes/4 + 1: false, 1 << 31: false, math.MaxUint32: false} {
		file := edited(t, &data.Schema{Width: 4}, denseBlock(rows), func(footer []byte) { binary.LittleEndian.PutUint32(footer[at:], height) })
		tab, err := Open(bytes.NewReader(file), int64(len(file)), "x.fsa")
		if good != (err == nil) || err != nil && !errors.Is(err, data.ErrBadData) {
			t.Errorf("panels of %d rows in a table of %d: %v", height, len(rows), err)
		}
		if err == nil {
			matrixtest.Run(t, fmt.Sprintf("panels of %d rows", height), paged.NewDense(tab, all(4), 1<<40), rows)
		}
	}
}

// A number that is missing although the footer says that none is would have no bin.
func TestMissingUnawares(t *testing.T) {
	rows := random(40, 6, 0.4)
	rows[7][3] = math.NaN()
	for _, sparse := range []bool{false, true} {
		s, b := &data.Schema{Width: 6}, denseBlock(rows)
		if sparse {
			s, b = &data.Schema{Width: 12, Sparse: true}, sparseBlock(rows)
		}
		const missing = 32 + groupBytes + 3*columnBytes + 16 // of column 3 in the footer
		file := edited(t, s, b, func(footer []byte) {
			if n := binary.LittleEndian.Uint64(footer[missing:]); n != 1 {
				t.Fatalf("%d numbers are missing", n)
			}
			binary.LittleEndian.PutUint64(footer[missing:], 0)
		})
		tab, err := Open(bytes.NewReader(file), int64(len(file)), "x.fsa")
		if err != nil {
			t.Fatal(err)
		}
		_, err = data.FromStore(context.Background(), "x.fsa", tab, data.Roles{}, 1<<30)
		if e := (*data.Error)(nil); !errors.As(err, &e) || e.File != "x.fsa" || e.Column != "x3" {
			t.Errorf("sparse %v: %v", sparse, err)
		}
	}
}

// A float64 column is read relative to its mean if that is more than four ranges away from zero,
// like a column in memory, and in units of a power of two if its numbers are very large.
func TestUnits(t *testing.T) {
	columns := []struct {
		low, high float64
		shifted   bool
		exponent  int
	}{
		{1e9, 1e9 + 100, true, 0},
		{30, 40, false, 0}, // three and a half ranges
		{50, 60, true, 0},
		{-1, 1, false, 0},
		{1e200, 2e200, false, 664},
	}
	const rows = 50
	b := &data.Block{Rows: rows}
	var exact []int
	for i := range rows {
		for j, c := range columns {
			b.Dense = append(b.Dense, c.low+(c.high-c.low)*(float64(i)+math.Pi/9)/rows)
			if i == 0 {
				exact = append(exact, j)
			}
		}
	}
	tab := open(t, &data.Schema{Width: len(columns)}, Options{Exact: exact}, b)
	for j, c := range columns {
		p := tab.Profile(j)
		if (p.Shift != 0) != c.shifted || p.Shift != 0 && p.Shift != p.Mean || c.exponent != 0 && p.Exponent != c.exponent && p.Exponent != c.exponent+1 {
			t.Errorf("column %d from %v to %v: shift %v, exponent %d", j, c.low, c.high, p.Shift, p.Exponent)
		}
	}
}
