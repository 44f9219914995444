package open

import (
	"context"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"fsa/data"
	"fsa/internal/atomicfile"
	"fsa/internal/format/csv"
)

// File is a file that appears when it is complete. Its contents are compressed if the name
// ends in .gz or .zst.
type File struct {
	io.Writer
	named    *atomicfile.File
	compress io.Closer // nil if the file is not compressed
	path     string
	format   *format // format of [File.WriteTable]; nil for CSV
}

// CreateCSV creates a text table. Apart from .gz or .zst, the name must end in .csv or .txt or
// have no extension.
func CreateCSV(path string) (*File, error) {
	switch ending(path) {
	case ".csv", ".txt", "":
		return CreateFile(path)
	}
	return nil, usageError(path + ": this file is written as CSV: the name must end in .csv or .txt, optionally followed by .gz or .zst")
}

// CreateTable creates a file for a table of numbers and texts. Its extension determines the format:
// CSV for no extension, .csv or .txt; otherwise .parquet, .arrow, .jsonl or .xlsx. Each may be followed by
// .gz or .zst. CSV is written to the file directly, and other formats with [File.WriteTable].
func CreateTable(path string) (*File, error) {
	end := ending(path)
	i := slices.IndexFunc(formats, func(f format) bool { return f.texts && slices.Contains(f.ext, end) })
	if i < 0 && end != ".txt" && end != "" {
		return nil, usageError(path + ": the name must end in " + written(func(f *format) bool { return f.texts }) + ", optionally followed by .gz or .zst")
	}
	f, err := CreateFile(path)
	if err == nil && i >= 0 && formats[i].name != "csv" {
		f.format = &formats[i]
	}
	return f, err
}

// IsCSV reports whether CSV is written to the file.
func (f *File) IsCSV() bool { return f.format == nil }

// WriteTable writes a table that is given as CSV with a header, in which the named columns are
// texts and all others are numbers. Memory is the number of bytes that may be used; 0 means no limit.
func (f *File) WriteTable(ctx context.Context, text io.Reader, columns []string, memory int64) error {
	o := csv.Options{Header: "yes", Comma: ',', Categorical: columns, Memory: memory / 4, Numeric: len(columns) == 0}
	r, err := csv.NewReader(text, f.path, o)
	if err != nil {
		return err
	}
	defer r.Close()
	w, err := f.format.create(f, r.Schema(), 0)
	if err != nil {
		return err
	}
	seen := new(texts)
	for b, err := range data.Blocks(ctx, r) {
		if err != nil {
			return err
		}
		if err := seen.check(f.path, r.Schema(), memory); err != nil {
			return err
		}
		if err := w.Write(b); err != nil {
			return err
		}
	}
	return w.Close()
}

// CreateFile creates a file with any name, for example one that appears together with a table.
func CreateFile(path string) (*File, error) {
	f, err := atomicfile.Create(path)
	if err != nil {
		return nil, err
	}
	out := &File{Writer: f, named: f, path: path}
	switch strings.ToLower(filepath.Ext(path)) {
	case ".gz":
		z := gzip.NewWriter(f)
		out.Writer, out.compress = z, z
	case ".zst", ".zstd":
		z, err := zstd.NewWriter(f)
		if err != nil {
			f.Abort()
			return nil, err
		}
		out.Writer, out.compress = z, z
	}
	return out, nil
}

// finish completes the compressed stream.
func (f *File) finish() error {
	if f.compress == nil {
		return nil
	}
	return f.compress.Close()
}

// Commit completes this file and the others, and renames all of them or none.
func (f *File) Commit(with ...*File) error {
	files, err := finished(append([]*File{f}, with...))
	if err != nil {
		return err
	}
	return atomicfile.CommitAll(files...)
}

// finished completes the compressed streams of files that will be renamed together.
func finished(list []*File) ([]*atomicfile.File, error) {
	files := make([]*atomicfile.File, len(list))
	for i, f := range list {
		if err := f.finish(); err != nil {
			return nil, err
		}
		files[i] = f.named
	}
	return files, nil
}

// Abort removes the file, unless it was committed.
func (f *File) Abort() { f.named.Abort() }
