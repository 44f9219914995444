package part

import (
	"cmp"
	"context"
	"maps"
	"math"
	"slices"
	"sort"

	"fsa/data"
	"fsa/data/open"
	"fsa/internal/grid"
)

// surveySparse reads the size of a sparse table, the target, and which columns occur. Every process
// looks at all rows for that, so that all get the same result.
func (t *Table) surveySparse(ctx context.Context, roles data.Roles) error {
	r, err := open.Reader(ctx, t.path, t.options)
	if err != nil {
		return err
	}
	defer r.Close()
	if v := roles.TargetVector; v != nil {
		t.from = v.Name
	}
	t.sparse = &sparse{schema: r.Schema()}
	c := data.NewCollector(t.path, r.Schema(), roles)
	largest := map[uint32]float64{} // largest absolute value of each column that occurs
	for block, err := range data.Blocks(ctx, r) {
		if err != nil {
			return err
		}
		if err := c.Add(block); err != nil {
			return err
		}
		for p := block.Start[0]; p < block.Start[block.Rows]; p++ {
			j, size := block.Index[p], math.Abs(block.Value[p])
			if math.IsInf(size, 0) {
				return t.infinite(block, t.Rows, sort.SearchInts(block.Start, p+1)-1, r.Schema().Name(int(j)))
			}
			if before, found := largest[j]; !found || size > before {
				largest[j] = max(before, known(size))
			}
		}
		t.Rows += block.Rows
		t.sparse.cells += block.Start[block.Rows] - block.Start[0]
	}
	for _, j := range slices.Sorted(maps.Keys(largest)) {
		t.place = append(t.place, int(j))
		t.sparse.units = append(t.sparse.units, data.UnitOf(-largest[j], largest[j]))
	}
	if err := t.setTarget(c); err != nil {
		return err
	}
	if len(t.place) == 0 {
		return &data.Error{File: t.path, Msg: "all cells are zero: there is nothing to select from"}
	}
	return nil
}

// known returns a number, or 0 for one that is missing.
func known(v float64) float64 {
	if v != v {
		return 0
	}
	return v
}

// readSparse reads the part of a sparse table.
func (t *Table) readSparse(ctx context.Context, g *grid.Grid, agree func(error) error) (*data.StoredTable, error) {
	x, err := grid.NewSparse(g, t.cut, t.sparse.cells)
	dense := t.sparse.full(t.Rows)
	if dense {
		x, err = grid.NewMatrix(g, t.cut)
	}
	if err == nil {
		err = t.fillSparse(ctx, g, x, dense)
	}
	if err := agree(err); err != nil {
		return nil, err
	}
	to := &data.StoredTable{Schema: t.sparse.schema, Numbers: x, Columns: make([]data.Stored, len(t.numbers))}
	for k, v := range t.numbers {
		to.Columns[k] = data.Stored{Index: t.place[v], Unit: t.sparse.units[v]}
	}
	return to, nil
}

// fillSparse reads the rows and columns of this process into a matrix.
func (t *Table) fillSparse(ctx context.Context, g *grid.Grid, x *grid.Matrix, dense bool) error {
	fromRow, toRow, from, to, err := g.Part(t.cut)
	if err != nil {
		return err
	}
	r, err := open.Reader(ctx, t.path, t.options)
	if err != nil {
		return err
	}
	defer r.Close()
	at, err := open.Skip(ctx, r, fromRow)
	if err != nil {
		return err
	}
	// Column of the file, where it is stored in the part, and its unit.
	type column struct {
		of, at int
		unit   data.Unit
	}
	columns := make([]column, to-from)
	for k := range columns {
		v := t.numbers[from+k]
		columns[k] = column{t.place[v], k, t.sparse.units[v]}
	}
	slices.SortFunc(columns, func(a, b column) int { return cmp.Compare(a.of, b.of) })
	type cell struct {
		at    uint32
		value float32
	}
	var (
		cells []cell
		index []uint32
		value []float32
		row   = make([]float32, to-from)
	)
	for block, err := range data.Blocks(ctx, r) {
		if err != nil {
			return err
		}
		if err := block.Check(r.Schema()); err != nil {
			return err
		}
		for i := max(fromRow-at, 0); i < min(block.Rows, toRow-at); i++ {
			cells, index, value = cells[:0], index[:0], value[:0]
			left := columns
			for p := block.Start[i]; p < block.Start[i+1]; p++ {
				k, found := slices.BinarySearchFunc(left, int(block.Index[p]), func(c column, j int) int { return cmp.Compare(c.of, j) })
				if left = left[k:]; found {
					cells = append(cells, cell{uint32(left[0].at), left[0].unit.Store(block.Value[p])})
				}
			}
			if byPlace := func(a, b cell) int { return cmp.Compare(a.at, b.at) }; !slices.IsSortedFunc(cells, byPlace) {
				slices.SortFunc(cells, byPlace)
			}
			for _, c := range cells {
				index, value = append(index, c.at), append(value, c.value)
			}
			if !dense {
				x.Add(at+i, index, value)
				continue
			}
			clear(row)
			for p, k := range index {
				row[k] = value[p]
			}
			x.Set(at+i, row)
		}
		if at += block.Rows; at >= toRow {
			return nil
		}
	}
	return t.changed(at)
}
