package export

import (
	"bytes"
	"errors"
	"go/parser"
	"go/token"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"fsa/internal/modeltest"
	"fsa/model"
)

// named returns a model in which names and texts stand wherever names and texts can.
func named(t testing.TB, name, category, class string) *model.Model {
	t.Helper()
	return modeltest.New(t, modeltest.Spec{
		Task: model.Classification, Loss: "multinomial", Outputs: 2, Classes: []string{class, class + "2"}, Intercept: []float64{1, 1},
		Variables: []modeltest.Variable{
			{Index: 0, Name: name, Norm: 1, Kind: model.Linear, Coefficients: []float64{1, 1}},
			{Index: 1, Name: name + "2", Norm: 1, Kind: model.Category, Levels: []string{category, category + "2"}, Coefficients: []float64{1, 1, 1, 1}},
		},
		Interactions: []modeltest.Interaction{
			{Sides: [2]modeltest.Side{{Index: 2, Name: name + "3", SD: 1}, {Index: 3, Name: name + "4", Levels: []string{category + "3", category + "4"}, Rare: true}}, Coefficients: []float64{1, 1, 1, 1}},
		},
	})
}

var (
	literalSQL    = regexp.MustCompile(`E?'(?:[^']|'')*'|"(?:[^"]|"")*"`)
	literalSource = regexp.MustCompile(`"(?:[^"\\\n]|\\.)*"`)
	blanks        = regexp.MustCompile(`\s+`)
)

// skeleton returns what is left of a file without its names and texts.
func skeleton(file []byte, literals *regexp.Regexp) string {
	return blanks.ReplaceAllString(literals.ReplaceAllString(string(file), "@"), " ")
}

// FuzzNames checks that names and texts change nothing else in a file than the literals
// that they stand in.
func FuzzNames(f *testing.F) {
	for i, s := range modeltest.Hostile {
		f.Add(s, modeltest.Hostile[(i+1)%len(modeltest.Hostile)], modeltest.Hostile[(i+2)%len(modeltest.Hostile)])
	}
	f.Add("\x00", "\x00", "\x00")
	f.Add("", "", "c")
	f.Add("\xff", "\xfe\xff", "\xc3")
	f.Add(strings.Repeat("long", 30), strings.Repeat("long", 3000), strings.Repeat("long", 30))
	export := func(m *model.Model, o Options) ([]byte, error) {
		var out bytes.Buffer
		err := Write(&out, m, o)
		return out.Bytes(), err
	}
	quoting := []Options{{To: "go"}, {To: "python"}, {To: "c"}, {To: "sql", Dialect: "sqlite"}, {To: "sql", Dialect: "duckdb"}, {To: "sql", Dialect: "postgres"}}
	literals := func(o Options) *regexp.Regexp {
		if o.To == "sql" {
			return literalSQL
		}
		return literalSource
	}
	want := make([]string, len(quoting)) // of a model with plain names
	for i, o := range quoting {
		file, err := export(named(f, "name", "category", "class"), o)
		if err != nil {
			f.Fatal(err)
		}
		want[i] = skeleton(file, literals(o))
	}
	f.Fuzz(func(t *testing.T, name, category, class string) {
		name, category, class = valid(name), valid(category), valid(class) // as a model file would have them
		if class == "" {
			class = "class"
		}
		m := named(t, name, category, class)
		zero := strings.Contains(name+category+class, "\x00")
		for i, o := range quoting {
			got, err := export(m, o)
			if err != nil {
				if o.To != "sql" || !zero && name != "" && len(name) < longestName {
					t.Errorf("%v: %v", o, err)
				}
				continue
			}
			if b := slices.IndexFunc(got, func(b byte) bool { return b >= utf8.RuneSelf }); b >= 0 && o.To != "sql" {
				t.Errorf("%v: byte %d is not ASCII", o, b)
			}
			if got := skeleton(got, literals(o)); !zero && got != want[i] {
				t.Errorf("%v: the file is\n%s\ninstead of\n%s", o, got, want[i])
			}
			if o.To == "go" {
				if _, err := parser.ParseFile(token.NewFileSet(), "scorer.go", got, 0); err != nil {
					t.Errorf("%v: %v", o, err)
				}
			}
		}
		for _, to := range []string{"onnx", "json"} {
			if _, err := export(m, Options{To: to}); err != nil {
				t.Errorf("%s: %v", to, err)
			}
		}
	})
}

