package svmlight

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"

	"fsa/data"
	"fsa/internal/readertest"
)

// read returns all rows of text and the final schema.
func read(t testing.TB, text string, o Options) (*data.Block, *data.Schema, error) {
	t.Helper()
	r, err := NewReader(strings.NewReader(text), "t.svm", o)
	if err != nil {
		return nil, nil, err
	}
	b, err := readertest.Collect(t, r)
	return b, r.Schema(), err
}

// show prints rows so that they can be compared.
func show(b *data.Block) string {
	var out strings.Builder
	for i := range b.Rows {
		if b.Label != nil {
			fmt.Fprint(&out, b.Label[i])
		}
		if b.Query != nil {
			fmt.Fprint(&out, " q", b.Query[i])
		}
		for p := b.Start[i]; p < b.Start[i+1]; p++ {
			fmt.Fprintf(&out, " %d:%v", b.Index[p], b.Value[p])
		}
		out.WriteString(";")
	}
	return out.String()
}

func TestSuite(t *testing.T) {
	readertest.Run(t, readertest.Format{
		Write: func(w io.Writer, s *data.Schema, rows int) (data.Writer, error) { return NewWriter(w, s) },
		Read: func(file []byte) (data.Reader, error) {
			return NewReader(bytes.NewReader(file), "t.svm", Options{})
		},
		Sparse: true,
		Labels: true,
	})
}

func TestRows(t *testing.T) {
	zero := Options{FromZero: true}
	for _, test := range []struct {
		name, text string
		options    Options
		width      int
		want       string
	}{
		{"plain", "1 1:0.5 3:2\n-1 2:1e3\n", Options{}, 3, "1 0:0.5 2:2;-1 1:1000;"},
		{"no last line feed", "1 1:2", Options{}, 1, "1 0:2;"},
		{"carriage returns", "1 1:2\r\n2 1:3\r\n", Options{}, 1, "1 0:2;2 0:3;"},
		{"byte order mark", "\xef\xbb\xbf1 1:2\n", Options{}, 1, "1 0:2;"},
		{"queries", "2 qid:7 1:1\n0 qid:7 1:2 # doc 5\n0 qid:-8\n", Options{}, 1, "2 q7 0:1;0 q7 0:2;0 q-8;"},
		{"comments and blank lines", "# head\n\n1 1:2 # 5:5\n \t\n#\n2 1:3# x\n", Options{}, 1, "1 0:2;2 0:3;"},
		{"labels", "+1\n-2.5\n1e3\nNaN\n0 \n", Options{}, 0, "1;-2.5;1000;NaN;0;"},
		{"missing values", "1 1:nan 2:NaN 3:0\n", Options{}, 3, "1 0:NaN 1:NaN 2:0;"},
		{"blanks", "  1\t 1:2   3:4  \n", Options{}, 3, "1 0:2 2:4;"},
		{"largest index", "1 2147483648:1\n", Options{}, 1 << 31, "1 2147483647:1;"},
		{"known width", "1 1:2\n", Options{Width: 9}, 9, "1 0:2;"},
		{"unlabeled", "1:2 3:4\n\n2:5 \n\r\n", Options{Unlabeled: true}, 3, " 0:2 2:4;; 1:5;;"},
		{"from zero", "1 0:0.5 2:2\n-1 1:1e3\n", zero, 3, "1 0:0.5 2:2;-1 1:1000;"},
		{"largest index from zero", "1 2147483647:1\n", zero, 1 << 31, "1 2147483647:1;"},
		{"known width from zero", "1 8:2\n", Options{Width: 9, FromZero: true}, 9, "1 8:2;"},
		{"indices from zero", "0 2\n", Options{Unlabeled: true, Ones: true, FromZero: true}, 3, " 0:1 2:1;"},
		{"indices", "1 3 \n\n 2\n", Options{Unlabeled: true, Ones: true}, 3, " 0:1 2:1;; 1:1;"},
	} {
		t.Run(test.name, func(t *testing.T) {
			b, s, err := read(t, test.text, test.options)
			if err != nil {
				t.Fatal(err)
			}
			if got := show(b); got != test.want || s.Width != test.width || !s.Sparse || s.Open != (test.options.Width == 0) {
				t.Errorf("%q in %d columns, want %q in %d", got, s.Width, test.want, test.width)
			}
		})
	}
}

// TestLines has blank lines and comments between the rows.
func TestLines(t *testing.T) {
	for text, want := range map[string][]int{
		"1 1:2\n0 1:3\n":                       {1, 2},
		"# c\n\n1 1:2\n0 1:3 # c\n\n":          {3, 4},
		"1 1:2\n\n# c\n0 1:3\n \r\n-1 2:3":     {1, 4, 6},
		strings.Repeat("#\n", 1<<20) + "1 1:2": {1<<20 + 1},
	} {
		b, _, err := read(t, text, Options{})
		if err != nil || !slices.Equal(b.Lines, want) {
			t.Errorf("%.40q: %v, %v, want %v", text, b, err, want)
		}
	}
	r, err := NewReader(strings.NewReader("1 1:2\n0 1:3\n"), "t.svm", Options{})
	if err != nil {
		t.Fatal(err)
	}
	if b, err := r.Next(t.Context()); err != nil || b.Lines != nil {
		t.Errorf("lines %v are listed though they are consecutive, %v", b.Lines, err)
	}
}

