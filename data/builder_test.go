package data_test

import (
	"context"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"

	"fsa/data"
)

// script is a reader of blocks that are there already. It widens an open
// schema as it goes.
type script struct {
	schema *data.Schema
	blocks []*data.Block
	end    error
}

var _ data.Reader = (*script)(nil)

func (s *script) Schema() *data.Schema { return s.schema }
func (s *script) Close() error         { return nil }

func (s *script) Next(ctx context.Context) (*data.Block, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if len(s.blocks) == 0 {
		return nil, s.end
	}
	b := s.blocks[0]
	s.blocks = s.blocks[1:]
	if s.schema.Open {
		for _, j := range b.Index {
			s.schema.Width = max(s.schema.Width, int(j)+1)
		}
	}
	return b, nil
}

func TestLoad(t *testing.T) {
	rows := [][]float64{{1, 2}, {3, 5}, {5, 9}}
	r := &script{&data.Schema{Width: 2}, cut(rows, denseBlock, 2), io.EOF}
	d, err := data.Load(background, r, "rows", data.Roles{Target: "1"})
	if err != nil {
		t.Fatal(err)
	}
	if d.Name != "rows" || d.Rows() != 3 || len(d.Columns) != 1 || !slices.Equal(d.Target.Y, []float64{2, 5, 9}) {
		t.Errorf("%s: %d rows, columns %+v, target %+v", d.Name, d.Rows(), d.Columns, d.Target)
	}

	// Only io.EOF itself is the end.
	for _, end := range []error{io.ErrUnexpectedEOF, &data.Error{Msg: "a page is damaged", Err: io.EOF}} {
		broken := &script{&data.Schema{Width: 2}, cut(rows, denseBlock), end}
		if _, err := data.Load(background, broken, "rows", data.Roles{}); err != end {
			t.Errorf("a reader that fails with %v: %v", end, err)
		}
	}
	empty := &script{&data.Schema{Width: 2}, nil, io.EOF}
	if _, err := data.Load(background, empty, "rows", data.Roles{}); !errors.Is(err, data.ErrBadData) {
		t.Errorf("a reader without rows: %v", err)
	}
	ctx, cancel := context.WithCancel(background)
	cancel()
	if _, err := data.Load(ctx, &script{&data.Schema{Width: 2}, cut(rows, denseBlock), io.EOF}, "rows", data.Roles{}); !errors.Is(err, context.Canceled) {
		t.Errorf("after the end of the context: %v", err)
	}
}

// The columns of an open table are known at its end; until a column appears
// it is zero.
func TestOpenTable(t *testing.T) {
	rows := [][]float64{{0, 1, 0, 0, 0}, {2, 0, 0, 0, 0}, {0, 0, 0, 3, 0}, {0, 5, 0, 0, 0}}
	r := &script{&data.Schema{Sparse: true, Open: true}, cut(rows, sparseBlock, 1), io.EOF}
	d, err := data.Load(background, r, "open", data.Roles{})
	if err != nil {
		t.Fatal(err)
	}
	if len(d.Columns) != 3 || d.Width() != 4 || !d.Sparse() {
		t.Fatalf("%d columns of %d, sparse: %v", len(d.Columns), d.Width(), d.Sparse())
	}
	for _, c := range d.Columns {
		j := c.Index
		if s := measured(rows, nil, j); c.Mean != s.mean || c.Min != s.min || c.Max != s.max || !near(c.SD, s.sd, 1e-9) {
			t.Errorf("column %d: %+v, want %+v", j, c, s)
		}
	}
	if d.Lookup("x3") != 2 || d.Lookup("x2") != -1 || d.Lookup("x4") != -1 || d.Lookup("x9") != -1 {
		t.Error("columns beyond the last are found, or others are not")
	}
	g, cells := designed(t, d, 0, data.ScaleNone)
	for i, row := range cells {
		for k, v := range g.Variables {
			if j := d.Columns[v].Index; row[k] != rows[i][j] {
				t.Errorf("cell %d of row %d is %v, want %v", j, i, row[k], rows[i][j])
			}
		}
	}
}

// A column far out costs nothing: only those that occur are kept.
func TestFarColumns(t *testing.T) {
	b := &data.Block{Rows: 3, Start: []int{0, 2, 3, 5}, Index: []uint32{1 << 30, 2_000_000_000, 5, 5, 1 << 30}, Value: []float64{1, 2, 3, 4, 5}}
	d := build(t, &data.Schema{Width: 2_000_000_001, Sparse: true, Open: true}, data.Roles{}, []*data.Block{b})
	if len(d.Columns) != 3 || d.Columns[0].Index != 5 || d.Columns[2].Index != 2_000_000_000 || d.Columns[0].Max != 4 || d.Columns[1].Max != 5 {
		t.Errorf("columns %+v", d.Columns)
	}
}

