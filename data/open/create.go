package open

import (
	"context"
	"errors"
	"slices"
	"strings"

	"fsa/data"
	"fsa/internal/atomicfile"
	"fsa/internal/format/npy"
)

// Output writes a dense table with labels to a file that appears when it is complete.
type Output struct {
	path     string
	response place
	width    int
	labels   []float64 // labels, if they have their own file
	start    *first    // start of the table, by which the file of the labels identifies it
	w        data.Writer
	file     *File
}

// Write writes the given number of rows of a reader, like [Create]. with lists other files that
// appear together with the table.
func Write(ctx context.Context, path string, r data.Reader, rows int, with ...*File) error {
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
	return w.Commit(with...)
}

// Create creates a table with the given number of rows. The name decides the format: .csv,
// .svm, .parquet, .npy or .fsa, optionally followed by .gz or .zst. The labels of the blocks
// become the column y, the labels of the format, or another file.
func Create(path string, s *data.Schema, rows int) (*Output, error) {
	i := slices.IndexFunc(formats, func(f format) bool { return f.create != nil && f.ext[0] == ending(path) })
	if i < 0 {
		return nil, usageError(path + ": the name must end in " + written(func(*format) bool { return true }) + ", optionally followed by .gz or .zst")
	}
	kind := &formats[i]
	if s.Sparse && kind.response != inLabel {
		return nil, usageError(path + ": a sparse table is written as " + written(func(f *format) bool { return f.response == inLabel }))
	}
	f, err := CreateFile(path)
	if err != nil {
		return nil, err
	}
	out := &Output{path: path, response: kind.response, width: s.Width, file: f, start: &first{w: f}}
	if kind.response == inColumn {
		s = withResponse(s)
	}
	if out.w, err = kind.create(out.start, s, rows); err != nil {
		f.Abort()
		return nil, err
	}
	return out, nil
}

// written lists the extensions of some of the formats that can be written.
func written(some func(f *format) bool) string {
	var list []string
	for i := range formats {
		if f := &formats[i]; f.create != nil && some(f) {
			list = append(list, f.ext[0])
		}
	}
	last := len(list) - 1
	return strings.Join(list[:last], ", ") + " or " + list[last]
}

// withResponse returns the schema with y as an additional last column.
func withResponse(s *data.Schema) *data.Schema {
	names := make([]string, 0, s.Width+1)
	for j := range s.Width {
		names = append(names, s.Name(j))
	}
	return &data.Schema{Width: s.Width + 1, Names: append(names, "y"), Categories: s.Categories}
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

// Commit completes the table, the file of its labels and the other files, and renames all of them
// or none.
func (o *Output) Commit(with ...*File) error {
	defer o.Abort()
	err := o.w.Close()
	files, unfinished := finished(append([]*File{o.file}, with...))
	if err := errors.Join(err, unfinished); err != nil {
		return err
	}
	if o.response == inFile {
		labels, err := atomicfile.Create(Stem(o.path) + ".y.npy")
		if err != nil {
			return err
		}
		defer labels.Abort()
		if err := npy.WriteSealedVector(labels, o.labels, o.start.seal()); err != nil {
			return err
		}
		files = append(files, labels)
	}
	return atomicfile.CommitAll(files...)
}

// Abort removes the output, unless it was committed.
func (o *Output) Abort() { o.file.Abort() }
