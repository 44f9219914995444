package open

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"fsa/data"
	"fsa/internal/format/arrow"
	"fsa/internal/format/challenge"
	"fsa/internal/format/csv"
	"fsa/internal/format/h5"
	"fsa/internal/format/json"
	"fsa/internal/format/npy"
	"fsa/internal/format/panel"
	"fsa/internal/format/parquet"
	"fsa/internal/format/rds"
	"fsa/internal/format/sqlite"
	"fsa/internal/format/svmlight"
	"fsa/internal/format/xlsx"
)

var formats = []format{
	{name: "fsa", ext: []string{".fsa"}, sniff: panel.Sniff, open: openPanel, beside: map[string][]string{".fsa": {".y.npy", ".labels"}}, create: createPanel, response: inLabel},
	{name: "npy", ext: []string{".npy"}, sniff: npy.Sniff, open: openNPY, vector: npyVector, beside: map[string][]string{".npy": {".y.npy"}}, create: createNPY, response: inFile},
	{name: "npz", ext: []string{".npz"}, sniff: npy.SniffNPZ, open: openNPZ, archive: true, vector: npzVector, target: npzTarget, beside: map[string][]string{".npz": {".y.npy"}}},
	{name: "parquet", ext: []string{".parquet", ".pq"}, sniff: parquet.Sniff, open: openParquet, create: createParquet, texts: true},
	{name: "arrow", ext: []string{".arrow", ".feather", ".ipc", ".arrows"}, sniff: arrow.Sniff, open: openArrow, create: createArrow, texts: true},
	{name: "xlsx", ext: []string{".xlsx", ".xlsm"}, sniff: xlsx.Sniff, open: openXLSX, tables: true, declares: true, certain: true, terse: true, create: createXLSX, texts: true},
	{name: "sqlite", ext: []string{".sqlite", ".sqlite3", ".db", ".db3"}, sniff: sqlite.Sniff, open: openSQLite, tables: true, declares: true, certain: true, terse: true},
	{name: "rds", ext: []string{".rds", ".rda", ".rdata", ".RData"}, sniff: rds.Sniff, open: openRDS, tables: true, declares: true, certain: true, terse: true},
	{name: "h5ad", ext: []string{".h5ad"}, sniff: h5.Sniff, open: openH5AD, tables: true, certain: true},
	{name: "svmlight", ext: []string{".svm", ".svmlight", ".libsvm"}, sniff: svmlight.Sniff, open: openSVMLight, indexBase: true, create: createSVMLight, response: inLabel},
	{name: "json", ext: []string{".jsonl", ".ndjson", ".json"}, sniff: json.Sniff, open: openJSON, declares: true, certain: true, terse: true, create: createJSON, texts: true},
	{name: "csv", ext: []string{".csv", ".tsv"}, sniff: separated, guess: csv.Sniff, open: openCSV, declares: true, encoded: true, vector: textVector, beside: labelFiles, create: createCSV, texts: true},
	{name: "challenge", sniff: challenge.Sniff, open: openChallenge, beside: labelFiles},
}

// labelFiles lists the label files of a challenge, which are beside its .data files.
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

// choose determines the format by its name if it is given, by the extension of the file, or by the
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
		func(f *format) bool { return f.certain && f.sniff(head) },
		func(f *format) bool { return slices.Contains(f.ext, ending(path)) },
		func(f *format) bool { return f.sniff(head) },
		func(f *format) bool { return f.guess != nil && f.guess(head) },
	} {
		if f := by(is); f != nil {
			return f, nil
		}
	}
	return nil, &data.Error{File: path, Msg: "this is not a table in a known format (" + strings.Join(Names(), ", ") + ", each also compressed with gzip or zstd)"}
}

// ending returns the extension that identifies the format.
func ending(path string) string { return strings.ToLower(filepath.Ext(uncompressed(path))) }

// splitArray splits FILE:ARRAY and FILE:TABLE, if FILE has the extension of a format with several
// arrays or tables, and unless there is a file with the whole name.
func splitArray(path string) (file, array string) {
	for _, f := range formats {
		for _, ext := range f.ext {
			i := strings.LastIndex(path, ext+":")
			if !f.archive && !f.tables || i < 0 {
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

// separated reports whether the first line has cells separated by a delimiter that only text tables
// have.
func separated(head []byte) bool {
	line, _, _ := bytes.Cut(head, []byte("\n"))
	return csv.Sniff(head) && bytes.ContainsAny(line, ",;\t|")
}
