// Package open finds out what kind of file it is given and opens it as a
// table. Names decide where they are clear (train.csv, x.npy), contents where
// they are not; gzip and zstd are looked through in any case. An array of an
// .npz archive is called FILE.npz:ARRAY.
package open

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"fsa/data"
	"fsa/data/challenge"
	"fsa/data/csv"
	"fsa/data/npy"
	"fsa/data/panel"
	"fsa/data/parquet"
	"fsa/data/svmlight"
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
	// Lenient takes numbers with other signs, such as $5, for texts, where they are
	// refused otherwise: few columns of the table are looked at.
	Lenient bool
	// Memory is how many bytes learning from a table may take; 0 means any
	// number. A table that does not fit stays in its file, or is brought into
	// a temporary one.
	Memory int64
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

// format is a kind of file: a new one is a package and a line in formats.
type format struct {
	name  string
	ext   []string
	sniff func(head []byte) bool
	open  func(in *input, o *Options) (data.Reader, error)
}

var formats = []format{
	{"fsa", []string{".fsa"}, panel.Sniff, openPanel},
	{"npy", []string{".npy"}, npy.Sniff, openNPY},
	{"npz", []string{".npz"}, npy.SniffNPZ, openNPZ},
	{"parquet", []string{".parquet", ".pq"}, parquet.Sniff, openParquet},
	{"svmlight", []string{".svm", ".svmlight", ".libsvm"}, svmlight.Sniff, openSVMLight},
	{"csv", []string{".csv", ".tsv"}, separated, openCSV},
	{"challenge", nil, challenge.Sniff, openChallenge},
	{"csv", nil, csv.Sniff, openCSV},
}

// Names returns the names of the formats.
func Names() []string {
	var names []string
	for _, f := range formats {
		if !slices.Contains(names, f.name) { // one that is told in two ways has two lines
			names = append(names, f.name)
		}
	}
	return names
}

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

func openReader(ctx context.Context, path string, o *Options) (*reader, error) {
	in, err := open(ctx, path)
	if err != nil {
		return nil, err
	}
	in.spill = o.Memory > 0
	if o.Reading != nil {
		in.watch(o.Reading)
	}
	r, err := in.reader(o)
	if err != nil {
		in.closer()
		return nil, err
	}
	return r, nil
}

// reader closes the file below a format's reader too.
type reader struct {
	data.Reader
	format string
	plain  bool     // a file whose bytes are the contents
	file   *os.File // that is read from its start to its end; nil if it is not
	once   bool     // it cannot be opened again, and begin at its start
	close  func() error
}

func (r *reader) Close() error { return errors.Join(r.Reader.Close(), r.close()) }

// progress returns the share of a file that was read, 0 if that is not known.
// It is a little ahead of the rows.
func (r *reader) progress() float64 {
	if r.file == nil {
		return 0
	}
	info, err := r.file.Stat()
	if err != nil || info.Size() == 0 {
		return 0
	}
	at, err := r.file.Seek(0, io.SeekCurrent)
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
	if err := o.checkIndexBase(in.path, f.name); err != nil {
		return nil, err
	}
	r, err := f.open(in, o)
	if err != nil {
		return nil, err
	}
	_, plain := in.regular()
	out := &reader{Reader: r, format: f.name, plain: plain, once: in.flows(), close: in.closer}
	if !in.random {
		out.file = in.file
	}
	return out, nil
}

// checkIndexBase refuses a base of indices that makes no sense.
func (o *Options) checkIndexBase(path, format string) error {
	switch o.IndexBase {
	case "":
		return nil
	case "0", "1":
	default:
		return usageError(fmt.Sprintf("unknown index base %q: it must be 0 or 1", o.IndexBase))
	}
	if format != "svmlight" {
		return &data.Error{File: path, Msg: fmt.Sprintf("an index base is for svmlight files only, and this is read as %s", format)}
	}
	return nil
}

// choose picks the format by what it is called, by the file's name, or by its
// contents.
func choose(path string, head []byte, name string) (*format, error) {
	ext := strings.ToLower(filepath.Ext(uncompressed(path)))
	for i := range formats {
		f := &formats[i]
		if name != "" && f.name == name || name == "" && slices.Contains(f.ext, ext) {
			return f, nil
		}
	}
	if name != "" {
		return nil, usageError(fmt.Sprintf("unknown format %q: it must be one of %s", name, strings.Join(Names(), ", ")))
	}
	for i := range formats {
		if formats[i].sniff(head) {
			return &formats[i], nil
		}
	}
	return nil, &data.Error{File: path, Msg: "this is no table that can be read (" + strings.Join(Names(), ", ") + ", each also compressed with gzip or zstd)"}
}

// separated reports whether the first line has cells between separators that
// only tables of that kind have.
func separated(head []byte) bool {
	line, _, _ := bytes.Cut(head, []byte("\n"))
	return csv.Sniff(head) && bytes.ContainsAny(line, ",;\t|")
}

func openNPY(in *input, _ *Options) (data.Reader, error) {
	if _, ok := in.regular(); ok {
		in.random = true
		return npy.Open(in.path)
	}
	return npy.NewReader(in.stream, in.path)
}

func openNPZ(in *input, _ *Options) (data.Reader, error) {
	r, size, err := in.at()
	if err != nil {
		return nil, err
	}
	return npy.NewNPZReader(r, size, in.path, in.array)
}

func openParquet(in *input, o *Options) (data.Reader, error) {
	r, size, err := in.at()
	if err != nil {
		return nil, err
	}
	return parquet.NewReaderWith(r, size, in.path, parquet.Options{Skip: o.Skip})
}

func openPanel(in *input, _ *Options) (data.Reader, error) {
	r, size, err := in.at()
	if err != nil {
		return nil, err
	}
	return panel.NewReader(r, size, in.path)
}

func openSVMLight(in *input, o *Options) (data.Reader, error) {
	return svmlight.NewReader(in.stream, in.path, svmlight.Options{FromZero: o.IndexBase == "0"})
}

func openCSV(in *input, o *Options) (data.Reader, error) {
	return csv.NewReader(in.stream, in.path, csv.Options{Header: o.Header, Categorical: o.Categorical, Skip: o.Skip, Lenient: o.Lenient})
}

func openChallenge(in *input, _ *Options) (data.Reader, error) {
	o, err := challengeParam(in.path)
	if err != nil {
		return nil, err
	}
	return challenge.NewReader(in.stream, in.path, o)
}

// challengeParam reads the .param file beside a challenge's data: dexter.param
// for dexter_train.data.
func challengeParam(path string) (challenge.Options, error) {
	base := strings.TrimSuffix(uncompressed(path), ".data")
	names := []string{base + ".param"}
	if i := strings.LastIndex(filepath.Base(base), "_"); i > 0 {
		names = append(names, filepath.Join(filepath.Dir(base), filepath.Base(base)[:i])+".param")
	}
	for _, name := range names {
		f, err := os.Open(name)
		if err != nil {
			continue
		}
		defer f.Close()
		return challenge.ParseParam(bare{f}, name)
	}
	return challenge.Options{}, nil
}
