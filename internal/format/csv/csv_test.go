package csv

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
	"strconv"
	"strings"
	"testing"
	"testing/iotest"

	"fsa/data"
	"fsa/internal/readertest"
)

// read returns all rows of text and the final schema.
func read(t testing.TB, text string, o Options) (*data.Block, *data.Schema, error) {
	t.Helper()
	r, err := NewReader(strings.NewReader(text), "t.csv", o)
	if err != nil {
		return nil, nil, err
	}
	b, err := readertest.Collect(t, r)
	return b, r.Schema(), err
}

// show prints cells so that they can be compared, with the text of a code.
func show(b *data.Block, s *data.Schema) string {
	var out strings.Builder
	for k, v := range b.Dense {
		categories, isText := s.Categories[k%s.Width]
		switch {
		case math.IsNaN(v):
			out.WriteString("-")
		case isText:
			out.WriteString(categories[int(v)])
		default:
			fmt.Fprint(&out, v)
		}
		if k%s.Width == s.Width-1 {
			out.WriteString(";")
		} else {
			out.WriteString(" ")
		}
	}
	return out.String()
}

func TestSuite(t *testing.T) {
	readertest.Run(t, readertest.Format{
		Write: func(w io.Writer, s *data.Schema, rows int) (data.Writer, error) { return NewWriter(w, s) },
		Read: func(file []byte) (data.Reader, error) {
			return NewReader(bytes.NewReader(file), "t.csv", Options{Header: "yes"})
		},
	})
}

func TestCells(t *testing.T) {
	for _, test := range []struct{ name, text, want string }{
		{"plain", "1,2\n3,4\n", "1 2;3 4;"},
		{"no last line feed", "1,2\n3,4", "1 2;3 4;"},
		{"carriage returns", "1,2\r\n3,4\r\n", "1 2;3 4;"},
		{"byte order mark", "\xef\xbb\xbf1,2\n3,4\n", "1 2;3 4;"},
		{"numbers", "1e300,1e-300,-0.5,+7,.5,5.,1E3\n1,1,1,1,1,1,1\n", "1e+300 1e-300 -0.5 7 0.5 5 1000;1 1 1 1 1 1 1;"},
		{"blanks around", " 1 ,\t2 \n  3,4  \n", "1 2;3 4;"},
		{"missing", "1,2,3,4,5,6,7\n,NaN,nan,NA,N/A,null,?\n-nan,NULL,na,\"\",?,n/a,1\n", "1 2 3 4 5 6 7;- - - - - - -;- - - - - - 1;"},
		{"blank lines", "\n\n1,2\n\n  \n\r\n3,4\n\n", "1 2;3 4;"},
		{"one column", "1\n\n2\n\"\"\n3\n", "1;2;-;3;"},
		{"quoted numbers", "\"1\",\"2.5\"\n\"3\" , \"4\"\n", "1 2.5;3 4;"},
		{"quoted texts", "a,1\n\"b,c\",2\n\"d\"\"e\",3\n\"f\ng\",4\n", "a 1;b,c 2;d\"e 3;f\ng 4;"},
		{"quotation mark inside", "a,1\n5\" pipe,2\n", "a 1;5\" pipe 2;"},
		{"texts", "red,1\nblue,2\nred,3\n,4\nNA,5\n\"NA\",6\n\"\",7\n", "red 1;blue 2;red 3;- 4;- 5;NA 6;- 7;"},
		{"tabs", "1\t\t3\n4\t5\t6\n", "1 - 3;4 5 6;"},
		{"tabs with blanks in texts", "a b\t1\nc d e\t2\n", "a b 1;c d e 2;"},
		{"semicolons", "1;2\n3;4\n", "1 2;3 4;"},
		{"bars", "1|2\n3|4\n", "1 2;3 4;"},
		{"runs of blanks", "  1   2\t3 \n4 5 6\n", "1 2 3;4 5 6;"},
		{"blanks and quotes", "\"a b\" 1\n\"c d\" 2\n", "a b 1;c d 2;"},
		{"commas inside quotes", "\"a;b\",\"c,d\",1\n\"e;f\",g,2\n", "a;b c,d 1;e;f g 2;"},
	} {
		t.Run(test.name, func(t *testing.T) {
			b, s, err := read(t, test.text, Options{Header: "no"})
			if err != nil {
				t.Fatal(err)
			}
			if got := show(b, s); got != test.want {
				t.Errorf("%q, want %q", got, test.want)
			}
		})
	}
}

