package real

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strconv"

	"fsa/data"
	"fsa/data/open"
)

// beside reads the genomics and regression sets, whose responses are in a separate file.
func beside(ctx context.Context, folder string) (*Table, error) {
	t, _, err := read(ctx, filepath.Join(folder, "X.csv.gz"), open.Options{Header: "no"})
	if err != nil {
		return nil, err
	}
	v, err := open.Vector(ctx, filepath.Join(folder, "y.txt"))
	if err != nil {
		return nil, err
	}
	return withResponse(t, v)
}

// files reads tables with labels, one below the other.
func files(names ...string) func(context.Context, string) (*Table, error) {
	return func(ctx context.Context, folder string) (*Table, error) {
		var all *Table
		for _, name := range names {
			path := filepath.Join(folder, name)
			t, label, err := read(ctx, path, open.Options{})
			if err != nil {
				return nil, err
			}
			if len(label) != t.Rows {
				return nil, &data.Error{File: path, Msg: fmt.Sprintf("%d labels for %d rows: every row needs one", len(label), t.Rows)}
			}
			t.Y = label
			if all == nil {
				all = t
			} else {
				all.append(t)
			}
		}
		return withResponse(all, &data.Vector{Values: all.Y})
	}
}

// digits reads the images of two digits.
func digits(ctx context.Context, folder string) (*Table, error) {
	var all *Table
	for _, part := range []string{"train", "test"} {
		t, _, err := read(ctx, filepath.Join(folder, part+"_X.npy"), open.Options{})
		if err != nil {
			return nil, err
		}
		v, err := open.Vector(ctx, filepath.Join(folder, part+"_y.npy"))
		if err != nil {
			return nil, err
		}
		t.Y = v.Values
		if all == nil {
			all = t
		} else {
			all.append(t)
		}
	}
	return withResponse(all, &data.Vector{Values: all.Y})
}

// csv reads a table with names in its first line and a column of responses. It leaves out columns
// that are not measurements, and rows whose response is missing.
func csv(name, target string, drop ...string) func(context.Context, string) (*Table, error) {
	return func(ctx context.Context, folder string) (*Table, error) {
		path := filepath.Join(folder, name)
		r, err := open.Reader(ctx, path, open.Options{Format: "csv", Header: "yes"})
		if err != nil {
			return nil, err
		}
		defer r.Close()
		s := r.Schema()
		at := s.FindColumn(target)
		if at < 0 {
			return nil, &data.Error{File: path, Msg: fmt.Sprintf("there is no column %q", target)}
		}
		var keep []int
		for j, name := range s.Names {
			if j != at && !slices.Contains(drop, name) {
				keep = append(keep, j)
			}
		}
		t := &Table{Cols: len(keep)}
		for b, err := range data.Blocks(ctx, r) {
			if err != nil {
				return nil, err
			}
			for i := range b.Rows {
				row := b.Dense[i*s.Width : (i+1)*s.Width]
				if row[at] != row[at] {
					continue
				}
				t.Rows++
				t.Y = append(t.Y, row[at])
				for _, j := range keep {
					t.Dense = append(t.Dense, row[j])
				}
			}
		}
		for _, j := range keep {
			t.columns = append(t.columns, column{name: s.Names[j], kind: s.KindOf(j), texts: s.Categories[j]})
		}
		return withResponse(t, &data.Vector{Values: t.Y, Categories: s.Categories[at]})
	}
}

// read reads a table of numbers, with labels in its rows or in a separate file.
func read(ctx context.Context, path string, o open.Options) (*Table, []float64, error) {
	r, err := open.Reader(ctx, path, o)
	if err != nil {
		return nil, nil, err
	}
	defer r.Close()
	roles, err := open.Roles{}.Resolve(ctx, path, r)
	if err != nil {
		return nil, nil, err
	}
	t := &Table{}
	sparse := r.Schema().Sparse
	if sparse {
		t.Start = []int{0}
	}
	var label []float64
	for b, err := range data.Blocks(ctx, r) {
		if err != nil {
			return nil, nil, err
		}
		part := &Table{Rows: b.Rows, Dense: b.Dense, Start: b.Start, Index: b.Index, Value: b.Value, Query: b.Query}
		t.append(part)
		label = append(label, b.Label...)
	}
	if v := roles.TargetVector; v != nil {
		label = v.Values
	}
	t.Cols = r.Schema().Width
	if t.Query != nil && sparse {
		t.fill() // the features of documents are few, and none is missing
	}
	return t, label, nil
}

// fill makes a sparse table dense.
func (t *Table) fill() {
	t.Dense = make([]float64, t.Rows*t.Cols)
	for i := range t.Rows {
		for p := t.Start[i]; p < t.Start[i+1]; p++ {
			t.Dense[i*t.Cols+int(t.Index[p])] = t.Value[p]
		}
	}
	t.Start, t.Index, t.Value = nil, nil, nil
}

const (
	mostClasses = 20 // number of different whole-number responses above which the response is a number
	leastOfEach = 4  // number of rows of a class below which its rows are left out
)

// withResponse gives a table a response: texts and few whole numbers are classes,
// unless there are queries.
func withResponse(t *Table, v *data.Vector) (*Table, error) {
	if len(v.Values) != t.Rows {
		return nil, &data.Error{File: v.Name, Msg: fmt.Sprintf("%d target values for %d rows", len(v.Values), t.Rows)}
	}
	t.Y = v.Values
	count := map[float64]int{}
	for _, y := range v.Values {
		count[y]++
	}
	whole := func(y float64) bool { return y == math.Trunc(y) }
	if t.Query != nil || v.Categories == nil && (len(count) > mostClasses || slices.ContainsFunc(v.Values, func(y float64) bool { return !whole(y) })) {
		return t, nil
	}
	name := func(y float64) string {
		if v.Categories != nil {
			return v.Categories[int(y)]
		}
		return strconv.FormatFloat(y, 'g', -1, 64)
	}
	var codes []float64
	for y, n := range count {
		if n >= leastOfEach {
			codes = append(codes, y)
		}
	}
	slices.SortFunc(codes, func(a, b float64) int { return cmp.Compare(name(a), name(b)) })
	var rows []int
	for i, y := range t.Y {
		if count[y] >= leastOfEach {
			rows = append(rows, i)
		}
	}
	t = t.pick(rows)
	for _, y := range codes {
		t.Classes = append(t.Classes, name(y))
	}
	for i, y := range t.Y {
		t.Y[i] = float64(slices.Index(codes, y))
	}
	return t, nil
}
