// Package open detects the format of a file and opens it as a table. The extension decides if it is
// known (train.csv, x.npy), and otherwise the contents. gzip and zstd are decompressed for any
// name. An array of an .npz archive is written FILE.npz:ARRAY.
package open

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"fsa/data"
	"fsa/internal/format/s3"
)

// Reader opens a table; path "-" is standard input. Reading from standard input or a pipe may
// block. Cancelling the context ends it, now and in later calls of Next.
func Reader(ctx context.Context, path string, o Options) (data.Reader, error) {
	r, err := openReader(ctx, path, &o)
	if err != nil {
		return nil, err
	}
	return r, nil
}

// Bad lists the cells that a tolerant reader of a text table could not read so far.
func Bad(r data.Reader) []data.Bad {
	if opened, ok := r.(*reader); ok {
		if table, ok := opened.Reader.(interface{ Bad() []data.Bad }); ok {
			return table.Bad()
		}
	}
	return nil
}

func openReader(ctx context.Context, path string, o *Options) (*reader, error) {
	in, err := open(ctx, path)
	if err != nil {
		return nil, err
	}
	in.spill = o.Memory > 0 && !o.Assumed
	if o.Reading != nil {
		in.watch(o.Reading)
	}
	if o.Bytes != nil {
		in.count(o.Bytes)
	}
	if o.folder != nil && o.columns != nil { // those of the file
		own := *o
		own.columns, o = o.columns[:len(o.columns)-len(o.folder.names)], &own
	}
	r, err := in.reader(o)
	if err == nil && o.Names != "" {
		err = r.nameColumns(ctx, path, o.Names)
	}
	if err == nil && o.Texts != nil {
		r.addTexts(o)
	}
	if err == nil && o.folder != nil {
		err = r.addColumns(path, o)
	}
	if err != nil {
		in.closer()
		return nil, err
	}
	if len(o.More) > 0 {
		r.Reader, r.several = newSeveral(r, o.More, o), true
	}
	return r, nil
}

// open opens a file and decompresses it. Cancelling the context ends reading it as a stream.
func open(ctx context.Context, path string) (*input, error) {
	in := &input{ctx: ctx, plain: true, closer: func() error { return nil }}
	in.path, in.array = splitArray(path)
	in.again = func() (*input, error) { return open(ctx, path) }
	var raw io.Reader = bare{os.Stdin}
	if s3.Is(in.path) {
		var err error
		if in.object, err = s3.Open(ctx, in.path); err != nil {
			return nil, err
		}
		in.closer, raw = in.object.Close, io.NewSectionReader(in.object, 0, in.object.Size())
	} else if in.path != "-" {
		f, err := openFile(ctx, in.path)
		if err != nil {
			return nil, err
		}
		if info, err := f.Stat(); err == nil && info.IsDir() {
			f.Close()
			return nil, &data.Error{File: in.path, Msg: "this is a folder: name a file in it"}
		}
		in.file, in.seen, in.closer, raw = f, stampOf(f), f.Close, stopping{ctx, bare{f}}
	}
	if in.isPipe() {
		p := newPipe(ctx, raw)
		below := in.closer
		in.closer = func() error { return errors.Join(p.Close(), below()) }
		raw = p
	}
	in.stream = bufio.NewReaderSize(raw, headBytes)
	if err := in.decompress(); err != nil {
		in.closer()
		return nil, err
	}
	return in, nil
}

// reader opens the input in its format.
func (in *input) reader(o *Options) (*reader, error) {
	if err := in.transcode(o); err != nil {
		return nil, err
	}
	head, err := in.head()
	if err != nil {
		return nil, err
	}
	f, err := choose(in.path, head, o.Format)
	if err != nil {
		return nil, err
	}
	if err := o.checkIndexBase(in.path, f); err != nil {
		return nil, err
	}
	if err := o.checkSQL(in, f); err != nil {
		return nil, err
	}
	if f.encoded {
		if err := in.transcodeTable(o); err != nil {
			return nil, err
		}
	}
	r, err := f.open(in, o)
	if err != nil {
		return nil, err
	}
	return &reader{Reader: r, format: f, in: in, memory: o.Memory}, nil
}

// checkIndexBase returns an error for an invalid base of indices.
func (o *Options) checkIndexBase(path string, f *format) error {
	switch o.IndexBase {
	case "":
		return nil
	case "0", "1":
	default:
		return usageError(fmt.Sprintf("unknown index base %q: it must be 0 or 1", o.IndexBase))
	}
	if !f.indexBase {
		numbered := namesOf(func(f *format) bool { return f.indexBase })
		return &data.Error{File: path, Msg: fmt.Sprintf("an index base is for %s files only, and this is read as %s", strings.Join(numbered, " and "), f.name)}
	}
	return nil
}
