package open

import (
	"io"
	"path/filepath"
	"strings"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"fsa/internal/atomicfile"
)

// File is a file that appears when it is complete. What is written to it is
// compressed if its name ends in .gz or .zst.
type File struct {
	io.Writer
	named    *atomicfile.File
	compress io.Closer // nil without
}

// CreateCSV starts a text table. Its name has to end in .csv or .txt or to have no
// ending, before that of a compressor.
func CreateCSV(path string) (*File, error) {
	switch strings.ToLower(filepath.Ext(uncompressed(path))) {
	case ".csv", ".txt", "":
		return CreateFile(path)
	}
	return nil, usageError(path + ": this is written as CSV: the name must end in .csv or .txt, and may then end in .gz or .zst")
}

// CreateFile starts a file of any name, such as one that is to appear together with a table.
func CreateFile(path string) (*File, error) {
	f, err := atomicfile.Create(path)
	if err != nil {
		return nil, err
	}
	out := &File{Writer: f, named: f}
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

// finish ends what is compressed.
func (f *File) finish() error {
	if f.compress == nil {
		return nil
	}
	return f.compress.Close()
}

// Commit completes the file and gives it its name, together with the others, or none
// of them.
func (f *File) Commit(with ...*File) error {
	files, err := finished(append([]*File{f}, with...))
	if err != nil {
		return err
	}
	return atomicfile.CommitAll(files...)
}

// finished ends what is compressed of files, which are to get their names together.
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

// Abort removes what was written, unless it was committed.
func (f *File) Abort() { f.named.Abort() }