func TestHeader(t *testing.T) {
	for _, test := range []struct {
		name, text, header string
		want               []string
	}{
		{"names over numbers", "a,b\n1,2\n", "", []string{"a", "b"}},
		{"names over numbers, asked", "a,b\n1,2\n", "auto", []string{"a", "b"}},
		{"numbers", "1,2\n3,4\n", "", nil},
		{"missing cells", "?,NA\n3,4\n", "", nil},
		{"first number far below", "a,b\n?,x\n,y\n3,z\n", "", []string{"a", "b"}},
		{"whole numbers as names", "0,1,y\n1.5,2.5,3.5\n", "", []string{"0", "1", "y"}},
		{"numbers in quotes as names", "\"0\",\"-1.5\"\n1.5,2.5\n", "", []string{"0", "-1.5"}},
		{"quoted numbers", "\"1\",\"2\"\n\"3\",\"4\"\n", "", nil},
		{"column without a name", ",b\n1,2\n", "", []string{"x0", "b"}},
		{"texts only", "colour,shape\nred,round\nblue,square\n", "", []string{"colour", "shape"}},
		{"texts only, found again", "red,round\nblue,round\n", "", nil},
		{"texts only, not different", "red,red\nblue,blue\n", "", nil},
		{"one column of texts", "red\nblue\n", "", nil},
		{"one column of numbers", "x\n1\n", "", []string{"x"}},
		{"names with blanks and quotes", "\" a\"\"b \", c d\n1,2\n", "", []string{" a\"b ", "c d"}},
		{"numbers, told", "1,2\n3,4\n", "yes", []string{"1", "2"}},
		{"texts, told", "a,b\nc,d\n", "no", nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			b, s, err := read(t, test.text, Options{Header: test.header})
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(s.Names, test.want) {
				t.Errorf("names %q, want %q", s.Names, test.want)
			}
			rows := strings.Count(test.text, "\n")
			if test.want != nil {
				rows--
			}
			if b.Rows != rows {
				t.Errorf("%d rows, want %d", b.Rows, rows)
			}
		})
	}
}

func TestCategorical(t *testing.T) {
	text := "zip,age\n01234,30\n99999,40\n01234,50\n"
	b, s, err := read(t, text, Options{Categorical: []string{"zip"}})
	if err != nil {
		t.Fatal(err)
	}
	if got := show(b, s); got != "01234 30;99999 40;01234 50;" || len(s.Categories) != 1 {
		t.Errorf("%q with categories %v", got, s.Categories)
	}
	b, s, err = read(t, "1,2\n3,4\n", Options{Categorical: []string{"x1"}})
	if err != nil || show(b, s) != "1 2;3 4;" || len(s.Categories[1]) != 2 {
		t.Errorf("made up name: %v, %v, %v", b, s, err)
	}
	b, s, err = read(t, "a,b\n1,2\n3,4\n", Options{Categorical: []string{"lacking", "0"}})
	if err != nil || show(b, s) != "1 2;3 4;" || len(s.Categories[0]) != 2 || len(s.Categories) != 1 {
		t.Errorf("a name that is not there and a number that is: %v, %v, %v", b, s, err)
	}
	if _, s, err = read(t, "1,?\n2,\n", Options{}); err != nil || s.Categories != nil {
		t.Errorf("a column without values: categories %v, %v", s.Categories, err)
	}
}

