package json

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"testing"

	"fsa/data"
	"fsa/data/kind"
	"fsa/internal/format/csv"
	"fsa/internal/readertest"
)

func TestContract(t *testing.T) {
	readertest.Run(t, readertest.Format{
		Write: func(w io.Writer, s *data.Schema, _ int) (data.Writer, error) { return NewWriter(w, s) },
		Read:  func(file []byte) (data.Reader, error) { return NewReader(bytes.NewReader(file), "t.jsonl", Options{}) },
	})
}

func read(t *testing.T, text string, o Options) (*data.Schema, *data.Block, error) {
	t.Helper()
	r, err := NewReader(strings.NewReader(text), "t.json", o)
	if err != nil {
		return nil, nil, err
	}
	b, err := readertest.Collect(t, r)
	return r.Schema(), b, err
}

func TestRead(t *testing.T) {
	nan := math.NaN()
	for _, c := range []struct {
		text  string
		names string
		cells []float64
		lines []int
	}{
		{`{"a":1,"b":2}` + "\n" + `{"b":4,"a":3}`, "a b", []float64{1, 2, 3, 4}, []int{1, 2}},
		{"\ufeff" + `[{"a":1},` + "\n\n" + `{"a":-2.5e-1, "b":7}]` + "\n", "a b", []float64{1, nan, -.25, 7}, nil},
		{`[{"a":null},{"a":NaN},{"a":"3"},{}]`, "a", []float64{nan, nan, 3, nan}, nil},
		{"\n{\n\"a\":\n1\n}\n\n{\n\"a\":\n2\n}\n\n{\n\"a\":\n3\n}\n", "a", []float64{1, 2, 3}, []int{2, 7, 12}},
		{`[{"\u0061":"1\u002c5"},{"a":"2,5"}]`, "a", []float64{1.5, 2.5}, nil},
		{`{"a":1}`, "a", []float64{1}, nil},
	} {
		s, b, err := read(t, c.text, Options{})
		if err != nil {
			t.Errorf("%s: %v", c.text, err)
			continue
		}
		equal := slices.EqualFunc(b.Dense, c.cells, func(a, b float64) bool { return a == b || a != a && b != b })
		if got := strings.Join(s.Names, " "); got != c.names || !equal || c.lines != nil && !slices.Equal(b.Lines, c.lines) {
			t.Errorf("%s: %s, %v, lines %v", c.text, got, b.Dense, b.Lines)
		}
	}
}

func TestTexts(t *testing.T) {
	s, b, err := read(t, `[{"a":"x\n\"y\\"},{"a":"\ud83d\ude00,z"},{"a":"\ud83d"},{"a":"NA"},{"a":true},{"a":" w "}]`, Options{})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"x\n\"y\\", "😀,z", "\ufffd", "true", "w"}
	if !slices.Equal(s.Categories[0], want) || !math.IsNaN(b.Dense[3]) {
		t.Errorf("%q, %v", s.Categories[0], b.Dense)
	}
}

func TestKinds(t *testing.T) {
	s, _, err := read(t, `[{"day":"2024-02-16","ok":true},{"day":"2024-03-01","ok":false}]`, Options{})
	if err != nil || s.KindOf(0).Kind != kind.Date || s.KindOf(1).Kind != kind.Boolean {
		t.Errorf("%v, %v", s.Kinds, err)
	}
}

func TestErrors(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", "t.json:1: there is no object with keys"},
		{"[]", "t.json:1: there is no object with keys"},
		{"[1,2]", "t.json:1: each row must be an object"},
		{"{\"a\":1}\n{\"a\":2,\"a\":3}", `t.json:2: the object has the key "a" twice`},
		{"{\"a\":1,\n\"b\":[1,2]}", "t.json:2: column b: the value is a list"},
		{"{\"a\":1}\n{\"a\":{\"b\":2}}", "t.json:2: column a: the value is an object"},
		{"{\"a\":1}\n{\"a\":2", "t.json:2: the file ends within an object"},
		{"[{\"a\":1}\n", "t.json:2: row 2: the list is not closed"},
		{"[{\"a\":1}]\n{\"a\":1}", "t.json:2: row 2: text follows the end of the list"},
		{"[{\"a\":1}\n{\"a\":1}]", "t.json:2: row 2: a comma or the end of the list"},
		{"{\"a\":1}\n{'a':1}", "t.json:2: a key in quotation marks"},
		{"{\"a\":1}\n{\"a\" 1}", "t.json:2: a colon is expected"},
		{"{\"a\":1}\n{\"a\":1 \"b\":2}", "t.json:2: a comma or the end of the object"},
		{"{\"a\":1}\n{\"a\":1x}", `t.json:2: "1x}" of the key "a" is not a JSON value`},
		{"{\"a\":1}\n{\"a\":None}", `"None}" of the key "a"`},
		{"{\"a\":\"x\ny\"}", "t.json:1: a text has the control character"},
		{`{"a":"\x"}`, `\x is not an escape`},
		{`{"a":"\u12g4"}`, `"12g4" is not four hexadecimal digits`},
		{"{\"a\":1}\n{\"a\":1e999}", `t.json:2: column a: "1e999" is infinite`},
		{"{\"a\":1}\n{\"a\":-Infinity}", `t.json:2: column a: "-Infinity" is infinite`},
		{`{"a":"` + "\xff" + `"}` + "\n" + `{"a":"b"}`, "is not UTF-8"},
		{`{"a":1}{"a":2}`, "t.json:1: two objects are on one line"},
		{`[{"a":1},{"a":1e999}]`, `t.json: row 2: column a: "1e999" is infinite`},
		{"{\"a\":1}\n{\"a\":" + "[1]}", "the value is a list"},
	} {
		if _, _, err := read(t, c.text, Options{}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%.50q: %v, want %s", c.text, err, c.want)
		}
	}
}

