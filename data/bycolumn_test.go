package data

import (
	"context"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"sync"
	"testing"

	"fsa/data/kind"
)

// columnTable is a table that can be had by columns, as many blocks of rows at a time as
// said, or else by rows.
type columnTable struct {
	Reader
	schema *Schema
	rows   int
	cells  []float64 // row after row
	blocks int
	at     int
}

func (c *columnTable) Schema() *Schema           { return c.schema }
func (c *columnTable) Close() error              { return nil }
func (c *columnTable) Size() (rows, cells int64) { return int64(c.rows), int64(len(c.cells)) }

func (c *columnTable) Next(context.Context) (*Block, error) {
	w := c.schema.Width
	n := min(BlockRows(w), c.rows-c.at)
	if n == 0 {
		return nil, io.EOF
	}
	c.at += n
	return &Block{Rows: n, Dense: c.cells[(c.at-n)*w : c.at*w]}, nil
}

func (c *columnTable) NextColumns(context.Context) (*Columns, error) {
	w := c.schema.Width
	n := min(c.blocks*BlockRows(w), c.rows-c.at)
	if n == 0 {
		return nil, io.EOF
	}
	first := c.at
	c.at += n
	const threads = 3
	return &Columns{Rows: n, Threads: threads, Each: func(_ context.Context, neighbours int, use func(thread, column int, cells []float64) error) error {
		var wg sync.WaitGroup
		errs := make([]error, threads)
		for t := range threads {
			wg.Go(func() {
				column := make([]float64, n)
				for j := range w {
					if j/neighbours%threads != t || errs[t] != nil {
						continue
					}
					for i := range column {
						column[i] = c.cells[(first+i)*w+j]
					}
					errs[t] = use(t, j, column)
				}
			})
		}
		wg.Wait()
		for _, err := range errs {
			if err != nil {
				return err
			}
		}
		return nil
	}}, nil
}

// awkwardTable has columns of all kinds, of which some begin late, are far from zero or
// grow out of their units.
func awkwardTable(rng *rand.Rand, rows, width int) *columnTable {
	s := &Schema{Width: width, Categories: map[int][]string{7: {"a", "b", "c"}, 200: {"x", "y"}}, Kinds: map[int]kind.Column{9: {Kind: kind.Date, Layout: "2006-1-2"}}}
	for j := range width {
		s.Names = append(s.Names, fmt.Sprintf("c%d", j))
	}
	s.Names[3], s.Names[65] = "id", "other_id"
	c := &columnTable{schema: s, rows: rows, cells: make([]float64, rows*width)}
	for i := range rows {
		for j := range width {
			v := rng.NormFloat64()
			switch {
			case j == 0 || j == 130: // a target and weights
				v = math.Abs(v)
			case j == 3 || j == 4:
				v = float64(i)
			case j == 7 || j == 200:
				v = float64(rng.IntN(2))
			case j == 9:
				v = 2020 + rng.Float64()
			case j == 65:
				v = float64(i / 2)
			case j%7 == 1:
				v = 2020 + float64(rng.IntN(9))
			case j%7 == 2:
				v *= math.Ldexp(1, i*j%400)
			case j%7 == 3 && i < rows/2, j%7 == 4 && rng.IntN(5) == 0:
				v = math.NaN()
			case j%7 == 5:
				v *= math.Ldexp(1, -100-j)
			}
			c.cells[i*width+j] = v
		}
	}
	return c
}

// What comes by columns is stored, to the last bit, as what comes by blocks of rows.
func TestColumnsAreBlocks(t *testing.T) {
	const seed = 5
	for _, size := range [][2]int{{700, 1000}, {263, 1000}, {100, 300}, {1, 201}} {
		for _, blocks := range []int{1, 2, 100} {
			table := awkwardTable(rand.New(rand.NewPCG(seed, 1)), size[0], size[1])
			roles := Roles{Target: "c0", Weight: "c130", Drop: []string{"c5", "c64"}}
			table.blocks = blocks
			got, err := Load(t.Context(), table, "table", roles)
			if err != nil {
				t.Fatal(err)
			}
			table.at = 0
			want, err := Load(t.Context(), struct{ Reader }{table}, "table", roles)
			if err != nil {
				t.Fatal(err)
			}
			name := fmt.Sprintf("%d×%d, %d blocks (seed %d)", size[0], size[1], blocks, seed)
			if !reflect.DeepEqual(got.Columns, want.Columns) || !reflect.DeepEqual(got.left, want.left) || !reflect.DeepEqual(got.texts, want.texts) {
				t.Errorf("%s: other columns", name)
			}
			if !reflect.DeepEqual(got.Target, want.Target) {
				t.Errorf("%s: another target", name)
			}
			a, b := got.cells(), want.cells()
			if len(a) != len(b) {
				t.Fatalf("%s: %d cells, want %d", name, len(a), len(b))
			}
			for i := range a {
				if math.Float32bits(a[i]) != math.Float32bits(b[i]) {
					t.Fatalf("%s: cell %d is %v, want %v", name, i, a[i], b[i])
				}
			}
		}
	}
}

// What is wrong with a column is said with its name and row.
func TestColumnsRefused(t *testing.T) {
	for _, c := range []struct {
		row, column int
		v           float64
		want        string
	}{
		{600, 70, math.Inf(-1), "table: row 601: column c70: the value is infinite: it must be a finite number or missing"},
		{400, 0, math.NaN(), "table: row 401: column c0: the target is missing"},
	} {
		table := awkwardTable(rand.New(rand.NewPCG(1, 1)), 700, 1000)
		table.blocks = 2
		table.cells[c.row*1000+c.column] = c.v
		if _, err := Load(t.Context(), table, "table", Roles{Target: "c0"}); err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%v, want %s", err, c.want)
		}
	}
}