func TestSparseWithoutCells(t *testing.T) {
	for _, width := range []int{0, 3} {
		d := build(t, &data.Schema{Width: width, Sparse: true}, data.Roles{}, []*data.Block{{Rows: 2, Start: []int{0, 0, 0}}})
		if d.Rows() != 2 || d.Width() != width {
			t.Errorf("%d rows, %d columns", d.Rows(), d.Width())
		}
		if _, err := d.Design(background, data.DesignOptions{}); !errors.Is(err, data.ErrBadData) {
			t.Errorf("a table of zeros: %v", err)
		}
	}
}

func TestRolesOfColumns(t *testing.T) {
	rows := [][]float64{{1, 10, 0.5, 7, 0, 3}, {2, 20, 1, 7, 1, 4}, {3, 30, 2, 8, 0, 5}, {4, 40, 0, 9, 2, 6}}
	s := &data.Schema{
		Width: 6, Names: []string{"a", "y", "w", "q", "class", "id"},
		Categories: map[int][]string{4: {"no", "yes", "perhaps"}},
	}
	variables := func(d *data.Dataset) string {
		var names []string
		for j := range d.Columns {
			names = append(names, d.ColumnName(j))
		}
		return strings.Join(names, " ")
	}
	d := build(t, s, data.Roles{Target: "y", Weight: "w", Query: "3", Drop: []string{"id", "4"}}, cut(rows, denseBlock, 3))
	if got := variables(d); got != "a" {
		t.Errorf("variables %q", got)
	}
	want := &data.Target{Name: "y", Y: []float64{10, 20, 30, 40}, Weight: []float64{0.5, 1, 2, 0}, Query: []int{0, 2, 3, 4}}
	if got := d.Target; got.Name != want.Name || got.Categories != nil || !slices.Equal(got.Y, want.Y) || !slices.Equal(got.Weight, want.Weight) || !slices.Equal(got.Query, want.Query) {
		t.Errorf("target %+v, want %+v", got, want)
	}
	if d.Lookup("y") != -1 || d.Lookup("a") != 0 {
		t.Error("the target is a variable, or a is none")
	}

	d = build(t, s, data.Roles{Target: "4"}, cut(rows, denseBlock, 1))
	if got := variables(d); got != "a y w q id" {
		t.Errorf("variables %q", got)
	}
	if got := d.Target; got.Name != "class" || !slices.Equal(got.Categories, []string{"no", "yes", "perhaps"}) || !slices.Equal(got.Y, []float64{0, 1, 0, 2}) {
		t.Errorf("target %+v", got)
	}

	d = build(t, s, data.Roles{}, cut(rows, denseBlock))
	if d.Target != nil || len(d.Columns) != 6 {
		t.Errorf("without roles: %d variables, target %+v", len(d.Columns), d.Target)
	}
}

// A table of numbers of which texts stand between is stored in two parts.
func TestColumnsInOrder(t *testing.T) {
	rows := [][]float64{{0, 1, 1, 4}, {1, 2, 0, 5}, {1, 4, 1, 7}}
	s := &data.Schema{Width: 4, Categories: map[int][]string{0: {"a", "b"}, 2: {"c", "d"}}}
	d := build(t, s, data.Roles{}, cut(rows, denseBlock))
	for j, c := range d.Columns {
		if c.Index != j || c.Text != (j%2 == 0) {
			t.Errorf("variable %d is column %d, text: %v", j, c.Index, c.Text)
		}
	}
	g, err := d.Design(background, data.DesignOptions{Scale: data.ScaleNone})
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(g.Variables, []int{1, 3, 0, 2}) {
		t.Fatalf("variables %v", g.Variables)
	}
	if got, want := cellsOf(t, g.X)[2], []float64{4, 7, 0, 1, 0, 1}; !slices.Equal(got, want) {
		t.Errorf("cells %v, want %v", got, want)
	}
}

// A label and a query that come with a row stand for columns.
func TestLabelsOfRows(t *testing.T) {
	rows := [][]float64{{1, 0, 0}, {0, 2, 0}, {0, 0, 3}}
	b := sparseBlock(rows)
	b.Label, b.Query = []float64{1, -1, 1}, []int64{5, 5, -9}
	s := &data.Schema{Width: 3, Sparse: true}
	d := build(t, s, data.Roles{}, []*data.Block{b})
	if !slices.Equal(d.Target.Y, b.Label) || !slices.Equal(d.Target.Query, []int{0, 2, 3}) || d.Target.Name != "" {
		t.Errorf("target %+v", d.Target)
	}
	d = build(t, s, data.Roles{TargetVector: &data.Vector{Values: []float64{0, 1, 0}, Categories: []string{"a", "b"}}}, []*data.Block{b})
	if !slices.Equal(d.Target.Y, []float64{0, 1, 0}) || !slices.Equal(d.Target.Categories, []string{"a", "b"}) {
		t.Errorf("target %+v", d.Target)
	}
}