// Values of keys that nobody looks at may be nested, but not without end.
func TestSkipped(t *testing.T) {
	text := `{"a":1,"b":[1,{"c":"]"}]}` + "\n" + `{"a":2,"b":{}}`
	if _, b, err := read(t, text, Options{Options: csv.Options{Skip: []string{"b"}}}); err != nil || b.Dense[2] != 2 || !math.IsNaN(b.Dense[3]) {
		t.Errorf("%v, %v", b, err)
	}
	if _, _, err := read(t, text, Options{Options: csv.Options{Only: []string{"a"}}}); err != nil {
		t.Error(err)
	}
	for text, want := range map[string]string{
		`{"a":1,"b":` + strings.Repeat("[", 2000) + "}": "nested more than 1000 deep",
		`{"a":1,"b":[}`: `']' is expected before '}'`,
	} {
		if _, _, err := read(t, text, Options{Options: csv.Options{Skip: []string{"b"}}}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// Keys that come late are found if the text can be read twice, and refused otherwise.
func TestLateKeys(t *testing.T) {
	var text strings.Builder
	for i := range 30000 {
		fmt.Fprintf(&text, "{\"a\":%d}\n", i)
	}
	text.WriteString("{\"a\":1,\"late\":2}\n")
	again := func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(text.String())), nil }
	s, b, err := read(t, text.String(), Options{Again: again})
	if err != nil || s.Width != 2 || b.Rows != 30001 || b.Dense[60001] != 2 || b.LineOf(30000) != 30001 {
		t.Errorf("%v: %d rows", err, b.Rows)
	}
	if _, _, err := read(t, text.String(), Options{}); err == nil || !strings.Contains(err.Error(), `t.json:30001: the key "late" is new`) {
		t.Error(err)
	}
	if _, _, err := read(t, `{"a":1}`, Options{Names: []string{"b"}}); err == nil {
		t.Error("a key of another table is accepted")
	}
}

// A small file cannot claim more cells than any disk holds.
func TestEmptyCells(t *testing.T) {
	var text strings.Builder
	text.WriteString("{")
	for j := range 8000 {
		fmt.Fprintf(&text, "\"k%d\":1,", j)
	}
	text.WriteString("\"y\":1}\n" + strings.Repeat("{}\n", 20000))
	r, err := NewReader(strings.NewReader(text.String()), "t.json", Options{})
	for err == nil {
		_, err = r.Next(context.Background())
	}
	if !strings.Contains(err.Error(), "nearly all cells are missing") {
		t.Error(err)
	}
}

func FuzzReader(f *testing.F) {
	for _, text := range []string{`{"a":1,"b":"x"}`, `[{"a":null},{"a":true,"c":[1,{"d":2}]}]`, `{"a":"\u00e9\ud83d\ude00"}` + "\n{}", `{"a":-1.5e300}` + "\n\n" + `{"a":NaN}`} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		r, err := NewReader(bytes.NewReader(text), "f.json", Options{Options: csv.Options{Skip: []string{"c"}}})
		if err != nil {
			return
		}
		readertest.Collect(t, r)
	})
}

func BenchmarkReader(b *testing.B) {
	var text strings.Builder
	for i := range 20000 {
		fmt.Fprintf(&text, `{"income": %d.25, "age": %d, "city": "%s", "ok": %t, "score": %g}`+"\n", i*7%9973, i%80, []string{"Rome", "Oslo"}[i%2], i%3 == 0, float64(i)/7)
	}
	b.SetBytes(int64(text.Len()))
	for b.Loop() {
		r, err := NewReader(strings.NewReader(text.String()), "t.json", Options{Window: 1 << 24})
		for err == nil {
			_, err = r.Next(context.Background())
		}
		if err != io.EOF {
			b.Fatal(err)
		}
	}
}
