package open

import (
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"fsa/data"
)

func TestVectorTexts(t *testing.T) {
	nan := math.NaN()
	for text, want := range map[string]data.Vector{
		"1\n-2.5\n1e3\n":                   {Values: []float64{1, -2.5, 1000}},
		"1\r\n2\r\n\r\n":                   {Values: []float64{1, 2}},
		" 1 \n\t2":                         {Values: []float64{1, 2}},
		"\ufeff1\n2\n\n\n":                 {Values: []float64{1, 2}},
		"1\n\n3\n":                         {Values: []float64{1, nan, 3}},
		"1\nnan\n3\n":                      {Values: []float64{1, nan, 3}},
		"y\n1\n2\n":                        {Values: []float64{1, 2}},
		"\"y\"\n\"1\"\n\"2\"\n":            {Values: []float64{1, 2}},
		"\"1\"\n2\n":                       {Values: []float64{1, 2}},
		"red\nblue\nred\n":                 {Values: []float64{0, 1, 0}, Categories: []string{"red", "blue"}},
		"New York\nNew Delhi\n":            {Values: []float64{0, 1}, Categories: []string{"New York", "New Delhi"}},
		"3 rooms\n4 rooms\n":               {Values: []float64{0, 1}, Categories: []string{"3 rooms", "4 rooms"}},
		"\"a, b\"\n\"say \"\"x\"\"\"\n":    {Values: []float64{0, 1}, Categories: []string{"a, b", `say "x"`}},
		"a\nb\n\"1\"\n\"NaN\"\n":           {Values: []float64{0, 1, 2, 3}, Categories: []string{"a", "b", "1", "NaN"}},
		"a\n\"NA\"\nb\n":                   {Values: []float64{0, 1, 2}, Categories: []string{"a", "NA", "b"}},
		"word\n":                           {Values: []float64{0}, Categories: []string{"word"}},
		"über\nnaïve\n":                    {Values: []float64{0, 1}, Categories: []string{"über", "naïve"}},
		strings.Repeat("long ", 50) + "\n": {Values: []float64{0}, Categories: []string{strings.TrimSpace(strings.Repeat("long ", 50))}},
	} {
		for _, ext := range []string{"", ".gz", ".zst"} {
			path := file(t, "y.txt"+ext, pack(t, ext, text))
			got, err := Vector(t.Context(), path)
			if err != nil {
				t.Errorf("%q: %v", text, err)
				continue
			}
			equal := func(a, b float64) bool { return a == b || a != a && b != b }
			if got.Name != path || !slices.EqualFunc(got.Values, want.Values, equal) || !slices.Equal(got.Categories, want.Categories) {
				t.Errorf("%q: %v", text, got)
			}
		}
	}
}

func TestVectorRefused(t *testing.T) {
	for text, want := range map[string]string{
		"1,2\n3,4\n":              ":1: the line \"1,2\" has several cells",
		"y\n1\n2;3\n":             ":3: the line \"2;3\" has several cells",
		"1\t2\n":                  ":1: the line",
		"1\n2 3\n":                ":2: the line \"2 3\" has several cells",
		"\"a\",\"b\"\n":           ":1: the line",
		"a|b\n":                   ":1: the line",
		"red, dark\nblue\n":       "in quotation marks",
		"1\n2\noops\n4\n":         `:3: "oops" is not a number, but other lines are`,
		"y\n1\noops\n4\n":         `:3: "oops" is not a number, but other lines are`,
		"1\nNA\n3\n":              `:2: "NA" is not a number`,
		"a\nb\n7\nc\n":            `:3: "7" is a number, but other lines are texts`,
		"a\n\nb\n":                ":2: the value is missing",
		"a\nnan\nb\n":             ":2: the value is missing",
		"a\nNA\nb\n":              ":2: the value is missing",
		"a\n?\nb\n":               ":2: the value is missing",
		"1\n1e999\n":              `:2: "1e999" is infinite`,
		"y\n1\n-inf\n":            `:3: "-inf" is infinite`,
		"ok\ncaf\xe9\n":           ":2: the text \"caf\\xe9\" is not UTF-8",
		"\n \n\r\n":               "is empty",
		"\x00\x01\x02":            "not a list of values",
		"PAR1 and more \x00 PAR1": "not a list of values",
		"\xff\xfe1\x00\n\x00":     "not a list of values",
		"\x93NUMPY\x01\x00":       "not a .npy file",
		"PK\x03\x04 and no more":  "not an .npz file",
	} {
		path := file(t, "y.txt", text)
		_, err := Vector(t.Context(), path)
		refused(t, text, err, path, want)
	}
}

