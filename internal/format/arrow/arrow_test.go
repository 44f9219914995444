package arrow_test

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
	"fsa/internal/format/arrow"
	"fsa/internal/readertest"
)

var nan = math.NaN()

func load(tb testing.TB, name string) []byte {
	tb.Helper()
	file, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		tb.Fatal(err)
	}
	return file
}

func read(tb testing.TB, file []byte, o arrow.Options) (*data.Schema, *data.Block, error) {
	tb.Helper()
	r, err := arrow.NewReader(bytes.NewReader(file), int64(len(file)), "f.arrow", o)
	if err != nil {
		return nil, nil, err
	}
	defer r.Close()
	all, err := readertest.Collect(tb, r)
	return r.Schema(), all, err
}

// word returns the texts of testdata/make.py.
func word(i int) string {
	return []string{"", "a", "äöü", "a longer text than a view has room for", "b"}[i%5]
}

// Columns as testdata/make.py fills them, with numbers and texts separate.
var (
	goldenNumbers = map[string]func(i float64) float64{
		"bool":     func(i float64) float64 { return []float64{1, 0, 0}[int(i)%3] },
		"int8":     func(i float64) float64 { return i - 30 },
		"int16":    func(i float64) float64 { return -100 * i },
		"int32":    func(i float64) float64 { return i - 1<<31 },
		"int64":    func(i float64) float64 { return i - 1<<53 },
		"uint8":    func(i float64) float64 { return i + 190 },
		"uint16":   func(i float64) float64 { return i + 65000 },
		"uint32":   func(i float64) float64 { return 1<<32 - 1 - i },
		"uint64":   func(i float64) float64 { return 1<<63 + 4096*i },
		"half":     func(i float64) float64 { return i / 4 },
		"float":    func(i float64) float64 { return i / 4 },
		"double":   func(i float64) float64 { return i * 0.1 },
		"required": func(i float64) float64 { return i },
		"decimal":  func(i float64) float64 { return (i - 5) / 100 },
		"date":     func(i float64) float64 { return kind.FromUnix((i - 10) * 86400) },
		"milli":    func(i float64) float64 { return kind.FromUnix(1.5 * i) },
		"nano":     func(i float64) float64 { return kind.FromUnix(1.5 * i) },
		"time":     func(i float64) float64 { return 1.5 * i / 3600 },
		"duration": func(i float64) float64 { return 1.5 * i },
		"steps":    func(i float64) float64 { return math.Mod(i, 4) / 8 },
		"null":     func(float64) float64 { return nan },
	}
	goldenTexts = map[string]func(i int) string{
		"string":   func(i int) string { return word(i * i) },
		"large":    func(i int) string { return word(i * i) },
		"view":     func(i int) string { return word(i * i) },
		"view2":    word,
		"binary":   word,
		"category": word,
	}
)

func TestGolden(t *testing.T) {
	for _, name := range []string{"plain.arrow", "lz4.arrow", "zstd.arrow", "stream.arrows"} {
		s, all, err := read(t, load(t, name), arrow.Options{})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if all.Rows != 60 || s.Width != len(goldenNumbers)+len(goldenTexts) {
			t.Fatalf("%s: %d×%d", name, all.Rows, s.Width)
		}
		for j := range s.Width {
			var texts []string // in order of first appearance
			for i := range all.Rows {
				got := all.Dense[i*s.Width+j]
				missing := i%7 == 3 && s.Names[j] != "required"
				want := nan
				if f := goldenNumbers[s.Names[j]]; f != nil && !missing {
					want = f(float64(i))
				} else if f := goldenTexts[s.Names[j]]; f != nil && !missing {
					at := slices.Index(texts, f(i))
					if at < 0 {
						at = len(texts)
						texts = append(texts, f(i))
					}
					want = float64(at)
				}
				if got != want && (got == got || want == want) {
					t.Fatalf("%s, %s, row %d: %v, want %v", name, s.Names[j], i, got, want)
				}
			}
			if !slices.Equal(s.Categories[j], texts) {
				t.Errorf("%s, %s: texts %q, want %q", name, s.Names[j], s.Categories[j], texts)
			}
		}
	}
}

// TestMoments reads dates as they are stored for a model that has learned from these numbers.
func TestMoments(t *testing.T) {
	s, all, err := read(t, load(t, "plain.arrow"), arrow.Options{Kinds: map[string]kind.Column{"date": {Kind: kind.Number}}})
	if err != nil {
		t.Fatal(err)
	}
	j := s.FindColumn("date")
	if s.KindOf(j).Kind != kind.Number || all.Dense[j] != -10 {
		t.Errorf("%v: %v", s.KindOf(j), all.Dense[j])
	}
	for name, want := range map[string]kind.Name{"milli": kind.Date, "time": kind.Time, "duration": kind.Number, "string": kind.Category} {
		if got := s.KindOf(s.FindColumn(name)).Kind; got != want {
			t.Errorf("%s is a %s, want a %s", name, got, want)
		}
	}
}