// Nothing in an unused column is refused, and a reader may take what looks like a number for text.
func TestSkip(t *testing.T) {
	text := "price,name,age\n$1.20,a,30\n$3,b,40\n"
	b, s, err := read(t, text, Options{Skip: []string{"price", "1", "lacking"}, Categorical: []string{"price"}})
	if err != nil || show(b, s) != "- - 30;- - 40;" || len(s.Categories) != 0 {
		t.Errorf("skipped: %v, %v, %v", b, s, err)
	}
	b, s, err = read(t, text, Options{})
	if err != nil || show(b, s) != "1.2 a 30;3 b 40;" || len(s.Categories) != 1 {
		t.Errorf("prices: %v, %v, %v", b, s, err)
	}
	b, s, err = read(t, text, Options{Only: []string{"age"}})
	if err != nil || show(b, s) != "- - 30;- - 40;" || len(s.Categories) != 0 {
		t.Errorf("one column: %v, %v, %v", b, s, err)
	}
	for text, want := range map[string]bool{
		"2,5": true, "$5": true, "-$5.50": true, "$ -5": true, "1,234": true, "1,234,567.8": true, "1'000": true, "3 %": true, "12 000 €": true, "5.": true,
		"": false, "$": false, "%": false, "a5": false, "5 kg": false, "1,23,45": false, "2024-01-01": false, "1/2": false, "1.2.3": false, "$5$5": false,
	} {
		if numeric([]byte(text)) != want {
			t.Errorf("%q: %v", text, !want)
		}
	}
}

// TestLines has rows that are not on consecutive lines: blank lines and cells with line feeds, in
// one chunk and over several.
func TestLines(t *testing.T) {
	for text, want := range map[string][]int{
		"a,b\n1,2\n3,4\n":                                       {2, 3},
		"\n\na,b\n1,2\n3,4\n\n \n":                              {4, 5},
		"a,b\n\n1,2\n\n\r\n3,4\n5,6\n":                          {3, 6, 7},
		"a,b\n1,\"x\ny\"\n2,z\n\n3,\"\n\n\"\n4,z":               {2, 4, 6, 9},
		"a,\"b\nc\"\n1,2\n3,4\n":                                {3, 4},
		"\"x\n\",\"\ny\"\n\"x\n\",w\n":                          {1, 4},
		"1 2\n  3 4\n \t\n5 6\n":                                {1, 2, 4},
		strings.Repeat("\n", 1<<21) + "1,2\n":                   {1<<21 + 1},
		"1,2\n" + strings.Repeat(" \n", 1<<20) + "3,4\n\n5,6\n": {1, 1<<20 + 2, 1<<20 + 4},
	} {
		b, _, err := read(t, text, Options{})
		if err != nil || !slices.Equal(b.Lines, want) {
			t.Errorf("%.40q: %v, %v, want %v", text, b, err, want)
		}
	}
	long := "a,b\n" + strings.Repeat("1,2\n", 600_000)
	r, err := NewReader(strings.NewReader(long+"\n"+long[4:]), "t.csv", Options{})
	if err != nil {
		t.Fatal(err)
	}
	rows, lists := 0, 0
	for {
		b, err := r.Next(t.Context())
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if b.Lines != nil {
			lists++
		}
		if rows += b.Rows; rows > 600_000 && b.LineOf(b.Rows-1) != rows+2 {
			t.Fatalf("row %d is on line %d", rows, b.LineOf(b.Rows-1))
		}
	}
	if rows != 1_200_000 || lists > 1 {
		t.Errorf("%d rows, and %d blocks list their lines", rows, lists)
	}
}