// TestQuotes reads quoted texts by the rules of their languages.
func TestQuotes(t *testing.T) {
	for _, text := range append(slices.Clone(modeltest.Hostile), "", "a\x01b", strings.Repeat("'\"\\", 9)) {
		for name, d := range dialects {
			quoted, err := d.quote(text)
			if err != nil {
				t.Errorf("%s: %q: %v", name, text, err)
			}
			body, escaped := strings.CutPrefix(quoted, "E")
			body = strings.ReplaceAll(body[1:len(body)-1], "''", "'")
			if escaped {
				body = strings.ReplaceAll(body, `\\`, `\`)
			}
			if body != text {
				t.Errorf("%s: %q becomes %s", name, text, quoted)
			}
		}
		for name, quoted := range map[string]string{"C": quoteC(text), "Python": quotePython(text)} {
			if name == "C" && strings.Contains(quoted, "??") || literalSource.FindString(quoted) != quoted {
				t.Errorf("%s: %q becomes %s", name, text, quoted)
			}
		}
	}
}

// TestLiterals reads numbers back.
func TestLiterals(t *testing.T) {
	for x, want := range map[float64]string{0: "0e0", 1: "1e0", -2.5: "-2.5e0", 1e300: "1e300", 5e-324: "5e-324", 0.1: "1e-1", 123456: "1.23456e5"} {
		if got := literal(x); got != want {
			t.Errorf("%v is written %s, want %s", x, got, want)
		}
	}
	for x, want := range map[float64]string{0: "0.0", 1: "1.0", -2.5: "-2.5", 1e300: "1e+300", 123456: "123456.0"} {
		if got := number(x); got != want {
			t.Errorf("%v is written %s, want %s", x, got, want)
		}
	}
}

// TestRefusals checks what cannot be written, and that errors name the cure.
func TestRefusals(t *testing.T) {
	long := strings.Repeat("x", longestName)
	for name, c := range map[string]struct {
		o    Options
		m    *model.Model
		want string
	}{
		"format":    {Options{To: "pdf"}, named(t, "a", "b", "c"), "it must be one of " + strings.Join(Formats(), ", ")},
		"dialect":   {Options{To: "sql", Dialect: "oracle"}, named(t, "a", "b", "c"), "it must be one of " + strings.Join(Dialects(), ", ")},
		"zero":      {Options{To: "sql"}, named(t, "a\x00", "b", "c"), "rename the column"},
		"class":     {Options{To: "sql", Dialect: "postgres"}, named(t, "a", "b", "c\x00"), "rename the class"},
		"nameless":  {Options{To: "sql", Dialect: "postgres"}, named(t, "", "b", "c"), "name it"},
		"long":      {Options{To: "sql", Dialect: "postgres"}, named(t, long, "b", "c"), "treats the columns"},
		"same name": {Options{To: "sql", Dialect: "duckdb"}, twins(t, "Äh", "äh", "A", "a"), `duckdb treats the columns "A" and "a" as the same`},
	} {
		err := Write(&bytes.Buffer{}, c.m, c.o)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
}

// twins returns a model of columns with the given names.
func twins(t *testing.T, names ...string) *model.Model {
	s := modeltest.Spec{Task: model.Regression, Loss: "squared", Outputs: 1, Intercept: []float64{0}}
	for i, name := range names {
		s.Variables = append(s.Variables, modeltest.Variable{Index: i, Name: name, Norm: 1, Kind: model.Linear, Coefficients: []float64{1}})
	}
	return modeltest.New(t, s)
}

// TestSameBytes checks that a model is always written the same.
func TestSameBytes(t *testing.T) {
	for _, c := range modeltest.Cases(3) {
		for _, to := range slices.Sorted(maps.Keys(formats)) {
			var first, second bytes.Buffer
			m := modeltest.New(t, c.Spec)
			if m.Cuts() != nil && to != "json" {
				if err := Write(&first, m, Options{To: to}); !errors.Is(err, ErrOrdered) {
					t.Errorf("%s as %s: ordered classes, and the error is %v", c.Name, to, err)
				}
				continue
			}
			if err := Write(&first, m, Options{To: to}); err != nil {
				t.Fatalf("%s: %v", c.Name, err)
			}
			if err := Write(&second, m, Options{To: to}); err != nil || !bytes.Equal(first.Bytes(), second.Bytes()) {
				t.Errorf("%s as %s: written twice it differs (%v)", c.Name, to, err)
			}
		}
	}
}
