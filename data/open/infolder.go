package open

import (
	"context"
	"fmt"
	"math"
	"slices"

	"fsa/data"
	"fsa/data/kind"
)

// inFolder is a reader of a file that adds the columns that the names of its folders give.
type inFolder struct {
	data.Reader
	own   *data.Schema // of the file
	all   *data.Schema
	cells []float64
}

// addColumns adds the columns of a folder to a file of it.
func (r *reader) addColumns(file string, o *Options) error {
	f, own := o.folder, r.Schema()
	if own.Sparse || own.Names == nil {
		return &data.Error{File: file, Msg: "its folders give columns, which a sparse table or one without names cannot have: name the files, such as 'FOLDER/*/*'"}
	}
	to := &inFolder{Reader: r.Reader, own: own, all: &data.Schema{Categories: map[int][]string{}, Kinds: map[int]kind.Column{}}}
	to.all.Names = slices.Clone(own.Names)
	for c, name := range f.names {
		if slices.Contains(own.Names, name) {
			return &data.Error{File: file, Column: name, Msg: "the file has a column of this name, and so have its folders: rename one"}
		}
		j, k := len(to.all.Names), f.kinds[c]
		if given, ok := o.Kinds[name]; ok {
			k = given
		}
		cell, text := math.NaN(), f.values[file][c]
		switch v, reads := 0.0, false; {
		case k.Text():
			if to.all.Categories[j] = nil; text != "" {
				to.all.Categories[j], cell = []string{k.Spelling()(text)}, 0
			}
		case text != "":
			if v, reads = k.Parser()(text); !reads {
				return &data.Error{File: file, Column: name, Msg: fmt.Sprintf("%q in the name of the folder is no %s: declare the column as categorical, or drop it", text, k.Kind)}
			}
			cell = v
		}
		if k.Kind != kind.Number {
			to.all.Kinds[j] = k
		}
		to.all.Names, to.cells = append(to.all.Names, name), append(to.cells, cell)
	}
	to.all.Width = len(to.all.Names)
	to.refresh()
	if _, sized := r.Reader.(data.Sized); sized {
		r.Reader = sizedInFolder{to}
	} else {
		r.Reader = to
	}
	return nil
}

// Schema implements [data.Reader].
func (f *inFolder) Schema() *data.Schema { return f.all }

// refresh takes the texts and the kinds that the file has shown so far.
func (f *inFolder) refresh() {
	for j := range f.own.Width {
		if texts, ok := f.own.Categories[j]; ok {
			f.all.Categories[j] = texts
		}
		if k, ok := f.own.Kinds[j]; ok {
			f.all.Kinds[j] = k
		}
	}
}

// Next implements [data.Reader].
func (f *inFolder) Next(ctx context.Context) (*data.Block, error) {
	b, err := f.Reader.Next(ctx)
	f.refresh()
	if err != nil {
		return nil, err
	}
	cells, n := make([]float64, 0, b.Rows*f.all.Width), f.own.Width
	for i := range b.Rows {
		cells = append(append(cells, b.Dense[i*n:(i+1)*n]...), f.cells...)
	}
	if b.Reuse != nil {
		b.Reuse()
	}
	b.Dense, b.Reuse = cells, nil
	return b, nil
}

// Skip skips rows without reading them, as far as the file allows it.
func (f *inFolder) Skip(rows int) int {
	if s, ok := f.Reader.(interface{ Skip(rows int) int }); ok {
		return s.Skip(rows)
	}
	return 0
}

// sizedInFolder is an inFolder that knows its size.
type sizedInFolder struct{ *inFolder }

// Size implements [data.Sized].
func (f sizedInFolder) Size() (rows, cells int64) {
	rows, _ = f.Reader.(data.Sized).Size()
	return rows, rows * int64(f.all.Width)
}