func TestErrors(t *testing.T) {
	long := strings.Repeat("1,2\n", 600_000)
	for _, test := range []struct {
		name, text string
		options    Options
		line       int
		column     string
		message    string
	}{
		{"empty", "", Options{}, 0, "", "it is empty"},
		{"blank", " \n\r\n\n", Options{}, 0, "", "it is empty"},
		{"carriage returns alone", "a,b\r1,2\r3,4\r", Options{}, 1, "", "lines end with a carriage return only"},
		{"header only", "a,b\n", Options{}, 0, "", "no row below the header"},
		{"header only, told", "1,2\n\n", Options{Header: "yes"}, 0, "", "no row below the header"},
		{"too few cells", "a,b,c\n1,2,3\n\n4,5\n", Options{}, 4, "", "2 cells where the first row has 3"},
		{"too many cells", "1,2\n1,2,3,4\n", Options{}, 2, "", "4 cells where the first row has 2"},
		{"too few cells and a text out of place", "a,b,c\n1,2,x\n3,y\n", Options{}, 3, "", "2 cells where the first row has 3"},
		{"too few words", "1 2 3\n4 5 \n", Options{}, 2, "", "2 cells where the first row has 3"},
		{"too many words", "1 2\n4 5 6\n", Options{}, 2, "", "3 cells where the first row has 2"},
		{"too few cells far below", long + "1\n", Options{}, 600_001, "", "1 cells where the first row has 2"},
		{"text among numbers", "a,b\n1,2\n3,four\n", Options{}, 3, "b", `"four" is not a number; correct it or leave it empty, or declare the column as categorical`},
		{"number among texts", "a,b\n1,two\n3,4\n", Options{}, 2, "b", `"two" is not a number`},
		{"text far below", long + "1,x\n", Options{}, 600_001, "x1", `"x" is not a number`},
		{"long text", "a\n1\n" + strings.Repeat("y", 1000) + "\n", Options{}, 3, "a", `yyyy…" is not a number`},
		{"text in the first row", "1.5,x\n2.5,3\n", Options{}, 1, "x1", `"x" is not a number`},
		{"text in the first row, cure", "1.5,x\n2.5,3\n", Options{}, 1, "x1", "give --header yes"},
		{"text though numeric", "a,b\nc,d\n", Options{Header: "no", Numeric: true}, 1, "x0", `"a" is not a number`},
		{"infinity", "a\n1\n-inf\n", Options{}, 3, "a", `"-inf" is infinite`},
		{"infinity in the first row", "a\nInfinity\n1\n", Options{}, 2, "a", `"Infinity" is infinite`},
		{"infinities only", "1\ninf\n", Options{Header: "yes"}, 2, "1", `"inf" is infinite`},
		{"too large", "a,b\n1,1e999\n", Options{}, 2, "b", `"1e999" is infinite`},
		{"open quotation mark", "a,b\n1,2\n3,\"4\n5,6\n", Options{}, 3, "b", "never closed"},
		{"open quotation mark in the header", "a,\"b\n1,2\n", Options{}, 1, "", "never closed"},
		{"text after a quoted cell", "a,b\n1,2\n\"3\"4,5\n", Options{}, 3, "a", "follows the closing quotation mark"},
		{"after a quoted line feed", "a,b\n\"x\ny\",1\nz,w\n", Options{}, 4, "b", `"w" is not a number`},
		{"thousands or decimals", "a;b\n1,500;2\n2,500;3\n", Options{}, 2, "a", `"1,500" may be 1.5 or 1500: say which with --decimal or --thousands`},
		{"two decimal marks", "a;b\n1,5;2\n2.5;3\n", Options{}, 2, "a", `"1,5" looks like a number, but the cells of the column are not all written in the same way: describe them with --decimal`},
		{"dates in two orders", "a;b\n1/2/2024;2\n3/4/2024;3\n", Options{}, 2, "a", `say which with --date-order`},
		{"another decimal mark far below", long + "1,\"2,5\"\n", Options{}, 600_001, "x1", `"2,5" is written differently from the numbers above it`},
		{"category in another code", "a,b\nx,1\n\xe9t\xe9,2\n", Options{}, 3, "a", "not UTF-8"},
		{"name in another code", "a,\xe9\n1,2\n", Options{}, 1, "", "not UTF-8"},
		{"UTF-16", "\xff\xfea\x00\n\x00", Options{}, 0, "", "UTF-16"},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, _, err := read(t, test.text, test.options)
			var bad *data.Error
			if !errors.As(err, &bad) || !errors.Is(err, data.ErrBadData) {
				t.Fatalf("error %v", err)
			}
			if bad.File != "t.csv" || bad.Line != test.line || bad.Column != test.column || !strings.Contains(bad.Msg, test.message) {
				t.Errorf("%v (line %d, column %q)", err, bad.Line, bad.Column)
			}
		})
	}
}

