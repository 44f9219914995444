package challenge

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fsa/data"
	"fsa/internal/format/svmlight"
	"fsa/internal/need"
	"fsa/internal/readertest"
)

// unlabeled removes the labels that an SVMlight writer puts before the cells.
type unlabeled struct {
	data.Writer
	text *bytes.Buffer
	w    io.Writer
}

func (u unlabeled) Close() error {
	for line := range strings.Lines(u.text.String()) {
		if _, err := io.WriteString(u.w, strings.TrimPrefix(strings.TrimPrefix(line, "0"), " ")); err != nil {
			return err
		}
	}
	return nil
}

func TestSuite(t *testing.T) {
	readertest.Run(t, readertest.Format{
		Write: func(w io.Writer, s *data.Schema, rows int) (data.Writer, error) {
			var text bytes.Buffer
			below, err := svmlight.NewWriter(&text, s)
			return unlabeled{below, &text, w}, err
		},
		Read: func(file []byte) (data.Reader, error) {
			return NewReader(bytes.NewReader(file), "t.data", Options{Kind: Sparse})
		},
		Sparse: true,
	})
}

func TestKinds(t *testing.T) {
	for _, test := range []struct {
		name, text string
		options    Options
		sparse     bool
		open       bool
		rows       int
		cols       int
		cells      []float64
	}{
		{"dense", "1 2.5 -3 \n4 5 6 \n", Options{}, false, false, 2, 3, []float64{1, 2.5, -3, 4, 5, 6}},
		{"dense and ascending", "1 2 3\n4 5 6\n", Options{}, false, false, 2, 3, []float64{1, 2, 3, 4, 5, 6}},
		{"sparse", "2:5 4:0.5 \n\n1:-1 \n", Options{}, true, true, 3, 4, []float64{5, 0.5, -1}},
		{"sparse after empty rows", "\n\n2:5\n", Options{}, true, true, 3, 2, []float64{5}},
		{"binary", "2 4 \n\n1 3 9 \n", Options{}, true, true, 3, 9, []float64{1, 1, 1, 1, 1}},
		{"binary without a last line feed", "1 5\n2", Options{}, true, true, 2, 5, []float64{1, 1, 1}},
		{"binary, told", "2 4\n1 3\n", Options{Kind: Binary, Width: 5}, true, false, 2, 5, []float64{1, 1, 1, 1}},
		{"width known", "2:5\n", Options{Width: 7}, true, false, 1, 7, []float64{5}},
		{"byte order mark", "\xef\xbb\xbf2:5\n", Options{}, true, true, 1, 2, []float64{5}},
	} {
		t.Run(test.name, func(t *testing.T) {
			r, err := NewReader(strings.NewReader(test.text), "t.data", test.options)
			if err != nil {
				t.Fatal(err)
			}
			b, err := readertest.Collect(t, r)
			if err != nil {
				t.Fatal(err)
			}
			s := r.Schema()
			if s.Sparse != test.sparse || s.Open != test.open || b.Rows != test.rows || s.Width != test.cols || b.Label != nil {
				t.Errorf("%d×%d, sparse %v, open %v", b.Rows, s.Width, s.Sparse, s.Open)
			}
			cells := append(b.Dense, b.Value...)
			if len(cells) != len(test.cells) {
				t.Fatalf("cells %v, want %v", cells, test.cells)
			}
			for k := range cells {
				if cells[k] != test.cells[k] {
					t.Errorf("cells %v, want %v", cells, test.cells)
				}
			}
		})
	}
}

func TestErrors(t *testing.T) {
	for _, test := range []struct {
		name, text string
		options    Options
		line       int
		column     string
		message    string
	}{
		{"empty", "", Options{}, 0, "", "it is empty"},
		{"empty, sparse", "", Options{Kind: Sparse}, 0, "", "no row"},
		{"a word among numbers", "1 2 3\n4 x 6\n", Options{}, 2, "x1", `"x" is not a number`},
		{"short row", "1.5 2 3\n4 5\n", Options{}, 2, "", "2 cells where the first row has 3"},
		{"text", "a b\nc d\n", Options{}, 1, "x0", `"a" is not a number`},
		{"not the width", "1 2 3\n", Options{Kind: Dense, Width: 4}, 1, "", "3 numbers where the table should have 4"},
		{"beyond the width", "1:1\n2:1 5:1\n", Options{Width: 4}, 2, "5", "beyond 4"},
		{"beyond the width, binary", "1 2\n5\n", Options{Width: 4}, 2, "5", "beyond 4"},
		{"index zero", "0:1\n", Options{}, 1, "0", "count from 1"},
		{"descending", "3:1 2:1\n", Options{}, 1, "2", "comes after 3"},
		{"pairs in a binary table", "1 2\n3:1\n", Options{Kind: Binary}, 2, "", `"3:1" is not an index`},
	} {
		t.Run(test.name, func(t *testing.T) {
			r, err := NewReader(strings.NewReader(test.text), "t.data", test.options)
			if err == nil {
				_, err = readertest.Collect(t, r)
			}
			var bad *data.Error
			if !errors.As(err, &bad) || bad.File != "t.data" || bad.Line != test.line || bad.Column != test.column || !strings.Contains(bad.Msg, test.message) {
				t.Errorf("%v", err)
			}
		})
	}
	if _, err := NewReader(strings.NewReader("1\n"), "t.data", Options{Kind: "round"}); err == nil || errors.Is(err, data.ErrBadData) {
		t.Errorf("kind that is none: %v", err)
	}
}