func TestDictionaries(t *testing.T) {
	for name, want := range map[string][]string{
		"deltas.arrows":   {"a", "b", "a", "b", "a", "b", "c", "a", "a", "b", "c", "d"},
		"replaced.arrows": {"a", "b", "a", "b", "c", "a", "c", "a", "b", "b", "b", "b"},
	} {
		s, all, err := read(t, load(t, name), arrow.Options{})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		var got []string
		for _, v := range all.Dense {
			got = append(got, s.Categories[0][int(v)])
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}

// An ordered dictionary says which text is lower, also if it does not occur; others say nothing.
func TestOrdered(t *testing.T) {
	s, all, err := read(t, load(t, "ordered.arrow"), arrow.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(s.Categories[0], []string{"high", "low", "mid"}) || all.Rows != 6 {
		t.Errorf("%d rows, %v", all.Rows, s.Categories)
	}
	if len(s.Orders) != 1 || !slices.Equal(s.Orders[0], []string{"low", "mid", "high", "never"}) {
		t.Errorf("the orders are %v", s.Orders)
	}
}

func TestPolars(t *testing.T) {
	s, all, err := read(t, load(t, "polars.arrow"), arrow.Options{})
	if err != nil {
		t.Fatal(err)
	}
	want := []float64{1.5, 0, 0, nan, nan, 1, 3, 1, 0}
	for i, v := range all.Dense {
		if v != want[i] && (v == v || want[i] == want[i]) {
			t.Errorf("cell %d: %v, want %v", i, v, want[i])
		}
	}
	if !slices.Equal(s.Categories[1], []string{"a", "a text that is long enough to be elsewhere"}) || !slices.Equal(s.Categories[2], []string{"u", "v"}) {
		t.Errorf("%v", s.Categories)
	}
}

// TestSkipped leaves out columns that cannot be read, whatever they contain.
func TestSkipped(t *testing.T) {
	file := load(t, "nested.arrow")
	for column, words := range map[string]string{"list": "nested", "struct": "nested", "fixed": "raw bytes", "map": "nested"} {
		_, _, err := read(t, file, arrow.Options{Only: []string{"good", column}})
		if e := (*data.Error)(nil); !errors.As(err, &e) || !strings.Contains(err.Error(), "column "+column) || !strings.Contains(err.Error(), words) {
			t.Errorf("%s: %v", column, err)
		}
	}
	s, all, err := read(t, file, arrow.Options{Skip: []string{"list", "struct", "2", "map"}})
	if err != nil {
		t.Fatal(err)
	}
	good, text := s.FindColumn("good"), s.FindColumn("text")
	if all.Dense[good] != 1.5 || all.Dense[s.Width+good] != 2.5 || !slices.Equal(s.Categories[text], []string{"x", "y"}) {
		t.Errorf("%v %v", all.Dense, s.Categories)
	}
}

// TestDamaged cuts files and flips their bytes: they are read or refused.
func TestDamaged(t *testing.T) {
	for _, name := range []string{"plain.arrow", "zstd.arrow", "stream.arrows", "polars.arrow"} {
		whole := load(t, name)
		step := 1 + len(whole)/300
		for at := 0; at < len(whole); at += step {
			cut := whole[:at]
			if _, all, err := read(t, cut, arrow.Options{}); err == nil && strings.HasSuffix(name, ".arrow") {
				t.Errorf("%s cut to %d bytes has %d rows", name, at, all.Rows)
			}
			flipped := bytes.Clone(whole)
			flipped[at] ^= 0x81
			if _, _, err := read(t, flipped, arrow.Options{}); err != nil && !errors.Is(err, data.ErrBadData) {
				t.Errorf("%s with another byte %d: %v", name, at, err)
			}
		}
	}
}

func TestMemory(t *testing.T) {
	if _, _, err := read(t, load(t, "zstd.arrow"), arrow.Options{Memory: 100}); !errors.Is(err, data.ErrMemory) {
		t.Errorf("error %v, want one that names memory", err)
	}
	if _, _, err := read(t, load(t, "plain.arrow"), arrow.Options{Memory: 100}); err != nil {
		t.Errorf("nothing has to be unpacked: %v", err)
	}
}

func TestSniff(t *testing.T) {
	for _, name := range []string{"plain.arrow", "stream.arrows"} {
		if !arrow.Sniff(load(t, name)) {
			t.Errorf("%s is not told", name)
		}
	}
	if arrow.Sniff([]byte("a,b\n1,2\n")) || arrow.Sniff(nil) {
		t.Error("another file is taken for Arrow")
	}
}

func FuzzReader(f *testing.F) {
	for _, name := range []string{"plain.arrow", "zstd.arrow", "lz4.arrow", "stream.arrows", "polars.arrow", "deltas.arrows", "nested.arrow"} {
		f.Add(load(f, name))
	}
	f.Fuzz(func(t *testing.T, file []byte) {
		r, err := arrow.NewReader(bytes.NewReader(file), int64(len(file)), "f.arrow", arrow.Options{Memory: 1 << 24})
		if err != nil {
			return
		}
		defer r.Close()
		for range 100 {
			if _, err := r.Next(t.Context()); err != nil {
				return
			}
		}
	})
}