// TestDress reads numbers, dates and booleans in common notations, and tables as R and German
// spreadsheets write them.
func TestDress(t *testing.T) {
	for text, want := range map[string]string{
		"a;b\n1,5;2\n2,5;3\n":                                  "1.5 2;2.5 3;",
		"a;b\n1,500;2\n2,500.5;3\n":                            "1500 2;2500.5 3;",
		"a,b\n$1.20,2\n$3,3\n":                                 "1.2 2;3 3;",
		"a,b\n-3 €,2\n4 €,3\n":                                 "-3 2;4 3;",
		"a,b\n,2\n1.3%,2\n(4%),3\n":                            "- 2;1.3 2;-4 3;",
		"a;b;c\n1.234,5;50.95;1.234\n5,5;3.5;2.345\n":          "1234.5 50.95 1.234;5.5 3.5 2.345;",
		"Preis;Menge\n31.987,67;1.234\n5,5;2.000\n":            "31987.67 1234;5.5 2000;",
		"a,b\n\"1,234\",2.75\n\"5,678\",3.5\n":                 "1234 2.75;5678 3.5;",
		"\"x\" \"y\"\n\"r1\" 1.5 \"a\"\n\"r2\" NA \"b\"\n":     "r1 1.5 a;r2 - b;",
		"a,b\nYes,1\nno,2\nYES,3\nNO,4\n":                      "Yes 1;no 2;Yes 3;no 4;",
		"a\n1\n2\n3\n4\n5\n6\n7\n8\n9\n10\nunknown\nrefused\n": "1;2;3;4;5;6;7;8;9;10;-;-;",
		"t,b\n14:30,1\n9:15,2\n":                               "14.5 1;9.25 2;",
	} {
		b, s, err := read(t, text, Options{})
		if err != nil {
			t.Errorf("%q: %v", text, err)
		} else if got := show(b, s); got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}

// TestReadFailure has an input that breaks off, which is not bad data.
func TestReadFailure(t *testing.T) {
	broken := io.MultiReader(strings.NewReader("a,b\n"+strings.Repeat("1,2\n", 400_000)+"3,"), iotest.ErrReader(io.ErrUnexpectedEOF))
	r, err := NewReader(broken, "t.csv", Options{})
	if err != nil {
		t.Fatal(err)
	}
	_, err = readertest.Collect(t, r)
	if !errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, data.ErrBadData) || !strings.Contains(err.Error(), "t.csv: line 400002") {
		t.Errorf("error %v", err)
	}
}

func TestBadOptions(t *testing.T) {
	for _, o := range []Options{{Header: "maybe"}, {Comma: '"'}, {Comma: '\n'}, {Comma: '5'}, {Comma: '.'}, {Comma: 'e'}, {Comma: 0xe9}} {
		if _, err := NewReader(strings.NewReader("1,2\n"), "t.csv", o); err == nil || errors.Is(err, data.ErrBadData) {
			t.Errorf("%+v: %v", o, err)
		}
	}
}

