package open

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"fsa/data"
	"fsa/internal/format/npy"
	"fsa/internal/format/panel"
	"fsa/internal/readertest"
)

// file writes a file into a folder of its own and returns its path.
func file(t testing.TB, name, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// pack compresses content the way that the ending of a name tells.
func pack(t testing.TB, ext, content string) string {
	t.Helper()
	var b bytes.Buffer
	var w io.WriteCloser
	switch ext {
	case "":
		return content
	case ".gz":
		w = gzip.NewWriter(&b)
	case ".zst":
		z, err := zstd.NewWriter(&b)
		if err != nil {
			t.Fatal(err)
		}
		w = z
	}
	if _, err := io.WriteString(w, content); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// archive makes an .npz file: tables of three rows and vectors of three.
func archive(t testing.TB, tables, vectors []string) string {
	t.Helper()
	return archiveOf(t, func(z *npy.NPZWriter) {
		for i, name := range tables {
			v := float64(i)
			addTable(t, z, name, 3, v, 1, v, 2, v, 3)
		}
		for i, name := range vectors {
			if err := z.Vector(name, []float64{float64(i), 1, 2}); err != nil {
				t.Fatal(err)
			}
		}
	})
}

// archiveOf makes an .npz file of what fill adds.
func archiveOf(t testing.TB, fill func(z *npy.NPZWriter)) string {
	t.Helper()
	var b bytes.Buffer
	z := npy.NewNPZWriter(&b)
	fill(z)
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// addTable adds a table of so many rows to an archive.
func addTable(t testing.TB, z *npy.NPZWriter, name string, rows int, cells ...float64) {
	t.Helper()
	w, err := z.Table(name, rows, len(cells)/rows)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(w.Write(&data.Block{Rows: rows, Dense: cells}), w.Close()); err != nil {
		t.Fatal(err)
	}
}

// contents returns a table of three rows and two columns in each format, by
// the format's name.
func contents(t testing.TB) map[string]string {
	t.Helper()
	written := func(ext string) string {
		path := filepath.Join(t.TempDir(), "x"+ext)
		w, err := Create(path, &data.Schema{Width: 1, Names: []string{"a"}}, 3)
		if err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(w.Write(&data.Block{Rows: 3, Dense: []float64{1, 2, 3}, Label: []float64{0, 1, 0}}), w.Commit()); err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	var array bytes.Buffer
	w, err := npy.NewWriter(&array, 3, 2)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(w.Write(&data.Block{Rows: 3, Dense: []float64{1, 2, 3, 4, 5, 6}}), w.Close()); err != nil {
		t.Fatal(err)
	}
	var stored bytes.Buffer
	p, err := panel.NewWriter(&stored, &data.Schema{Width: 2}, 3, panel.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(p.Write(&data.Block{Rows: 3, Dense: []float64{1, 2, 3, 4, 5, 6}}), p.Close()); err != nil {
		t.Fatal(err)
	}
	foreign, err := os.ReadFile(filepath.Join("..", "..", "internal", "format", "arrow", "testdata", "small.arrow"))
	if err != nil {
		t.Fatal(err)
	}
	return map[string]string{
		"arrow":     string(foreign),
		"fsa":       stored.String(),
		"npy":       array.String(),
		"npz":       archive(t, []string{"X"}, []string{"y"}),
		"parquet":   written(".parquet"),
		"svmlight":  "1 1:2\n0 2:3\n1 1:1 2:1\n",
		"csv":       written(".csv"),
		"challenge": "1:2\n2:3\n1:1 2:1\n",
	}
}

// checkTable reads a table of three rows and two columns.
func checkTable(t *testing.T, what, path string, o Options, format string) {
	t.Helper()
	r, err := Reader(t.Context(), path, o)
	if err != nil {
		t.Errorf("%s: %v", what, err)
		return
	}
	all, err := readertest.Collect(t, r)
	if err != nil || all.Rows != 3 || r.Schema().Width != 2 || r.(*reader).format.name != format {
		t.Errorf("%s: read as %s: %v, %v", what, r.(*reader).format.name, all, err)
	}
}

// TestFormats opens every format by its name, its contents and what it is
// called, compressed and not.
func TestFormats(t *testing.T) {
	named := map[string][]string{
		"fsa": {"x.fsa", "x.npy.fsa"}, "npy": {"x.npy", "X.NPY", "a.b.csv.npy"}, "npz": {"x.npz"}, "parquet": {"x.parquet", "x.pq"}, "arrow": {"x.arrow", "x.feather"},
		"svmlight": {"x.svm", "x.svmlight", "x.libsvm"}, "csv": {"x.csv", "x.tsv", "x.npy.v2.CSV"}, "challenge": nil,
	}
	for format, content := range contents(t) {
		for _, ext := range []string{"", ".gz", ".zst"} {
			packed := pack(t, ext, content)
			for _, name := range append(named[format], "table", "table.txt", "v1.2.data") {
				what := format + " in " + name + ext
				checkTable(t, what, file(t, name+ext, packed), Options{}, format)
				checkTable(t, what+" without its ending", file(t, name, packed), Options{}, format)
			}
			checkTable(t, format+" that is told", file(t, "wrong.csv", packed), Options{Format: format}, format)
		}
	}
	if names := strings.Join(Names(), " "); names != "fsa npy npz parquet arrow xlsx sqlite rds h5ad svmlight json csv challenge" {
		t.Errorf("formats %s", names)
	}
}

// A format that is added is listed, and none is listed twice.
func TestNames(t *testing.T) {
	before := formats
	defer func() { formats = before }()
	formats = append(slices.Clone(formats), format{name: "new"})
	if names := strings.Join(Names(), " "); names != "fsa npy npz parquet arrow xlsx sqlite rds h5ad svmlight json csv challenge new" {
		t.Errorf("formats %s", names)
	}
}

// A format that is added does what its line says, without being named anywhere else.
func TestAddedFormat(t *testing.T) {
	before := formats
	defer func() { formats = before }()
	formats = append(slices.Clone(formats), format{
		name: "new", ext: []string{".new"}, sniff: func([]byte) bool { return false }, open: openCSV,
		indexBase: true, declares: true, beside: map[string][]string{".new": {".last"}}, create: createCSV,
	})
	path := file(t, "x.new", "1,2\n3,4\n1,5\n")
	addFile(t, path, "x.last", "7\n8\n9\n")
	d, err := Table(t.Context(), path, Options{IndexBase: "1", Categorical: []string{"0"}}, Roles{})
	if err != nil || !slices.Equal(d.Target.Y, []float64{7, 8, 9}) || !d.Columns[0].Text {
		t.Errorf("%+v, %v", d, err)
	}
	if err := readAll(t, file(t, "y", "1,2\n"), Options{Format: "excel"}); !strings.Contains(err.Error(), "challenge, new") {
		t.Error(err)
	}
	w, err := Create(filepath.Join(t.TempDir(), "z.new.gz"), &data.Schema{Width: 1}, 1)
	if err != nil {
		t.Fatal(err)
	}
	w.Abort()
}

// TestSniffText tells the text formats from each other.
func TestSniffText(t *testing.T) {
	for text, want := range map[string]string{
		"a,b\n1,2\n":             "csv",
		"1;2\n3;4\n":             "csv",
		"1\t2\n3\t4\n":           "csv",
		"1 2 3\n4 5 6\n":         "csv",
		"1\n2\n3\n":              "csv",
		"1 1:2\n":                "svmlight",
		"# c\n-1 qid:3 1:2\n":    "svmlight",
		"1:2 5:3\n2:1\n":         "challenge",
		"1 5 9\n2 3\n4 5 6 10\n": "challenge",
		"a:b,c\n1,2\n":           "csv",
	} {
		f, err := choose("t", []byte(text), "")
		if err != nil || f.name != want {
			t.Errorf("%q: %v, %v", text, f, err)
		}
	}
}

func TestStandardInput(t *testing.T) {
	stdin := os.Stdin
	defer func() { os.Stdin = stdin }()
	for format, content := range contents(t) {
		for _, ext := range []string{"", ".gz", ".zst"} {
			r, w, err := os.Pipe()
			if err != nil {
				t.Fatal(err)
			}
			packed := pack(t, ext, content)
			go func() {
				io.WriteString(w, packed)
				w.Close()
			}()
			os.Stdin = r
			checkTable(t, format+ext, "-", Options{}, format)
			r.Close()
		}
	}
}

// refused checks that err blames a file, names it once and says the words.
func refused(t *testing.T, what string, err error, path, words string) {
	t.Helper()
	if !errors.Is(err, data.ErrBadData) || strings.Count(err.Error(), path) != 1 || !strings.Contains(err.Error(), words) {
		t.Errorf("%s: error %v, want one that names %s once and says %q", what, err, path, words)
	}
}

// readAll opens a table and reads it to its end.
func readAll(t *testing.T, path string, o Options) error {
	t.Helper()
	r, err := Reader(t.Context(), path, o)
	if err != nil {
		return err
	}
	_, err = readertest.Collect(t, r)
	return err
}

// TestProgress asks how far a table was read, which is known of those that are
// read from their start to their end.
func TestProgress(t *testing.T) {
	for format, content := range contents(t) {
		r, err := openReader(t.Context(), file(t, "t", content), &Options{Format: format})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := r.Next(t.Context()); err != nil {
			t.Fatal(err)
		}
		want := 0.0
		if format == "csv" || format == "svmlight" || format == "challenge" {
			want = 1
		}
		if got := r.progress(); got != want {
			t.Errorf("%s: %v is read of all, want %v", format, got, want)
		}
		r.Close()
	}
}

// TestDamagedCompression cuts compressed files in their header, their first
// block and near their end, and changes a byte.
func TestDamagedCompression(t *testing.T) {
	long := contents(t)
	var rows strings.Builder
	for i := range 40_000 {
		fmt.Fprintf(&rows, "%d,%d\n", i*i*7919%100_003, i%2)
	}
	long["csv"] = rows.String()
	for format, content := range long {
		for _, ext := range []string{".gz", ".zst"} {
			packed := pack(t, ext, content)
			for _, cut := range []int{7, len(packed) / 2, len(packed) - 5} {
				what := fmt.Sprintf("%s%s cut to %d of %d bytes", format, ext, cut, len(packed))
				path := file(t, "x"+ext, packed[:cut])
				refused(t, what, readAll(t, path, Options{Format: format}), path, "")
				_, err := Vector(t.Context(), path)
				refused(t, "vector of "+what, err, path, "")
			}
			bad := []byte(packed)
			bad[len(bad)-3] ^= 0x40 // of the checksum or the length
			path := file(t, "x"+ext, string(bad))
			refused(t, format+ext+" with another checksum", readAll(t, path, Options{Format: format}), path, "cut off or damaged")
		}
	}
	path := file(t, "x.csv.gz", pack(t, ".gz", long["csv"])[:100_000])
	refused(t, "cut far below", readAll(t, path, Options{}), path, "the compressed file is cut off or damaged: unexpected EOF")
}

// TestHugeWindow has a file of a few bytes that asks for half a gigabyte.
func TestHugeWindow(t *testing.T) {
	for log, ok := range map[byte]bool{20: true, 27: true, 29: false} {
		// A frame of one block, the last, with eight bytes as they are.
		frame := append([]byte{0x28, 0xb5, 0x2f, 0xfd, 0, (log - 10) << 3, 1 | 8<<3, 0, 0}, "1\n2\n3\n4\n"...)
		path := file(t, "x.csv.zst", string(frame))
		err := readAll(t, path, Options{})
		if ok && err != nil {
			t.Errorf("window of 2^%d bytes: %v", log, err)
		} else if !ok {
			refused(t, "window", err, path, "window size exceeded")
		}
	}
}

func TestNoTable(t *testing.T) {
	for _, ext := range []string{"", ".gz", ".zst"} {
		for _, name := range []string{"x.csv", "x.npy", "x.npz", "x.parquet", "x.svm", "x"} {
			path := file(t, name+ext, pack(t, ext, ""))
			refused(t, "empty "+name+ext, readAll(t, path, Options{}), path, "is empty")
			_, err := Vector(t.Context(), path)
			refused(t, "empty vector "+name+ext, err, path, "is empty")
		}
	}
	folder := t.TempDir()
	refused(t, "folder", readAll(t, folder, Options{}), folder, "folder")
	_, err := Vector(t.Context(), folder)
	refused(t, "folder as a vector", err, folder, "folder")
	path := file(t, "x.bin", "\x00\x01\x02 no table\xff")
	refused(t, "bytes", readAll(t, path, Options{}), path, "npy, npz, parquet, arrow, xlsx, sqlite, rds, h5ad, svmlight, json, csv, challenge")
	path = file(t, "x.npy", "a,b\n1,2\n3,4\n")
	refused(t, "wrong name", readAll(t, path, Options{}), path, "not a .npy file")
	if err := readAll(t, filepath.Join(folder, "absent.csv"), Options{}); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("absent: %v", err)
	}
}

func TestUsage(t *testing.T) {
	err := readAll(t, file(t, "x.csv", "a\n1\n"), Options{Format: "excel"})
	if !errors.Is(err, ErrUsage) || errors.Is(err, data.ErrBadData) || !strings.Contains(err.Error(), `"excel"`) {
		t.Errorf("unknown format: %v", err)
	}
	folder := t.TempDir()
	for _, name := range []string{"x", "x.txt", "x.gz", "x.npz", "x.csv.bz2"} {
		_, err := Create(filepath.Join(folder, name), &data.Schema{Width: 1}, 1)
		if !errors.Is(err, ErrUsage) || !strings.Contains(err.Error(), ".parquet") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if left, _ := os.ReadDir(folder); len(left) > 0 {
		t.Errorf("%v is left", left)
	}
}

// TestMachine has a failure that is not the file's fault. Its message names
// the file once all the same.
func TestMachine(t *testing.T) {
	path := file(t, "x.csv", "a,b\n1,2\n")
	in, err := open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	in.closer()
	in.stream.Reset(bare{in.file})
	_, err = in.head()
	if !errors.Is(err, os.ErrClosed) || errors.Is(err, data.ErrBadData) || strings.Count(err.Error(), path) != 1 {
		t.Errorf("a file that cannot be read: %v", err)
	}
	if _, err := (bare{in.file}).ReadAt(make([]byte, 1), 0); strings.Contains(err.Error(), path) {
		t.Errorf("a bare error: %v", err)
	}
	_, err = (&compressed{failing{syscall.EIO}, path}).Read(nil)
	if !errors.Is(err, syscall.EIO) || errors.Is(err, data.ErrBadData) {
		t.Errorf("a disk that fails below a decompressor: %v", err)
	}
}

type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }

// TestParam has the width of a challenge's table in a file beside it.
func TestParam(t *testing.T) {
	path := file(t, "t_train.data", "1:2\n3:4\n")
	param := filepath.Join(filepath.Dir(path), "t.param")
	if err := os.WriteFile(param, []byte("Data type: sparse-integer\nNumber of features: 9\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	r, err := Reader(t.Context(), path, Options{})
	if err != nil || r.Schema().Width != 9 || r.Schema().Open {
		t.Fatalf("%v, %v", r, err)
	}
	r.Close()
	if err := os.WriteFile(param, []byte("Data type: dense\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	refused(t, "bad param file", readAll(t, path, Options{}), param, "data type")
}

// Whoever watches a text table being read is told of all its bytes; of one that is
// compressed nobody knows how many there will be.
func TestReading(t *testing.T) {
	text := "a,b,y\n" + strings.Repeat("1,2,0\n2,1,1\n", 30000)
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	if _, err := z.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string]string{"t.csv": text, "t.csv.gz": packed.String()} {
		var read, size int64
		o := Options{Reading: func(now, of int64) {
			if now < read {
				t.Errorf("%s: %d bytes after %d", name, now, read)
			}
			read, size = now, of
		}}
		if _, err := Table(t.Context(), file(t, name, content), o, Roles{}); err != nil {
			t.Fatal(err)
		}
		want := int64(len(text))
		if name != "t.csv" {
			want = 0
		}
		if read != int64(len(text)) || size != want {
			t.Errorf("%s: told of %d of %d bytes, there are %d", name, read, size, len(text))
		}
	}
}
