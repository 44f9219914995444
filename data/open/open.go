// Package open finds out what kind of file it is given and opens it as a
// table. Names decide where they are clear (train.csv, x.npy), contents where
// they are not; gzip and zstd are looked through in any case. An array of an
// .npz archive is called FILE.npz:ARRAY.
package open

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"fsa/data"
	"fsa/data/csv"
	"fsa/data/kind"
)

// Options say how to read what a file does not say itself.
type Options struct {
	// Format names the format; empty means to find out.
	Format string
	// Header says whether the first row of a text table names the columns:
	// yes, no, or auto, also "".
	Header string
	// IndexBase is the index of the first column of an svmlight file: 0, or 1,
	// also "". Files of other formats are refused with it.
	IndexBase string
	// Categorical names columns of a text table that hold texts even where
	// they look like numbers. [Reader] uses those that it finds, since a
	// model says better what it lacks; [Table] refuses others.
	Categorical []string
	// Skip names columns that nobody will look at. Formats that can do so do
	// not read them: their cells are missing then, and may be of any kind.
	// [Table] adds the columns that its roles drop.
	Skip []string
	// More names files that go on where the table ends, as if all were one; see [Expand].
	More []string
	// Names is a file that names the columns of a table without names, one on each line.
	Names string
	// Only names the columns that somebody will look at; nil for all. Formats that can
	// do so do not read others.
	Only []string
	// Kinds says what columns of a text table hold, by their names, so that their cells
	// do not decide: a model says so.
	Kinds map[string]kind.Column
	// Hints say how numbers and dates of a text table are written, where cells leave doubt.
	Hints kind.Hints
	// Tolerant makes cells of a text table that cannot be read missing ones; see [Bad].
	Tolerant bool
	// Memory is how many bytes learning from a table may take; 0 means any
	// number. A table that does not fit stays in its file, or is brought into
	// a temporary one.
	Memory int64
	// Assumed says that nobody asked for Memory: it is what the machine has. Then what
	// can be read only once goes into memory as far as it fits, and not into a
	// temporary file first.
	Assumed bool
	// Least is how many columns of a dense table have to fit in any case.
	Least int
	// Whole names what needs all of the table in memory, such as a flag: then a
	// table that does not fit is refused. Empty if nothing does.
	Whole string
	// Note is told what takes time without being asked for; nil for nobody.
	Note func(format string, a ...any)
	// Reading is told how many bytes of a stream were read, and of how many, or 0
	// where that is not known; nil for nobody. It may be called from any goroutine.
	Reading func(read, size int64)
}

// ErrUsage is wrapped by errors that blame the call and not the input: the
// name of a format, or the ending of a file to write, that is not known.
var ErrUsage = errors.New("wrong use")

type usageError string

func (e usageError) Error() string { return string(e) }
func (e usageError) Unwrap() error { return ErrUsage }

// Reader opens a table; path "-" is standard input. That or a pipe may keep its
// reader waiting for ever, so the end of the context is the end of it, now and in
// calls of Next.
func Reader(ctx context.Context, path string, o Options) (data.Reader, error) {
	r, err := openReader(ctx, path, &o)
	if err != nil {
		return nil, err
	}
	return r, nil
}

// Bad lists the cells that a tolerant reader of a text table could not read so far.
func Bad(r data.Reader) []csv.Bad {
	if opened, ok := r.(*reader); ok {
		if table, ok := opened.Reader.(*csv.Reader); ok {
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
	r, err := in.reader(o)
	if err == nil && o.Names != "" {
		err = r.nameColumns(ctx, path, o.Names)
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

// reader closes the file below a format's reader too.
type reader struct {
	data.Reader
	format *format
	in     *input
	kept   bool // the file stays open, as somebody reads it at random

	several bool     // there are more files, which nobody has looked at
	names   []string // of columns, from elsewhere
	memory  int64    // that may be used; 0 for any
	texts   texts
}

func (r *reader) Close() error {
	err := r.Reader.Close()
	if !r.kept {
		err = errors.Join(err, r.in.closer())
	}
	return err
}

// labeller is a reader that knows whether rows carry their responses besides their
// cells.
type labeller interface{ HasLabels() bool }

// labelled reports that they do.
func (r *reader) labelled() bool {
	l, ok := r.Reader.(labeller)
	return ok && l.HasLabels()
}

// progress returns the share of a file that was read, 0 if that is not known.
// It is a little ahead of the rows.
func (r *reader) progress() float64 {
	if r.in.random || r.in.file == nil || r.several {
		return 0
	}
	info, err := r.in.file.Stat()
	if err != nil || info.Size() == 0 {
		return 0
	}
	at, err := r.in.file.Seek(0, io.SeekCurrent)
	if err != nil {
		return 0
	}
	return float64(at) / float64(info.Size())
}

// reader opens the input in its format.
func (in *input) reader(o *Options) (*reader, error) {
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
	r, err := f.open(in, o)
	if err != nil {
		return nil, err
	}
	return &reader{Reader: r, format: f, in: in, memory: o.Memory}, nil
}

// checkIndexBase refuses a base of indices that makes no sense.
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