// TestDeterminism reads a table of several chunks, with texts that appear in another order in each
// and cells with line feeds, on one core and on four.
func TestDeterminism(t *testing.T) {
	const seed = 5
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 1))
	var text strings.Builder
	text.WriteString("word,x,note\n")
	for range 300_000 {
		fmt.Fprintf(&text, "w%d,%v,", rng.IntN(3000), rng.NormFloat64())
		if rng.IntN(3) == 0 {
			fmt.Fprintf(&text, "\"line\nand \"\"%d\"\"\"\n", rng.IntN(5))
		} else {
			text.WriteString("plain\n")
		}
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
	if one.Rows != 300_000 || len(oneSchema.Categories[0]) != 3000 || len(oneSchema.Categories[2]) != 6 {
		t.Errorf("%d rows, %d words, %d notes", one.Rows, len(oneSchema.Categories[0]), len(oneSchema.Categories[2]))
	}
	next := 0.0 // codes are in order of first appearance
	for i := range one.Rows {
		code := one.Dense[i*3]
		if code > next {
			t.Fatalf("row %d has code %v before %v", i, code, next)
		}
		next = max(next, code+1)
	}
}

// TestCuts checks that a chunk ends where a row ends, for every way in which
// the start of a text with quotation marks can be cut.
func TestCuts(t *testing.T) {
	for text, d := range map[string]dialect{
		"a,\"b\nc\",d\ne,\"f\"\"\n\"\"g\",h\n5\" x,y,z\n\"\",\"\n\",1\n": ',',
		"a \"b\nc\" d\ne \"f\"\"\n\"\"g\" h\n5\" x z\n\"\" \"\n\" 1\n":   ' ',
		"a, \"b\nc\" ,d\n\"x\"\n \"\n\"\r\n":                             ',',
		"a\t \"b\nc\"\t\"\"\"\n\"\n":                                     '\t',
	} {
		starts := map[int]bool{0: true}
		for i := 0; i < len(text); {
			_, next, problem := d.row(nil, []byte(text), i)
			if problem != "" {
				t.Fatalf("%q at %d: %s", text, i, problem)
			}
			starts[next] = true
			i = next
		}
		whole := 0
		for cut := range len(text) + 1 {
			end := d.end([]byte(text[:cut]))
			if !starts[end] || end < whole {
				t.Errorf("%q is cut at %d, inside a row", text[:cut], end)
			}
			whole = end
		}
		if whole != len(text) {
			t.Errorf("%q is cut at %d, before its end", text, whole)
		}
	}
}

func TestWriterTexts(t *testing.T) {
	names := []string{"plain", "with, comma", "with \"marks\"", "two\nlines", "12", " blank "}
	categories := []string{"red", "a,b", "a;b", "say \"x\"", "two\nlines", "12", "NA", "?", " blank ", "über"}
	schema := &data.Schema{Width: len(names), Names: names, Categories: map[int][]string{0: categories}}
	want := &data.Block{Rows: len(categories) + 1}
	for i := range len(categories) + 1 {
		code := float64(i)
		if i == len(categories) {
			code = math.NaN()
		}
		want.Dense = append(want.Dense, code, 1, -0.25, 1e300, math.NaN(), 12345678)
	}
	var file bytes.Buffer
	w, err := NewWriter(&file, schema)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(w.Write(want), w.Close()); err != nil {
		t.Fatal(err)
	}
	got, s, err := read(t, file.String(), Options{Categorical: []string{"plain"}})
	if err != nil {
		t.Fatalf("%v in\n%s", err, file.String())
	}
	if !slices.Equal(s.Names, names) || !slices.Equal(s.Categories[0], categories) || show(got, s) != show(want, schema) {
		t.Errorf("came back as %q, %v, %s", s.Names, s.Categories, show(got, s))
	}
}

func TestWriterRefuses(t *testing.T) {
	if _, err := NewWriter(io.Discard, &data.Schema{Width: 1, Sparse: true}); err == nil {
		t.Error("a sparse table is written")
	}
	w, err := NewWriter(io.Discard, &data.Schema{Width: 1})
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Write(&data.Block{Rows: 1, Dense: []float64{math.Inf(1)}}); err == nil {
		t.Error("an infinity is written")
	}
}