func TestErrors(t *testing.T) {
	long := strings.Repeat("1 1:2 3:4\n", 250_000)
	ones, zero := Options{Unlabeled: true, Ones: true}, Options{FromZero: true}
	for _, test := range []struct {
		name, text string
		options    Options
		line       int
		column     string
		message    string
	}{
		{"empty", "", Options{}, 0, "", "no row"},
		{"comments only", "# a\n\n", Options{}, 0, "", "no row"},
		{"text label", "1 1:1\nspam 1:2\n", Options{}, 2, "", `the label "spam" is not a number`},
		{"several labels", "1,3 1:2\n", Options{}, 1, "", `the label "1,3" is not a number`},
		{"no label", "1:2 3:4\n", Options{}, 1, "", `the label "1:2" is not a number`},
		{"infinite label", "1e999 1:2\n", Options{}, 1, "", `the label "1e999" is infinite`},
		{"infinite label in words", "inf 1:2\n", Options{}, 1, "", `the label "inf" is not a number`},
		{"index zero", "1 1:1\n\n1 0:5\n", Options{}, 3, "0", "count from 1; give --index-base 0"},
		{"repeated zero", "1 0:1 0:1\n", zero, 1, "0", "twice"},
		{"descending from zero", "1 5:1 0:1\n", zero, 1, "0", "comes after 5"},
		{"too large from zero", "1 2147483648:1\n", zero, 1, "2147483648", "beyond 2147483647"},
		{"beyond the width from zero", "1 1:1 9:1\n", Options{Width: 9, FromZero: true}, 1, "9", "beyond 8"},
		{"text value from zero", "1 3:x\n", zero, 1, "3", `the value "x" is not a number`},
		{"no value from zero", "1 3\n", zero, 1, "", `"3" is not index:value with an index from 0`},
		{"descending", "1 5:1 3:1\n", Options{}, 1, "3", "comes after 5"},
		{"repeated", "1 5:1 5:1\n", Options{}, 1, "5", "twice"},
		{"too large", "1 2147483649:1\n", Options{}, 1, "2147483649", "beyond 2147483648"},
		{"much too large", "1 1:1 99999999999999999999999:1\n", Options{}, 1, "99999999999999999999", "beyond 2147483648"},
		{"beyond the width", "1 1:1 10:1\n", Options{Width: 9}, 1, "10", "beyond 9"},
		{"negative index", "1 -3:1\n", Options{}, 1, "", `"-3:1" is not index:value`},
		{"name for an index", "1 age:1\n", Options{}, 1, "", `"age:1" is not index:value`},
		{"no value", "1 3\n", Options{}, 1, "", `"3" is not index:value`},
		{"empty value", "1 3: 4:1\n", Options{}, 1, "3", `the value "" is not a number`},
		{"text value", "1 3:x\n", Options{}, 1, "3", `the value "x" is not a number`},
		{"two values", "1 3:1:2\n", Options{}, 1, "3", `the value "1:2" is not a number`},
		{"infinite value", "1 3:1e999\n", Options{}, 1, "3", `"1e999" is infinite`},
		{"infinite value in words", "1 3:-inf\n", Options{}, 1, "3", `"-inf" is infinite`},
		{"bad query", "1 qid:x 1:1\n", Options{}, 1, "", `"qid:x" is not a whole number`},
		{"query out of place", "1 1:1 qid:3\n", Options{}, 1, "", "out of place"},
		{"query missing", "1 qid:1 1:1\n1 1:1\n", Options{}, 2, "", "has no qid and those before it have one"},
		{"query too much", "1 1:1\n# x\n1 qid:1 1:1\n", Options{}, 3, "", "has a qid and those before it have none"},
		{"query too much far below", long + strings.Repeat("#\n", 600_000) + "1 qid:1 1:1\n", Options{}, 850_001, "", "has a qid"},
		{"text far below", long + "1 1:x\n", Options{}, 250_001, "1", `the value "x"`},
		{"label where none is", "1 1:2\n", Options{Unlabeled: true}, 1, "", `"1" is not index:value`},
		{"value where none is", "1 2:1\n", ones, 1, "", `"2:1" is not an index`},
		{"text for an index", "1 x\n", ones, 1, "", `"x" is not an index`},
		{"descending indices", "5 3\n", ones, 1, "3", "comes after 5"},
		{"index zero alone", "0\n", ones, 1, "0", "count from 1"},
		{"UTF-16", "\xff\xfe1\x00\n\x00", Options{}, 0, "", "UTF-16"},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, _, err := read(t, test.text, test.options)
			var bad *data.Error
			if !errors.As(err, &bad) || !errors.Is(err, data.ErrBadData) {
				t.Fatalf("error %v", err)
			}
			if bad.File != "t.svm" || bad.Line != test.line || bad.Column != test.column || !strings.Contains(bad.Msg, test.message) {
				t.Errorf("%v (line %d, column %q)", err, bad.Line, bad.Column)
			}
		})
	}
	for _, width := range []int{-1, 1<<31 + 1} {
		if _, err := NewReader(strings.NewReader("1 1:1\n"), "t.svm", Options{Width: width}); err == nil || errors.Is(err, data.ErrBadData) {
			t.Errorf("width %d: %v", width, err)
		}
	}
}

