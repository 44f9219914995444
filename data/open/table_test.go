package open

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"fsa/data"
	"fsa/internal/format/npy"
	"fsa/internal/need"
)

// addFile writes another file into the folder of path.
func addFile(t *testing.T, path, name, content string) string {
	t.Helper()
	other := filepath.Join(filepath.Dir(path), name)
	if err := os.WriteFile(other, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
	return other
}

func numpyVector(t *testing.T, v ...float64) string {
	t.Helper()
	var b bytes.Buffer
	if err := npy.WriteVector(&b, v); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// table reads a table and returns its target.
func table(t *testing.T, path string, o Options, roles Roles) (*data.Target, error) {
	t.Helper()
	d, err := Table(context.Background(), path, o, roles)
	if err != nil {
		return nil, err
	}
	if d.Target == nil {
		return &data.Target{}, nil
	}
	return d.Target, nil
}

// TestTargets finds the target in a column, in a file, beside the table and in
// the table's archive.
func TestTargets(t *testing.T) {
	all := contents(t)
	csv := file(t, "x.csv", all["csv"])
	array := file(t, "x.npy", all["npy"])
	addFile(t, array, "x.y.npy", numpyVector(t, 5, 6, 7))
	packed := addFile(t, array, "x.npy.gz", pack(t, ".gz", all["npy"]))
	text := addFile(t, array, "y.txt", "red\nblue\nred\n")
	sparse := file(t, "x_train.data", all["challenge"])
	addFile(t, sparse, "x_train.labels", "-1\n1\n-1\n")
	zipped := file(t, "z_train.data", all["challenge"])
	addFile(t, zipped, "z_train.labels.gz", pack(t, ".gz", "3\n2\n1\n"))
	npz := func(tables, vectors string) string {
		return file(t, "x.npz", archive(t, strings.Fields(tables), strings.Fields(vectors)))
	}
	several := npz("A B", "a y labels")
	alone := npz("X", "a b")
	addFile(t, alone, "x.y.npy", numpyVector(t, 5, 6, 7))
	columns := file(t, "c.npz", archiveOf(t, func(z *npy.NPZWriter) {
		addTable(t, z, "X", 3, 1, 2, 3, 4, 5, 6)
		addTable(t, z, "y", 3, 7, 8, 9)
	}))
	for _, test := range []struct {
		what, path, target string
		want               []float64
	}{
		{"a column called y", csv, "", []float64{0, 1, 0}},
		{"a column that is named", csv, "a", []float64{1, 2, 3}},
		{"a column by number", csv, "1", []float64{0, 1, 0}},
		{"a file beside an array", array, "", []float64{5, 6, 7}},
		{"a file beside a compressed array", packed, "", []float64{5, 6, 7}},
		{"a column of an array", array, "x1", []float64{2, 4, 6}},
		{"a text file", array, text, []float64{0, 1, 0}},
		{"labels of a challenge", sparse, "", []float64{-1, 1, -1}},
		{"compressed labels of a challenge", zipped, "", []float64{3, 2, 1}},
		{"labels of svmlight", file(t, "x.svm", all["svmlight"]), "", []float64{1, 0, 1}},
		{"y in an archive", npz("X", "a y"), "", []float64{1, 1, 2}},
		{"labels in an archive", npz("X", "labels"), "", []float64{0, 1, 2}},
		{"target in an archive", npz("X", "labels target"), "", []float64{1, 1, 2}},
		{"an archive in gzip", file(t, "x.npz.gz", pack(t, ".gz", archive(t, []string{"X"}, []string{"y"}))), "", []float64{0, 1, 2}},
		{"no array of that name", npz("X", "a b"), "", nil},
		{"a table that is called y", npz("y", "labels"), "", []float64{0, 1, 2}},
		{"y alone", npz("", "y"), "", nil},
		{"y as a table", several + ":y", "", []float64{2, 1, 2}}, // that are the labels
		{"an array that is named", several + ":B", "", []float64{1, 1, 2}},
		{"a target that is named in an archive", several + ":B", several + ":a", []float64{0, 1, 2}},
		{"an array of the archive of the table", several + ":B", "labels", []float64{2, 1, 2}},
		{"one column in an archive", columns, "", []float64{7, 8, 9}},
		{"one column of the archive of the table", columns, "y", []float64{7, 8, 9}},
		{"a file beside an archive", alone, "", []float64{5, 6, 7}},
		{"an archive's array for another table", csv, several + ":labels", []float64{2, 1, 2}},
	} {
		got, err := table(t, test.path, Options{}, Roles{Target: test.target})
		if err != nil || !slices.Equal(got.Y, test.want) {
			t.Errorf("%s: %v, %v, want %v", test.what, got, err, test.want)
		}
	}

	_, err := table(t, several, Options{}, Roles{})
	refused(t, "several tables", err, several, "x.npz:NAME; it holds A (3×2 float32), B (3×2 float32), a (3 float64)")
	_, err = table(t, several+":C", Options{}, Roles{})
	refused(t, "unknown array", err, several, `no array "C"; it holds A`)
	_, err = table(t, several+":A", Options{}, Roles{Target: "z"})
	refused(t, "unknown target in an archive", err, several, `no array "z"; it holds A`)
	_, err = table(t, csv, Options{}, Roles{Target: "z"})
	refused(t, "unknown target", err, csv, `no column "z" for the target, and no file of that name; the columns are "a", "y"`)
	_, err = table(t, array, Options{}, Roles{Target: "z"})
	refused(t, "unknown target of an array", err, array, "columns are numbered from 0 to 1")
	_, err = table(t, sparse, Options{}, Roles{Target: "z"})
	refused(t, "unknown target of a sparse table", err, sparse, "give a file")
	_, err = table(t, csv, Options{}, Roles{Target: "1", Weights: "w", Query: "q"})
	if err == nil || !strings.Contains(err.Error(), `"w" for the weights`) || !strings.Contains(err.Error(), `"q" for the queries`) {
		t.Errorf("unknown roles: %v", err)
	}
	bad := file(t, "b.npy", all["npy"])
	addFile(t, bad, "b.y.npy", "no array")
	if _, err = table(t, bad, Options{}, Roles{}); err == nil {
		t.Error("a bad file beside an array is passed over")
	}
}

// Labels that rows carry come before a file beside the table, even one that makes
// no sense, and behind one that is named. This holds for all that read tables.
func TestOwnLabels(t *testing.T) {
	dir := t.TempDir()
	stored := filepath.Join(dir, "a.fsa")
	w, err := Create(stored, &data.Schema{Width: 1, Names: []string{"a"}}, 3)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(w.Write(&data.Block{Rows: 3, Dense: []float64{1, 2, 3}, Label: []float64{0, 1, 0}}), w.Commit()); err != nil {
		t.Fatal(err)
	}
	text := addFile(t, stored, "b.data", "0 1:2\n1 2:3\n0 1:1 2:1\n") // svmlight
	for _, beside := range []string{numpyVector(t, 5, 6, 7), numpyVector(t, 5, 6), "no array"} {
		named := addFile(t, stored, "a.y.npy", beside)
		addFile(t, stored, "b.labels", beside)
		for _, path := range []string{stored, text} {
			got, err := table(t, path, Options{}, Roles{})
			if err != nil || !slices.Equal(got.Y, []float64{0, 1, 0}) {
				t.Errorf("%s: %v, %v", path, got, err)
			}
			r, err := Reader(t.Context(), path, Options{})
			if err != nil {
				t.Fatal(err)
			}
			if roles, err := (Roles{}).Resolve(t.Context(), path, r); err != nil || roles.TargetVector != nil {
				t.Errorf("%s: resolved to %+v, %v", path, roles, err)
			}
			r.Close()
			out := filepath.Join(dir, "converted", "x.fsa")
			if err := os.MkdirAll(filepath.Dir(out), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := Convert(t.Context(), path, out, Options{Memory: 1 << 20}, Conversion{Observe: func(Converted) {}}); err != nil {
				t.Errorf("%s: %v", path, err)
				continue
			}
			got, err = table(t, out, Options{}, Roles{})
			if err != nil || !slices.Equal(got.Y, []float64{0, 1, 0}) {
				t.Errorf("%s converted: %v, %v", path, got, err)
			}
		}
		got, err := table(t, stored, Options{}, Roles{Target: named})
		if beside == numpyVector(t, 5, 6, 7) && (err != nil || !slices.Equal(got.Y, []float64{5, 6, 7})) {
			t.Errorf("a file that is named: %v, %v", got, err)
		}
	}
}

// TestWholeNames has a file whose name looks like an array of an archive.
func TestWholeNames(t *testing.T) {
	path := file(t, "x.npz:y", "1\n2\n3\n")
	if v, err := Vector(t.Context(), path); err != nil || !slices.Equal(v.Values, []float64{1, 2, 3}) {
		t.Errorf("%v, %v", v, err)
	}
	r, err := Reader(t.Context(), path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	r.Close()
	addFile(t, path, "x.npz", archive(t, []string{"X"}, []string{"z"}))
	if v, err := Vector(t.Context(), strings.TrimSuffix(path, "y")+"z"); err != nil || !slices.Equal(v.Values, []float64{0, 1, 2}) {
		t.Errorf("%v, %v", v, err)
	}
}

// TestCategorical declares columns in tables where that is possible and in
// others. A reader takes what it finds; reading a table to learn from is strict.
func TestCategorical(t *testing.T) {
	all := contents(t)
	csv := file(t, "x.csv", "zip,age,y\n01,30,1\n02,40,0\n01,20,1\n")
	d, err := Table(context.Background(), csv, Options{Categorical: []string{"zip", "1"}}, Roles{})
	if err != nil || !slices.Equal(d.Categories(0), []string{"01", "02"}) || len(d.Categories(1)) != 3 {
		t.Errorf("%v, %v", d, err)
	}
	_, err = table(t, csv, Options{Categorical: []string{"zap"}}, Roles{})
	refused(t, "unknown", err, csv, `no column "zap" to be categorical; did you mean "zip"?`)
	for format, column := range map[string]string{"npy": "x1", "npz": "0", "parquet": "a", "svmlight": "x1", "challenge": "x1"} {
		path := file(t, "t", all[format])
		_, err := table(t, path, Options{Categorical: []string{column}}, Roles{})
		refused(t, format, err, path, "text tables")
		if err := readAll(t, path, Options{Categorical: []string{column, "lacking"}}); err != nil {
			t.Errorf("%s: a reader refuses what it cannot use: %v", format, err)
		}
	}
	if err := readAll(t, csv, Options{Categorical: []string{"lacking"}}); err != nil {
		t.Errorf("a reader refuses what it lacks: %v", err)
	}

	path := filepath.Join(t.TempDir(), "x.parquet")
	w, err := Create(path, &data.Schema{Width: 2, Names: []string{"word", "n"}, Categories: map[int][]string{0: {"u", "v"}}}, 2)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Write(&data.Block{Rows: 2, Dense: []float64{0, 1, 1, 2}, Label: []float64{0, 1}}); err != nil {
		t.Fatal(err)
	}
	if err := w.Commit(); err != nil {
		t.Fatal(err)
	}
	if _, err := table(t, path, Options{Categorical: []string{"word"}}, Roles{}); err != nil {
		t.Errorf("a column of text in Parquet: %v", err)
	}
}

// TestDrop drops columns of a Parquet file that cannot be read. The numbers of
// the others stay what they are.
func TestDrop(t *testing.T) {
	path := filepath.Join("..", "..", "internal", "format", "parquet", "testdata", "nested.parquet")
	_, err := table(t, path, Options{}, Roles{Target: "good"})
	refused(t, "nested", err, path, "drop this one")
	roles := Roles{Target: file(t, "y", "0\n1\n"), Drop: []string{"list", "struct", "3"}}
	d, err := Table(context.Background(), path, Options{}, roles)
	if err != nil {
		t.Fatal(err)
	}
	if len(d.Columns) != 1 || d.ColumnName(0) != "good" || d.Columns[0].Index != 2 || d.Columns[0].Max != 2.5 {
		t.Errorf("%+v", d.Columns)
	}
	roles.Drop = append(roles.Drop, "lacking")
	_, err = table(t, path, Options{}, roles)
	refused(t, "unknown column to drop", err, path, "lacking")
}

// TestIndexBase reads a file that counts from 0, and gives the option where it
// does not belong.
func TestIndexBase(t *testing.T) {
	path := file(t, "x.svm", "1 0:2 2:5\n0 1:3\n1 0:1\n")
	d, err := Table(context.Background(), path, Options{IndexBase: "0"}, Roles{})
	if err != nil || d.Width() != 3 || d.Columns[0].Index != 0 || d.Columns[2].Max != 5 {
		t.Errorf("%+v, %v", d, err)
	}
	for _, base := range []string{"", "1"} {
		_, err := table(t, path, Options{IndexBase: base}, Roles{})
		refused(t, "index 0", err, path, "--index-base 0")
	}
	if _, err := table(t, path, Options{IndexBase: "2"}, Roles{}); !errors.Is(err, ErrUsage) {
		t.Errorf("base 2: %v", err)
	}
	for format, content := range contents(t) {
		if format == "svmlight" {
			continue
		}
		path := file(t, "t", content)
		refused(t, format, readAll(t, path, Options{IndexBase: "0", Format: format}), path, "svmlight")
	}
}

// A pipe that turns out to be larger than memory cannot be read a second time:
// all of its rows are there nevertheless.
func TestPipeLargerThanMemory(t *testing.T) {
	const rows = 400_000
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	path := fmt.Sprintf("/dev/fd/%d", r.Fd())
	_, err = os.Stat(path)
	need.System(t, err == nil, "/dev/fd")
	go func() {
		defer w.Close()
		out := bufio.NewWriter(w)
		defer out.Flush()
		fmt.Fprintln(out, "a,b,c,d,y")
		for i := range rows {
			fmt.Fprintf(out, "%d,%d,%d,%d,%d\n", i%7, i%11, i%13, i%17, i%5)
		}
	}()
	d, err := Table(context.Background(), path, Options{Memory: 154 << 20}, Roles{Target: "y"})
	if err != nil {
		t.Fatal(err)
	}
	if d.Rows() != rows {
		t.Errorf("%d rows of %d", d.Rows(), rows)
	}
}

// Memory that is too little for any table of these columns is refused before
// anything is copied.
func TestTooLittleForAnyTable(t *testing.T) {
	path := file(t, "x.csv", "a,b,y\n1,2,0\n2,1,1\n")
	for _, c := range []struct {
		path   string
		memory int64
	}{{path, 100 << 20}, {path, program + 3*perColumn - 1}, {"-", 100 << 20}, {file(t, "x.svm", "1 1:2\n0 2:3\n"), program - 1}} {
		endless(t, "a,b,y\n1,2,0\n"+strings.Repeat("2,1,1\n", 1<<19))
		ctx, stop := context.WithTimeout(t.Context(), 10*time.Minute)
		o := Options{Memory: c.memory, Note: func(format string, a ...any) { t.Errorf(format, a...) }}
		_, err := Table(ctx, c.path, o, Roles{})
		var memory *MemoryError
		if !errors.As(err, &memory) || memory.Need <= c.memory || ctx.Err() != nil {
			t.Errorf("%s with %s: %v", c.path, Size(c.memory), err)
		}
		stop()
	}
}

// Texts that are all different take memory, and are refused before it is exceeded.
func TestManyTexts(t *testing.T) {
	need.Long(t)
	var table strings.Builder
	table.WriteString("name,x,y\n")
	for i := range 400_000 {
		fmt.Fprintf(&table, "customer %d,%d,%d\n", i, i%7, i%2)
	}
	path := filepath.Join(t.TempDir(), "t.csv")
	if err := os.WriteFile(path, []byte(table.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	for memory, fits := range map[int64]bool{130 << 20: false, 200 << 20: true} {
		_, err := Table(t.Context(), path, Options{Memory: memory}, Roles{})
		if e := new(MemoryError); (err == nil) != fits || err != nil && (!errors.As(err, &e) || !strings.Contains(err.Error(), `column "name" has more than`)) {
			t.Errorf("%d bytes: %v", memory, err)
		}
	}
}
