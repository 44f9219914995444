package parquet

import (
	"bytes"
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"fsa/data"
	"fsa/data/kind"
	"fsa/internal/readertest"
)

var nan = math.NaN()

// load opens a file of testdata as bytes.
func load(tb testing.TB, name string) []byte {
	tb.Helper()
	file, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		tb.Fatal(err)
	}
	return file
}

func open(file []byte, columns ...string) (*Reader, error) {
	return NewReaderWith(bytes.NewReader(file), int64(len(file)), "f.parquet", Options{Columns: columns})
}

// wantError checks that err blames the input with the given words.
func wantError(t *testing.T, what string, err error, words string) {
	t.Helper()
	if e := (*data.Error)(nil); !errors.As(err, &e) || !strings.Contains(err.Error(), words) {
		t.Errorf("%s: error %v, want bad data that says %q", what, err, words)
	}
}

// word returns the texts of testdata/make.py.
func word(i int) string { return []string{"pear", "apple", "", "größe", "fig"}[i] }

func truth(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

// Columns as testdata/make.py fills them, with numbers and texts separate.
var (
	goldenNumbers = map[string]func(i int) float64{
		"double":   func(i int) float64 { return float64(i)*0.5 - 3 },
		"float":    func(i int) float64 { return float64(i) * 0.25 },
		"half":     func(i int) float64 { return float64(i) / 8 },
		"required": func(i int) float64 { return float64(i) },
		"nan":      func(i int) float64 { return []float64{float64(i), nan}[i%2] },
		"bool":     func(i int) float64 { return truth(i%3 == 0) },
		"int8":     func(i int) float64 { return float64(i - 30) },
		"int16":    func(i int) float64 { return float64(-100 * i) },
		"int32":    func(i int) float64 { return float64(i) - 1<<31 },
		"int64":    func(i int) float64 { return float64(i) - 1<<53 },
		"uint8":    func(i int) float64 { return float64(i + 190) },
		"uint32":   func(i int) float64 { return 1<<32 - 1 - float64(i) },
		"uint64":   func(i int) float64 { return 1<<63 + 4096*float64(i) },
		"date":     func(i int) float64 { return kind.FromUnix(float64(i-10) * 86400) },
		"milli":    func(i int) float64 { return kind.FromUnix(float64(i) * 1.5) },
		"micro":    func(i int) float64 { return kind.FromUnix(float64(i) * 1.5) },
		"nano":     func(i int) float64 { return kind.FromUnix(float64(i) * 1.5) },
		"time":     func(i int) float64 { return float64(i) * 1.5 / 3600 },
		"decimal":  func(i int) float64 { return float64(i-5) / 100 },
		"null":     func(i int) float64 { return nan },
		"delta32":  func(i int) float64 { return float64(i*i - 100) },
		"delta64": func(i int) float64 {
			v := uint64(1)
			for range i {
				v *= -3 & math.MaxUint64
			}
			return float64(v % (1 << 52))
		},
		"split":   func(i int) float64 { return float64(i)*0.5 - 3 },
		"split32": func(i int) float64 { return float64(i) * 0.25 },
	}
	goldenTexts = map[string]func(i int) string{
		"string":   func(i int) string { return word(i * i % 5) },
		"category": func(i int) string { return word(i % 4) },
		"binary":   func(i int) string { return word(i % 2) },
		"length":   func(i int) string { return word(i * i % 5) },
		"prefix":   func(i int) string { return strings.Repeat("a", i%9) + "b" },
	}
)

func TestGolden(t *testing.T) {
	for name, width := range map[string]int{"types.parquet": 23, "encodings.parquet": 7} {
		r, err := open(load(t, name))
		if err != nil {
			t.Fatal(err)
		}
		all, err := readertest.Collect(t, r)
		if err != nil {
			t.Fatal(err)
		}
		if all.Rows != 60 || r.Schema().Width != width {
			t.Errorf("%s: %d×%d", name, all.Rows, r.Schema().Width)
		}
		for j := range r.Schema().Width {
			checkGolden(t, r.Schema(), all, j)
		}
	}
}

func checkGolden(t *testing.T, s *data.Schema, all *data.Block, j int) {
	t.Helper()
	var seen []string
	for i := range all.Rows {
		got := all.Dense[i*s.Width+j]
		missing := i%7 == 3 && s.Names[j] != "required" && s.Names[j] != "nan"
		if texts := goldenTexts[s.Names[j]]; texts != nil {
			if missing {
				if got == got {
					t.Fatalf("%s, row %d: %v is not missing", s.Names[j], i, got)
				}
				continue
			}
			if !slices.Contains(seen, texts(i)) {
				seen = append(seen, texts(i))
			}
			if categories := s.Categories[j]; got != got || categories[int(got)] != texts(i) {
				t.Fatalf("%s, row %d: %v of %q, want %q", s.Names[j], i, got, categories, texts(i))
			}
			continue
		}
		want := goldenNumbers[s.Names[j]](i)
		if missing {
			want = nan
		}
		if got != want && (got == got || want == want) {
			t.Fatalf("%s, row %d: %v, want %v", s.Names[j], i, got, want)
		}
	}
	if !slices.Equal(seen, s.Categories[j]) {
		t.Errorf("%s: texts %q, want them in the order of rows %q", s.Names[j], s.Categories[j], seen)
	}
}

// TestProjection reads some columns, in another order.
func TestProjection(t *testing.T) {
	r, err := open(load(t, "types.parquet"), "string", "int8", "category")
	if err != nil {
		t.Fatal(err)
	}
	all, err := readertest.Collect(t, r)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(r.Schema().Names, []string{"string", "int8", "category"}) {
		t.Errorf("names %q", r.Schema().Names)
	}
	for j := range 3 {
		checkGolden(t, r.Schema(), all, j)
	}
	_, err = open(load(t, "types.parquet"), "int8", "weight")
	wantError(t, "unknown", err, `no column "weight"; the file has double, float`)
}

// TestSkip leaves out columns, by name and by number, that cannot be read and one that can. The
// others keep their positions.
func TestSkip(t *testing.T) {
	file := load(t, "nested.parquet")
	r, err := NewReaderWith(bytes.NewReader(file), int64(len(file)), "f.parquet", Options{Skip: []string{"list", "struct", "uuid", "lacking"}})
	if err != nil {
		t.Fatal(err)
	}
	all, err := readertest.Collect(t, r)
	if err != nil {
		t.Fatal(err)
	}
	s := r.Schema()
	for i, v := range all.Dense {
		if good := s.Names[i%s.Width] == "good"; good != (v == v) {
			t.Errorf("%q, row %d: %v", s.Names[i%s.Width], i/s.Width, v)
		}
	}
	if good := s.FindColumn("good"); all.Rows != 2 || all.Dense[good] != 1.5 {
		t.Errorf("%v", all)
	}

	file = load(t, "blob.parquet")
	if r, err = NewReaderWith(bytes.NewReader(file), int64(len(file)), "f.parquet", Options{Skip: []string{"0"}}); err != nil {
		t.Fatal(err)
	}
	if _, err := readertest.Collect(t, r); err != nil {
		t.Errorf("a bad cell is found though its column is not read: %v", err)
	}
}

// TestMoments reads points in time, here of the kind that takes 12 bytes, as dates, and
// as they are stored for a model that has learned from these numbers.
func TestMoments(t *testing.T) {
	file := load(t, "int96.parquet")
	for k, want := range map[kind.Name][]float64{
		kind.Date:   {kind.FromUnix(-1.5), nan, kind.FromUnix(86400.25)},
		kind.Number: {-1.5, nan, 86400.25},
	} {
		r, err := open(file)
		if err != nil {
			t.Fatal(err)
		}
		if k == kind.Number {
			given := map[string]kind.Column{r.Schema().Name(0): {Kind: k}}
			if r, err = NewReaderWith(bytes.NewReader(file), int64(len(file)), "f.parquet", Options{Kinds: given}); err != nil {
				t.Fatal(err)
			}
		}
		all, err := readertest.Collect(t, r)
		if err != nil || !same(all.Dense, want) || r.Schema().KindOf(0).Kind != k {
			t.Errorf("%v, %v, %v", all, r.Schema().KindOf(0), err)
		}
	}
}

func TestGoldenRefused(t *testing.T) {
	nested := load(t, "nested.parquet")
	for column, want := range map[string]string{
		"list":   "column list: it is nested",
		"struct": "column struct: it is nested",
		"uuid":   "column uuid: it holds raw bytes",
	} {
		_, err := open(nested, "good", column)
		wantError(t, column, err, want)
	}
	_, err := open(nested)
	wantError(t, "all", err, "column list: it is nested")
	r, err := open(nested, "good")
	if err != nil {
		t.Fatal(err)
	}
	if all, err := readertest.Collect(t, r); err != nil || !slices.Equal(all.Dense, []float64{1.5, 2.5}) {
		t.Errorf("%v, %v", all, err)
	}

	r, err = open(load(t, "blob.parquet"))
	if err != nil {
		t.Fatal(err)
	}
	_, err = readertest.Collect(t, r)
	wantError(t, "blob", err, `column blob: row group 1 cannot be read: "\xff\xfe" is not text in UTF-8`)

	_, err = open(load(t, "empty.parquet"))
	wantError(t, "empty", err, "no rows")
	r, err = open(load(t, "infinite.parquet"))
	if err != nil {
		t.Fatal(err)
	}
	_, err = readertest.Collect(t, r)
	wantError(t, "infinite", err, "f.parquet: row 2: column b: the cell is infinite")
}
