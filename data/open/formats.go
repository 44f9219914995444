package open

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"fsa/data"
	"fsa/data/arrow"
	"fsa/data/challenge"
	"fsa/data/csv"
	"fsa/data/npy"
	"fsa/data/panel"
	"fsa/data/parquet"
	"fsa/data/svmlight"
)

// format is a kind of file and what it can do: a new one is a package and a line in
// formats. What only an opened file can tell are methods of its reader: [data.Sized],
// [data.Store], inPlacer and labeller.
type format struct {
	name string
	// ext lists the endings of names that tell it; files that are written have the
	// first.
	ext []string
	// sniff tells it by the start of the contents, guess where nothing else is left.
	sniff, guess func(head []byte) bool
	open         func(in *input, o *Options) (data.Reader, error)

	declares  bool // columns can be declared as categorical
	indexBase bool // columns are numbered, and the file does not say from where on
	archive   bool // a file holds several arrays, and FILE:ARRAY is one of them

	// vector reads a file that holds one value for each row of a table; nil if the
	// format has no such files.
	vector func(in *input) (*data.Vector, error)
	// target looks for a target in the file of a table. Beside says what the file beside
	// it that holds one ends in, by the ending of the table.
	target func(in *input) (*data.Vector, error)
	beside map[string][]string

	// create begins a file of about so many rows; nil if the format is not written.
	create   func(w io.Writer, s *data.Schema, rows int) (data.Writer, error)
	response place // of a row in such a file
}

// place is where a format keeps the response of a row.
type place int

const (
	inColumn place = iota // a column called y, the last
	inLabel               // a place of its own
	inFile                // another file, X.y.npy beside X.npy
)

var formats = []format{
	{name: "fsa", ext: []string{".fsa"}, sniff: panel.Sniff, open: openPanel, beside: map[string][]string{".fsa": {".y.npy", ".labels"}}, create: createPanel, response: inLabel},
	{name: "npy", ext: []string{".npy"}, sniff: npy.Sniff, open: openNPY, vector: npyVector, beside: map[string][]string{".npy": {".y.npy"}}, create: createNPY, response: inFile},
	{name: "npz", ext: []string{".npz"}, sniff: npy.SniffNPZ, open: openNPZ, archive: true, vector: npzVector, target: npzTarget, beside: map[string][]string{".npz": {".y.npy"}}},
	{name: "parquet", ext: []string{".parquet", ".pq"}, sniff: parquet.Sniff, open: openParquet, create: createParquet},
	{name: "arrow", ext: []string{".arrow", ".feather", ".ipc", ".arrows"}, sniff: arrow.Sniff, open: openArrow},
	{name: "svmlight", ext: []string{".svm", ".svmlight", ".libsvm"}, sniff: svmlight.Sniff, open: openSVMLight, indexBase: true, create: createSVMLight, response: inLabel},
	{name: "csv", ext: []string{".csv", ".tsv"}, sniff: separated, guess: csv.Sniff, open: openCSV, declares: true, vector: textVector, beside: labelFiles, create: createCSV},
	{name: "challenge", sniff: challenge.Sniff, open: openChallenge, beside: labelFiles},
}

// labelFiles are what a challenge has beside its .data files.
var labelFiles = map[string][]string{".data": {".labels", ".labels.gz"}}

// Names returns the names of the formats.
func Names() []string { return namesOf(func(*format) bool { return true }) }

// namesOf returns the names of some formats.
func namesOf(some func(f *format) bool) []string {
	var names []string
	for i := range formats {
		if some(&formats[i]) {
			names = append(names, formats[i].name)
		}
	}
	return names
}

// choose picks the format by what it is called, by the file's name, or by its
// contents.
func choose(path string, head []byte, name string) (*format, error) {
	by := func(is func(f *format) bool) *format {
		if i := slices.IndexFunc(formats, func(f format) bool { return is(&f) }); i >= 0 {
			return &formats[i]
		}
		return nil
	}
	if name != "" {
		if f := by(func(f *format) bool { return f.name == name }); f != nil {
			return f, nil
		}
		return nil, usageError(fmt.Sprintf("unknown format %q: it must be one of %s", name, strings.Join(Names(), ", ")))
	}
	if err := checkForeign(path, head); err != nil {
		return nil, err
	}
	for _, is := range []func(f *format) bool{
		func(f *format) bool { return slices.Contains(f.ext, ending(path)) },
		func(f *format) bool { return f.sniff(head) },
		func(f *format) bool { return f.guess != nil && f.guess(head) },
	} {
		if f := by(is); f != nil {
			return f, nil
		}
	}
	return nil, &data.Error{File: path, Msg: "this is no table that can be read (" + strings.Join(Names(), ", ") + ", each also compressed with gzip or zstd)"}
}

// ending returns what tells the format in a name.
func ending(path string) string { return strings.ToLower(filepath.Ext(uncompressed(path))) }

// findBeside returns the target that lies in the file of a table or beside it, nil if
// there is none.
func (f *format) findBeside(ctx context.Context, path string) (*data.Vector, error) {
	file, _ := splitArray(path)
	if f.target != nil && slices.Contains(f.ext, ending(file)) {
		if v, err := f.inside(ctx, path); v != nil || err != nil {
			return v, err
		}
	}
	for _, end := range f.beside[ending(file)] {
		v, of, err := sealedVector(ctx, Stem(file)+end)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err == nil {
			err = checkPair(ctx, path, Stem(file)+end, of)
		}
		return v, err
	}
	return nil, nil
}

// inside returns the target that lies in the file of a table.
func (f *format) inside(ctx context.Context, path string) (*data.Vector, error) {
	in, err := open(ctx, path)
	if err != nil {
		return nil, err
	}
	defer in.closer()
	return f.target(in)
}

// splitArray cuts FILE:ARRAY where FILE is called as an archive is, unless there is a
// file of that whole name.
func splitArray(path string) (file, array string) {
	for _, f := range formats {
		for _, ext := range f.ext {
			i := strings.LastIndex(path, ext+":")
			if !f.archive || i < 0 {
				continue
			}
			if _, err := os.Stat(path); err != nil {
				i += len(ext)
				return path[:i], path[i+1:]
			}
		}
	}
	return path, ""
}

// separated reports whether the first line has cells between separators that
// only tables of that kind have.
func separated(head []byte) bool {
	line, _, _ := bytes.Cut(head, []byte("\n"))
	return csv.Sniff(head) && bytes.ContainsAny(line, ",;\t|")
}
