package bench

import (
	"bufio"
	"context"
	"errors"
	"os"
	"path/filepath"

	"fsa/data"
	"fsa/data/synth"
	"fsa/internal/format/npy"
)

// tableFiles are the files of a table for peers.
type tableFiles struct{ x, y string }

func newTableFiles(dir string) *tableFiles {
	return &tableFiles{filepath.Join(dir, "X.npy"), filepath.Join(dir, "y.npy")}
}

func (f *tableFiles) remove() error {
	if f == nil {
		return nil
	}
	return errors.Join(os.Remove(f.x), os.Remove(f.y))
}

// table generates a synthetic table and, unless the paths are empty, writes it to files, in the
// float32 precision that fsa uses.
func (b *bencher) table(ctx context.Context, c synth.Config, files *tableFiles) (*data.Dataset, error) {
	r, err := synth.NewReader(c)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	if files == nil {
		return data.Load(ctx, r, "synthetic data", data.Roles{})
	}
	t, err := newTee(r, c, files.x)
	if err != nil {
		return nil, err
	}
	table, err := data.Load(ctx, t, "synthetic data", data.Roles{})
	if err := errors.Join(err, t.finish()); err != nil {
		return nil, err
	}
	y, err := os.Create(files.y)
	if err != nil {
		return nil, err
	}
	return table, errors.Join(npy.WriteVector(y, table.Target.Y), y.Close())
}

// tee writes the blocks that pass through it to a file.
type tee struct {
	data.Reader
	file *os.File
	buf  *bufio.Writer
	w    *npy.Writer
}

var _ data.Reader = (*tee)(nil)

func newTee(r data.Reader, c synth.Config, path string) (*tee, error) {
	f, err := os.Create(path)
	if err != nil {
		return nil, err
	}
	t := &tee{Reader: r, file: f, buf: bufio.NewWriterSize(f, 1<<20)}
	if t.w, err = npy.NewWriter(t.buf, c.N, c.M); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return t, nil
}

// Next implements [data.Reader].
func (t *tee) Next(ctx context.Context) (*data.Block, error) {
	b, err := t.Reader.Next(ctx)
	if err != nil {
		return nil, err
	}
	return b, t.w.Write(b)
}

// finish completes the file.
func (t *tee) finish() error {
	return errors.Join(t.w.Close(), t.buf.Flush(), t.file.Close())
}
