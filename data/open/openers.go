package open

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"io"
	"io/fs"
	"path/filepath"
	"strings"

	"fsa/data"
	"fsa/internal/format/arrow"
	"fsa/internal/format/challenge"
	"fsa/internal/format/csv"
	"fsa/internal/format/h5ad"
	"fsa/internal/format/npy"
	"fsa/internal/format/panel"
	"fsa/internal/format/parquet"
	"fsa/internal/format/svmlight"
)

// Functions that open and create the formats.

func openNPY(in *input, _ *Options) (data.Reader, error) {
	if _, ok := in.regular(); ok && in.file != nil {
		in.random = true
		return npy.Open(in.path)
	}
	if in.inColumns() && temporaries {
		f, err := in.copied(nil)
		if err != nil {
			return nil, err
		}
		return npy.OpenFile(f, in.path)
	}
	return npy.NewReader(in.stream, in.path)
}

// inColumns reports whether an array is stored by columns, so that its first row is known only
// after nearly all of it has been read.
func (in *input) inColumns() bool {
	head, _ := in.head()
	h, _, err := npy.ReadHeader(bytes.NewReader(head), in.path)
	return err == nil && h.Fortran && h.Bytes() > inMemory
}

func createNPY(w io.Writer, s *data.Schema, rows int) (data.Writer, error) {
	return npy.NewWriter(w, rows, s.Width)
}

func openNPZ(in *input, _ *Options) (data.Reader, error) {
	r, size, err := in.at()
	if err != nil {
		return nil, err
	}
	array, err := npy.NewNPZReader(r, size, in.path, in.array)
	if err != nil {
		return nil, err
	}
	if a, ok := array.(*npy.Reader); ok && a.InColumns() > inMemory && temporaries {
		if err := spillArray(in.ctx, a); err != nil {
			a.Close()
			return nil, err
		}
	}
	return array, nil
}

// spillArray copies an array of an archive to a temporary file.
func spillArray(ctx context.Context, a *npy.Reader) error {
	f, err := temporary()
	if err != nil {
		return err
	}
	if err := a.Spill(ctx, f); err != nil {
		f.Close()
		return err
	}
	return nil
}

// npzTarget returns the target in the archive of a table, or nil if there is none.
func npzTarget(in *input) (*data.Vector, error) {
	r, size, err := in.at()
	if err != nil {
		return nil, err
	}
	arrays, err := npy.ListNPZ(r, size, in.path)
	if err != nil {
		return nil, err
	}
	for _, name := range []string{"y", "target", "labels"} {
		// The array may be the table itself: the requested one, or the only one.
		if isVector(arrays[name].Shape) && name != in.array && len(arrays) > 1 {
			return npzArray(r, size, in.path, name)
		}
	}
	return nil, nil
}

// isVector reports whether an array of this shape has one value per row.
func isVector(shape []int) bool { return len(shape) == 1 || len(shape) == 2 && shape[1] == 1 }

func openH5AD(in *input, o *Options) (data.Reader, error) {
	r, size, err := in.at()
	if err != nil {
		return nil, err
	}
	return h5ad.NewReader(r, size, in.path, in.array, cmp.Or(o.Memory, o.textBytes())/columnsShare)
}

func openParquet(in *input, o *Options) (data.Reader, error) {
	r, size, err := in.at()
	if err != nil {
		return nil, err
	}
	return parquet.NewReaderWith(r, size, in.path, parquet.Options{Skip: o.Skip, Only: o.Only, Kinds: o.Kinds, Memory: o.Memory / 2})
}

func openArrow(in *input, o *Options) (data.Reader, error) {
	r, size, err := in.at()
	if err != nil {
		return nil, err
	}
	return arrow.NewReader(r, size, in.path, arrow.Options{Skip: o.Skip, Only: o.Only, Kinds: o.Kinds, Memory: o.Memory / 2})
}

func createParquet(w io.Writer, s *data.Schema, rows int) (data.Writer, error) {
	return parquet.NewWriter(w, s, rows)
}

func createArrow(w io.Writer, s *data.Schema, _ int) (data.Writer, error) {
	return arrow.NewWriter(w, s)
}

func openPanel(in *input, o *Options) (data.Reader, error) {
	r, size, err := in.at()
	if err != nil {
		return nil, err
	}
	p, err := panel.NewReader(r, size, in.path)
	if err != nil {
		return nil, err
	}
	p.Memory = o.Memory / 4
	return p, nil
}

func createPanel(w io.Writer, s *data.Schema, rows int) (data.Writer, error) {
	return panel.NewWriter(w, s, rows, panel.Options{})
}

func openSVMLight(in *input, o *Options) (data.Reader, error) {
	return svmlight.NewReader(in.stream, in.path, svmlight.Options{FromZero: o.IndexBase == "0", Memory: o.Memory / 4})
}

func createSVMLight(w io.Writer, s *data.Schema, _ int) (data.Writer, error) {
	return svmlight.NewWriter(w, s)
}

func openCSV(in *input, o *Options) (data.Reader, error) {
	r, err := csv.NewReader(in.stream, in.path, o.text(in))
	if err != nil {
		return nil, o.tooWide(in.path, err)
	}
	return r, nil
}

// text returns the options for reading a text table.
func (o *Options) text(in *input) csv.Options {
	return csv.Options{
		Header: o.Header, Categorical: o.Categorical, Skip: o.Skip, Only: o.Only, Kinds: o.Kinds, Hints: o.Hints, Tolerant: o.Tolerant,
		Memory: o.Memory / 4, Columns: o.mostTextColumns(), Stop: in.ctx.Err,
	}
}

func createCSV(w io.Writer, s *data.Schema, _ int) (data.Writer, error) { return csv.NewWriter(w, s) }

func openChallenge(in *input, _ *Options) (data.Reader, error) {
	o, err := challengeParam(in.ctx, in.path)
	if err != nil {
		return nil, err
	}
	return challenge.NewReader(in.stream, in.path, o)
}

// challengeParam reads the .param file beside a challenge's data: dexter.param
// for dexter_train.data.
func challengeParam(ctx context.Context, path string) (challenge.Options, error) {
	base := strings.TrimSuffix(uncompressed(path), ".data")
	names := []string{base + ".param"}
	if i := strings.LastIndex(filepath.Base(base), "_"); i > 0 {
		names = append(names, filepath.Join(filepath.Dir(base), filepath.Base(base)[:i])+".param")
	}
	for _, name := range names {
		f, err := Small(ctx, name)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return challenge.Options{}, err
		}
		defer f.Close()
		return challenge.ParseParam(f, name)
	}
	return challenge.Options{}, nil
}