// TestDeterminism reads a table of several chunks on one core and on four.
func TestDeterminism(t *testing.T) {
	const seed = 5
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 1))
	var text strings.Builder
	for i := range 100_000 {
		fmt.Fprintf(&text, "%d qid:%d", i%3, i/10)
		for p, index := 0, 0; p < rng.IntN(9); p++ {
			index += 1 + rng.IntN(10_000)
			fmt.Fprintf(&text, " %d:%v", index, rng.NormFloat64())
		}
		text.WriteString(" # comment\n")
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	one, oneSchema, err := read(t, text.String(), Options{})
	if err != nil {
		t.Fatal(err)
	}
	runtime.GOMAXPROCS(4)
	four, fourSchema, err := read(t, text.String(), Options{})
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(one, four) || !reflect.DeepEqual(oneSchema, fourSchema) {
		t.Error("the table depends on the number of cores")
	}
	if one.Rows != 100_000 || one.Query[99_999] != 9999 {
		t.Errorf("%d rows, last query %d", one.Rows, one.Query[one.Rows-1])
	}
}

func TestWriter(t *testing.T) {
	var file bytes.Buffer
	w, err := NewWriter(&file, &data.Schema{Width: 3})
	if err != nil {
		t.Fatal(err)
	}
	dense := &data.Block{Rows: 2, Dense: []float64{0, 1.5, math.NaN(), 0, 0, 0}}
	if err := errors.Join(w.Write(dense), w.Close()); err != nil {
		t.Fatal(err)
	}
	if got := file.String(); got != "0 2:1.5 3:nan\n0\n" {
		t.Errorf("dense rows are written %q", got)
	}
	if err := w.Write(&data.Block{Rows: 1, Dense: make([]float64, 3), Query: []int64{1}}); err == nil {
		t.Error("queries in some blocks only are written")
	}
	if err := w.Write(&data.Block{Rows: 1, Dense: []float64{0, 0, math.Inf(-1)}}); err == nil {
		t.Error("an infinity is written")
	}
	if _, err := NewWriter(&file, &data.Schema{Width: 1, Categories: map[int][]string{0: {"red"}}}); err == nil {
		t.Error("a text column is written")
	}
}

func TestSniff(t *testing.T) {
	for text, want := range map[string]bool{
		"1 1:2\n":              true,
		"+1 qid:3 1:2\n":       true,
		"# c\n\n0\n-1 7:0.5\n": true,
		"0.5 12:0.25 13:":      true,
		"1:2 3:4\n":            false,
		"spam 1:2\n":           false,
		"1 2 3\n":              false,
		"1,2\n":                false,
		"1\n2\n":               false,
		"":                     false,
		"1 a:b\n":              false,
	} {
		if got := Sniff([]byte(text)); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

func FuzzRead(f *testing.F) {
	for _, text := range []string{"1 1:2\n", "1 qid:5 1:2 3:nan # x\n0 qid:6", "+1 2147483648:1", "1:2 3:4\n\n", "1 5 7\n", "#\n", "x", "1 0:1", "1 1:1e999", "1 1:"} {
		for options := range byte(8) {
			f.Add(text, options, uint16(0))
		}
		f.Add(text, byte(0), uint16(6))
	}
	f.Fuzz(func(t *testing.T, text string, options byte, width uint16) {
		o := Options{Unlabeled: options&1 != 0, Ones: options&2 != 0, FromZero: options&4 != 0, Width: int(width)}
		b, s, err := read(t, text, o)
		if err != nil {
			return
		}
		if b.Rows < 1 || b.Rows > len(text) || len(b.Index) > len(text) {
			t.Errorf("%d rows, %d cells in %d bytes", b.Rows, len(b.Index), len(text))
		}
		if b.Label == nil {
			b.Label = make([]float64, b.Rows)
		}
		var file bytes.Buffer
		w, err := NewWriter(&file, s)
		if err != nil {
			t.Fatal(err)
		}
		if err := w.Write(b); err != nil {
			t.Fatal(err)
		}
		again, _, err := read(t, file.String(), Options{})
		if err != nil {
			t.Fatalf("%v in what was written: %q", err, file.String())
		}
		if show(again) != show(b) {
			t.Errorf("%q came back as %q", show(b), show(again))
		}
	})
}
