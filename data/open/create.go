package open

import (
	"context"
	"errors"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"fsa/data"
	"fsa/data/csv"
	"fsa/data/npy"
	"fsa/data/panel"
	"fsa/data/parquet"
	"fsa/data/svmlight"
	"fsa/internal/atomicfile"
)

// Where a format keeps the response of a row.
const (
	inColumn = iota // a column called y, the last
	inLabel         // a place of its own
	inFile          // another file, X.y.npy beside X.npy
)

// writers is the table of formats that can be written, by the ending of the
// file's name.
var writers = map[string]struct {
	response int
	open     func(w io.Writer, s *data.Schema, rows int) (data.Writer, error)
}{
	".csv":     {inColumn, func(w io.Writer, s *data.Schema, _ int) (data.Writer, error) { return csv.NewWriter(w, s) }},
	".svm":     {inLabel, func(w io.Writer, s *data.Schema, _ int) (data.Writer, error) { return svmlight.NewWriter(w, s) }},
	".parquet": {inColumn, func(w io.Writer, s *data.Schema, n int) (data.Writer, error) { return parquet.NewWriter(w, s, n) }},
	".fsa": {inLabel, func(w io.Writer, s *data.Schema, n int) (data.Writer, error) {
		return panel.NewWriter(w, s, n, panel.Options{})
	}},
	".npy": {inFile, func(w io.Writer, s *data.Schema, n int) (data.Writer, error) { return npy.NewWriter(w, n, s.Width) }},
}

// Output writes a dense table with labels to a file that appears when it is
// complete.
type Output struct {
	path     string
	response int
	width    int
	labels   []float64 // for a file of their own
	w        data.Writer
	file     *File
}

// Write writes the given number of rows that a reader delivers, as Create does.
func Write(ctx context.Context, path string, r data.Reader, rows int) error {
	w, err := Create(path, r.Schema(), rows)
	if err != nil {
		return err
	}
	defer w.Abort()
	for b, err := range data.Blocks(ctx, r) {
		if err != nil {
			return err
		}
		if err := w.Write(b); err != nil {
			return err
		}
	}
	return w.Commit()
}

// Create starts a table of the given number of rows, in the format that the
// name tells: .csv, .svm, .parquet, .npy or .fsa, and .gz or .zst behind it. The
// labels of the blocks are written as the column y, in the format's own place,
// or into another file.
func Create(path string, s *data.Schema, rows int) (*Output, error) {
	kind, ok := writers[strings.ToLower(filepath.Ext(uncompressed(path)))]
	if !ok {
		return nil, usageError(path + ": the name must end in .npy, .csv, .svm, .parquet or .fsa, and may then end in .gz or .zst")
	}
	if s.Sparse && kind.response != inLabel {
		return nil, usageError(path + ": a sparse table is written as .svm or .fsa")
	}
	f, err := createFile(path)
	if err != nil {
		return nil, err
	}
	out := &Output{path: path, response: kind.response, width: s.Width, file: f}
	if kind.response == inColumn {
		s = withResponse(s)
	}
	if out.w, err = kind.open(f, s, rows); err != nil {
		f.Abort()
		return nil, err
	}
	return out, nil
}

// withResponse returns the schema with a last column y.
func withResponse(s *data.Schema) *data.Schema {
	names := make([]string, 0, s.Width+1)
	for j := range s.Width {
		names = append(names, s.Name(j))
	}
	return &data.Schema{Width: s.Width + 1, Names: append(names, "y"), Levels: s.Levels}
}

// Write adds the rows of a block.
func (o *Output) Write(b *data.Block) error {
	switch o.response {
	case inFile:
		o.labels = append(o.labels, b.Label...)
	case inColumn:
		cells := make([]float64, 0, len(b.Dense)+b.Rows)
		for i, row := range slices.Collect(slices.Chunk(b.Dense, o.width)) {
			cells = append(append(cells, row...), b.Label[i])
		}
		return o.w.Write(&data.Block{Rows: b.Rows, Dense: cells})
	}
	return o.w.Write(b)
}

// Commit completes the file and gives it its name. Labels that have a file of
// their own get theirs first: a table without labels would be of less use.
func (o *Output) Commit() error {
	defer o.Abort()
	err := errors.Join(o.w.Close(), o.file.finish())
	if err == nil && o.response == inFile {
		err = atomicfile.WriteFile(Stem(o.path)+".y.npy", func(w io.Writer) error { return npy.WriteVector(w, o.labels) })
	}
	if err != nil {
		return err
	}
	return o.file.named.Commit()
}

// Abort removes what was written, unless it was committed.
func (o *Output) Abort() { o.file.Abort() }