func TestSniff(t *testing.T) {
	for text, want := range map[string]bool{"a,b\n1,2\n": true, "": false, "PK\x03\x04": false, "a\x00b": false, "\x1f\x8b": false, "über;naïve\r\n": true, "caf\xe9\n": true} {
		if got := Sniff([]byte(text)); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

func TestSniffDialect(t *testing.T) {
	for text, want := range map[string]dialect{
		"1,2\n3,4\n":                            ',',
		"1\t2,3\n4\t5\n":                        '\t',
		"1,5;2,5\n3,5;4,5\n":                    ';',
		"a|b\n1|2\n":                            '|',
		"1 2 3\n4 5 6\n":                        ' ',
		"x y\n1 2\n":                            ' ',
		"1 2 3\n4 5\n":                          ' ',
		"1, 2, 3\n4, 5, 6\n":                    ',',
		"a,b,c\n1,2\n":                          ',',
		"New York\nNew Delhi\n":                 ',',
		"one word\nand two more\n":              ',',
		"12\n13\n":                              ',',
		"\"a;b;c\",d\n\"e\",f\n":                ',',
		"\"a\nb\",c\nd,e\n":                     ',',
		strings.Repeat("0.5 ", 40_000) + "1\n2": ' ',
		strings.Repeat("word ", 40_000):         ',',
		"1 2":                                   ' ',
		"1":                                     ',',
		"":                                      ',',
	} {
		if got := sniffDialect([]byte(text)); got != want {
			t.Errorf("%.40q: %q, want %q", text, got, want)
		}
	}
}

// TestWideHeader has a header that is longer than a chunk.
func TestWideHeader(t *testing.T) {
	const width = 200_000
	var text strings.Builder
	for j := range width {
		text.WriteString("column" + strconv.Itoa(j) + ",")
	}
	text.WriteString("text\n")
	for i := range 3 {
		text.WriteString(strings.Repeat(strconv.Itoa(i)+",", width) + "t\n")
	}
	b, s, err := read(t, text.String(), Options{})
	if err != nil {
		t.Fatal(err)
	}
	if s.Width != width+1 || s.Names[width] != "text" || len(s.Categories[width]) != 1 || b.Rows != 3 || b.Dense[2*s.Width+5] != 2 {
		t.Errorf("%d columns, %d rows, categories %v", s.Width, b.Rows, s.Categories)
	}
}

func FuzzRead(f *testing.F) {
	for _, text := range []string{"a,b\n1,2\n", "1 2\n3 4", "x;y\n\"a\"\"b\";1\n", "a,\"b\nc\"\n1,2\n", ",\n,\n", "\t\t\n", "\"", "1,2\n3", "?\nNaN\n", "1e999\n", " \r\n\"\" \n"} {
		f.Add(text, byte(0), byte(0))
		f.Add(text, byte(1), byte(1))
		f.Add(text, byte(2), byte(2))
	}
	f.Fuzz(func(t *testing.T, text string, header, comma byte) {
		b, s, err := read(t, text, Options{
			Header: []string{"auto", "yes", "no"}[header%3],
			Comma:  []byte{0, ',', ' ', '\t', ';'}[comma%5],
		})
		if err != nil {
			return
		}
		if b.Rows < 1 || b.Rows > len(text) {
			t.Errorf("%d rows in %d bytes", b.Rows, len(text))
		}
		var file bytes.Buffer
		w, err := NewWriter(&file, s)
		if err != nil {
			t.Fatal(err)
		}
		if err := w.Write(b); err != nil {
			t.Fatal(err)
		}
		var categorical []string
		for j := range s.Categories {
			categorical = append(categorical, s.Name(j))
		}
		again, s2, err := read(t, file.String(), Options{Header: "yes", Comma: ',', Categorical: categorical})
		if err != nil {
			t.Fatalf("%v in what was written: %q", err, file.String())
		}
		if show(again, s2) != show(b, s) {
			t.Errorf("%q came back as %q", show(b, s), show(again, s2))
		}
	})
}
