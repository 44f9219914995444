// Package open finds out what kind of file it is given and opens it as a
// table. Names decide where they are clear (train.csv, x.npy), contents where
// they are not; gzip and zstd are looked through in any case.
package open

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"fsa/data"
	"fsa/data/challenge"
	"fsa/data/csv"
	"fsa/data/npy"
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
	// Categorical names columns of a text table that hold texts even where
	// they look like numbers.
	Categorical []string
	// Memory is how many bytes learning from a table may take; 0 means any
	// number. A table that does not fit stays in its file, if it can.
	Memory int64
}

// input is an opened file. A format takes it as a stream or at random.
type input struct {
	path   string
	stream *bufio.Reader // decompressed
	file   *os.File      // nil for standard input
	plain  bool          // not compressed
	closer func() error
}

// format is a kind of file: a new one is a package and a line in formats.
type format struct {
	name  string
	ext   []string
	sniff func(head []byte) bool
	open  func(in *input, o *Options) (data.Reader, error)
}

var formats = []format{
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
	for _, f := range formats[:len(formats)-1] {
		names = append(names, f.name)
	}
	return names
}

const headBytes = 64 << 10

// Reader opens a table; path "-" is standard input.
func Reader(path string, o Options) (data.Reader, error) {
	in, err := open(path)
	if err != nil {
		return nil, err
	}
	head, err := in.stream.Peek(headBytes)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, bufio.ErrBufferFull) {
		in.closer()
		return nil, &data.Error{File: path, Msg: "cannot be read", Err: err}
	}
	if len(head) == 0 {
		in.closer()
		return nil, &data.Error{File: path, Msg: "the file is empty"}
	}
	f, err := choose(path, head, o.Format)
	if err != nil {
		in.closer()
		return nil, err
	}
	r, err := f.open(in, &o)
	if err != nil {
		in.closer()
		return nil, err
	}
	return &reader{Reader: r, close: in.closer}, nil
}

// reader closes the file below a format's reader too.
type reader struct {
	data.Reader
	close func() error
}

func (r *reader) Close() error { return errors.Join(r.Reader.Close(), r.close()) }

// choose picks the format by what it is called, by the file's name, or by its
// contents.
func choose(path string, head []byte, name string) (*format, error) {
	ext := strings.ToLower(filepath.Ext(uncompressed(path)))
	for i := range formats {
		f := &formats[i]
		if name != "" {
			if f.name == name {
				return f, nil
			}
			continue
		}
		for _, e := range f.ext {
			if e == ext {
				return f, nil
			}
		}
	}
	if name != "" {
		return nil, fmt.Errorf("unknown format %q: it must be %s", name, strings.Join(Names(), ", "))
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

// uncompressed returns the name without the ending of a compressor.
func uncompressed(path string) string {
	for _, ext := range []string{".gz", ".zst", ".zstd"} {
		if cut, ok := strings.CutSuffix(path, ext); ok {
			return cut
		}
	}
	return path
}

// Stem returns the path without the endings of a format and a compressor.
func Stem(path string) string {
	path = uncompressed(path)
	return strings.TrimSuffix(path, filepath.Ext(path))
}

// open opens a file and what it is compressed with.
func open(path string) (*input, error) {
	in := &input{path: path, plain: true, closer: func() error { return nil }}
	var raw io.Reader = os.Stdin
	if path != "-" {
		f, err := os.Open(path)
		if err != nil {
			return nil, err
		}
		if info, err := f.Stat(); err == nil && info.IsDir() {
			f.Close()
			return nil, &data.Error{File: path, Msg: "this is a folder: name the file in it"}
		}
		in.file, in.closer, raw = f, f.Close, f
	}
	in.stream = bufio.NewReaderSize(raw, headBytes)
	head, _ := in.stream.Peek(4)
	switch {
	case bytes.HasPrefix(head, []byte{0x1f, 0x8b}):
		z, err := gzip.NewReader(in.stream)
		if err != nil {
			in.closer()
			return nil, &data.Error{File: path, Msg: "the gzip header is damaged", Err: err}
		}
		in.plain, in.stream = false, bufio.NewReaderSize(&compressed{z, path}, headBytes)
	case bytes.Equal(head, []byte{0x28, 0xb5, 0x2f, 0xfd}):
		z, err := zstd.NewReader(in.stream, zstd.WithDecoderMaxMemory(1<<30))
		if err != nil {
			in.closer()
			return nil, &data.Error{File: path, Msg: "the zstd header is damaged", Err: err}
		}
		in.plain, in.stream = false, bufio.NewReaderSize(&compressed{z, path}, headBytes)
		below := in.closer
		in.closer = func() error { z.Close(); return below() }
	}
	return in, nil
}

// compressed blames the file for what its decompressor does not understand.
type compressed struct {
	io.Reader
	path string
}

func (c *compressed) Read(p []byte) (int, error) {
	n, err := c.Reader.Read(p)
	if err != nil && !errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		err = &data.Error{File: c.path, Msg: "the compressed file is cut or damaged", Err: err}
	}
	return n, err
}

// at returns the contents for random access: the file, or all of the stream.
func (in *input) at() (io.ReaderAt, int64, error) {
	if in.file != nil && in.plain {
		info, err := in.file.Stat()
		if err == nil && info.Mode().IsRegular() {
			return in.file, info.Size(), nil
		}
	}
	all, err := io.ReadAll(in.stream)
	if err != nil {
		return nil, 0, &data.Error{File: in.path, Msg: "cannot be read to its end", Err: err}
	}
	return bytes.NewReader(all), int64(len(all)), nil
}

func openNPY(in *input, _ *Options) (data.Reader, error) {
	if in.file != nil && in.plain {
		if info, err := in.file.Stat(); err == nil && info.Mode().IsRegular() {
			return npy.Open(in.path)
		}
	}
	return npy.NewReader(in.stream, in.path)
}

func openNPZ(in *input, _ *Options) (data.Reader, error) {
	r, size, err := in.at()
	if err != nil {
		return nil, err
	}
	return npy.NewNPZReader(r, size, in.path, "")
}

func openParquet(in *input, _ *Options) (data.Reader, error) {
	r, size, err := in.at()
	if err != nil {
		return nil, err
	}
	return parquet.NewReader(r, size, in.path)
}

func openSVMLight(in *input, _ *Options) (data.Reader, error) {
	return svmlight.NewReader(in.stream, in.path, svmlight.Options{})
}

func openCSV(in *input, o *Options) (data.Reader, error) {
	return csv.NewReader(in.stream, in.path, csv.Options{Header: o.Header, Categorical: o.Categorical})
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
		return challenge.ParseParam(f, name)
	}
	return challenge.Options{}, nil
}