func TestParseParam(t *testing.T) {
	for text, want := range map[string]Options{
		"Data type: non-sparse\nNumber of features: 500\nTrain\t 1\n":    {Dense, 500},
		"Data type: sparse-integer\r\nNumber of features: 20000\r\n":     {Sparse, 20000},
		"number of features:100000\nDATA TYPE : Sparse-Binary\nx: y: z:": {Binary, 100000},
	} {
		if o, err := ParseParam(strings.NewReader(text), "t.param"); o != want || err != nil {
			t.Errorf("%q: %v, %v", text, o, err)
		}
	}
	for text, line := range map[string]int{
		"":                        0,
		"Data type: non-sparse\n": 0,
		"Number of features: 5\n": 0,
		"Data type: round\n":      1,
		"Data type: non-sparse\nNumber of features: 0\n":   2,
		"Data type: non-sparse\nNumber of features: 9e9\n": 2,
		"Number of features: 99999999999\n":                1,
		strings.Repeat("x", 1<<20):                         0,
	} {
		var bad *data.Error
		if _, err := ParseParam(strings.NewReader(text), "t.param"); !errors.As(err, &bad) || bad.File != "t.param" || bad.Line != line {
			t.Errorf("%.40q: %v", text, err)
		}
	}
}

func TestSniff(t *testing.T) {
	for text, want := range map[string]bool{
		"1:2 3:4\n":          true,
		"\n1:2":              true,
		"1 5 9\n2 3\n4 7 11": true,
		"1 2\n3 4\n":         false,
		"1 1:2\n":            false,
		"a:b\n":              false,
		"12:\n":              false,
		"3 2\n1\n":           false,
		"a,b\n1,2\n":         false,
		"":                   false,
	} {
		if got := Sniff([]byte(text)); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

// TestReal reads the tables of the challenge with their .param files and without. The sums are the
// checksums of those files; for a binary table that is the number of cells.
func TestReal(t *testing.T) {
	need.Long(t)
	for _, test := range []struct {
		name       string
		rows, cols int
		found      int // columns without the .param file
		sum        float64
	}{
		{"dexter", 300, 20000, 19999, 2816528},
		{"dorothea", 800, 100000, 100000, 727760},
		{"madelon", 2000, 500, 500, 488083511},
		{"arcene", 100, 10000, 10000, 70726744},
	} {
		t.Run(test.name, func(t *testing.T) {
			dir := need.Data(t, test.name)
			param, err := os.Open(filepath.Join(dir, test.name+".param"))
			if err != nil {
				t.Fatal(err)
			}
			defer param.Close()
			told, err := ParseParam(param, test.name)
			if err != nil {
				t.Fatal(err)
			}
			for _, o := range []Options{told, {}} {
				f, err := os.Open(filepath.Join(dir, test.name+"_train.data.gz"))
				if err != nil {
					t.Fatal(err)
				}
				defer f.Close()
				z, err := gzip.NewReader(f)
				if err != nil {
					t.Fatal(err)
				}
				r, err := NewReader(z, test.name, o)
				if err != nil {
					t.Fatal(err)
				}
				b, err := readertest.Collect(t, r)
				if err != nil {
					t.Fatal(err)
				}
				sum := 0.0
				for _, v := range append(b.Dense, b.Value...) {
					sum += v
				}
				cols := test.cols
				if o.Kind == Auto {
					cols = test.found
				}
				if s := r.Schema(); b.Rows != test.rows || s.Width != cols || sum != test.sum || s.Sparse != (told.Kind != Dense) {
					t.Errorf("%+v: %d×%d, sum %v, sparse %v", o, b.Rows, s.Width, sum, s.Sparse)
				}
			}
		})
	}
}

func FuzzRead(f *testing.F) {
	for _, text := range []string{"1 2 3\n4 5 6\n", "1:2 3:4\n\n", "1 5\n2\n", "", "\n", "x", "1 2\n3\n"} {
		for kind := range byte(4) {
			f.Add(text, kind, uint16(0))
		}
		f.Add(text, byte(0), uint16(3))
	}
	f.Fuzz(func(t *testing.T, text string, kind byte, width uint16) {
		o := Options{Kind: []Kind{Auto, Dense, Sparse, Binary}[kind%4], Width: int(width)}
		r, err := NewReader(strings.NewReader(text), "t.data", o)
		if err != nil {
			return
		}
		b, err := readertest.Collect(t, r)
		if err == nil && (b.Rows < 1 || b.Rows > len(text) || len(b.Dense)+len(b.Index) > len(text)) {
			t.Errorf("%d rows, %d cells in %d bytes", b.Rows, len(b.Dense)+len(b.Index), len(text))
		}
	})
}

func FuzzParseParam(f *testing.F) {
	f.Add("Data type: non-sparse\nNumber of features: 500\n")
	f.Fuzz(func(t *testing.T, text string) {
		if o, err := ParseParam(strings.NewReader(text), "t.param"); err == nil && (o.Kind == Auto || o.Width < 1) {
			t.Errorf("%+v", o)
		}
	})
}