func TestVectorArrays(t *testing.T) {
	vector := file(t, "y.npy", numpyVector(t, 3, 1, 2))
	zipped := file(t, "y.npy.gz", pack(t, ".gz", numpyVector(t, 3, 1, 2)))
	one := file(t, "one.npz", archive(t, []string{"X"}, []string{"labels"}))
	more := file(t, "more.npz", archive(t, []string{"X"}, []string{"a", "y", "b"}))
	packed := file(t, "more.npz.zst", pack(t, ".zst", archive(t, []string{"X"}, []string{"a", "y"})))
	unclear := file(t, "unclear.npz", archive(t, []string{"X"}, []string{"a", "b"}))
	for path, want := range map[string][]float64{
		vector: {3, 1, 2}, zipped: {3, 1, 2}, one: {0, 1, 2}, more: {1, 1, 2}, packed: {1, 1, 2},
		more + ":b": {2, 1, 2}, unclear + ":b": {1, 1, 2}, more + ":": {1, 1, 2},
	} {
		if v, err := Vector(t.Context(), path); err != nil || !slices.Equal(v.Values, want) || v.Categories != nil || !strings.HasPrefix(v.Name, strings.TrimSuffix(path, ":")) {
			t.Errorf("%s: %v, %v", path, v, err)
		}
	}
	for path, words := range map[string]string{
		unclear:                              "unclear.npz:NAME; it holds X (3×2 float32), a (3 float64), b (3 float64)",
		unclear + ":c":                       `no array "c"; it holds X`,
		unclear + ":X":                       "the array is 3×2 float32, but a vector",
		file(t, "t.npy", contents(t)["npy"]): "the array is 3×2 float32, but a vector",
		file(t, "text.npz", "1\n2\n") + ":y": "not an .npz file",
		filepath.Join("..", "..", "internal", "format", "npy", "testdata", "object_v1.npy"): "write labels as a text file with one label a line",
	} {
		name, _ := splitArray(path)
		_, err := Vector(t.Context(), path)
		refused(t, path, err, name, words)
	}
	for _, path := range []string{"text_v1.npy", "unclear.npz:names"} {
		v, err := Vector(t.Context(), filepath.Join("..", "..", "internal", "format", "npy", "testdata", path))
		if err != nil || len(v.Categories) == 0 || len(v.Values) < 2 {
			t.Errorf("texts in %s: %v, %v", path, v, err)
		}
	}
	if _, err := Vector(t.Context(), filepath.Join(t.TempDir(), "absent.npz:y")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("absent: %v", err)
	}
}

func FuzzVector(f *testing.F) {
	for _, text := range []string{"1\n2\n", "y\n1\n", "a\nb\n", "\"a\"\"b\"\n", "1,2\n", "\"", "nan\n\n", "1e999", "\ufeff", "\x93NUMPY", "PK\x03\x04", "\x1f\x8b", "(\xb5/\xfd"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		v, err := Vector(t.Context(), file(t, "y", text))
		if err != nil {
			return
		}
		if len(v.Values) == 0 {
			t.Error("no values")
		}
		for _, x := range v.Values {
			if math.IsInf(x, 0) || v.Categories != nil && (x != math.Trunc(x) || x < 0 || int(x) >= len(v.Categories)) {
				t.Errorf("value %v of %d texts", x, len(v.Categories))
			}
		}
	})
}
