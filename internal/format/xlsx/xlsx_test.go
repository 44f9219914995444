package xlsx

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"fsa/data"
	"fsa/data/kind"
	"fsa/internal/format/csv"
	"fsa/internal/readertest"
)

func open(file []byte, o Options) (data.Reader, error) {
	r, err := NewReader(bytes.NewReader(file), int64(len(file)), "t.xlsx", o)
	if err != nil {
		return nil, err
	}
	return r, nil
}

func TestContract(t *testing.T) {
	readertest.Run(t, readertest.Format{
		Write: func(w io.Writer, s *data.Schema, _ int) (data.Writer, error) { return NewWriter(w, s) },
		Read:  func(file []byte) (data.Reader, error) { return open(file, Options{}) },
		Whole: true,
	})
}

// cells returns a table as texts, row after row.
func cells(t *testing.T, r data.Reader) []string {
	t.Helper()
	b, err := readertest.Collect(t, r)
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	s := r.Schema()
	for i, v := range b.Dense {
		text := fmt.Sprint(v)
		if texts, ok := s.Categories[i%s.Width]; ok && v == v {
			text = texts[int(v)]
		}
		all = append(all, text)
	}
	return all
}

func golden(t *testing.T, file string, o Options) (data.Reader, error) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", file))
	if err != nil {
		t.Fatal(err)
	}
	return open(text, o)
}

// Workbooks of other programs are read as those programs wrote them; see testdata/make.py.
func TestGolden(t *testing.T) {
	text := csv.Options{Kinds: map[string]kind.Column{}}
	for _, name := range []string{"day", "at", "hour", "half"} {
		text.Kinds[name] = kind.Column{Kind: kind.Category}
	}
	want := func(early string) []string {
		return []string{
			"1.5", "Rome", "2024-02-29", "2024-02-29 14:30:05", "09:05:00", "true", "0.5", "0.25", "1",
			"-2e-07", "A & B <c>\n\"d\", é😀", early, "1999-12-31 23:59:59", "00:00:00", "false", "1", "0.5", "2",
			"NaN", "NaN", "NaN", "NaN", "NaN", "NaN", "NaN", "NaN", "3",
			"1.2345678901234e+13", "x_", "9999-12-31", "2000-01-01 00:00:00", "23:59:59", "true", "NaN", "1", "4",
		}
	}
	for _, c := range []struct {
		file, sheet string
		want        []string
	}{
		{"openpyxl.xlsx", "", want("1900-01-05")},
		{"xlsxwriter.xlsx", "", want("NaN")},
		{"openpyxl.xlsx", "Second sheet", []string{"0", "NaN", "0", "1", "NaN", "10", "2", "NaN", "20"}},
		{"xlsxwriter.xlsx", "Hidden", nil},
		{"inline.xlsx", "Sheet1", []string{"text 0", "0", "text 1", "1", "text 2", "2", "text 3", "3", "text 4", "4"}},
	} {
		r, err := golden(t, c.file, Options{Options: text, Sheet: c.sheet})
		if c.want == nil {
			if err == nil {
				_, err = readertest.Collect(t, r)
			}
			if err == nil || !strings.Contains(err.Error(), "no row below the header") {
				t.Errorf("%s: %v", c.file, err)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", c.file, err)
			continue
		}
		if got := cells(t, r); !slices.Equal(got, c.want) {
			t.Errorf("%s:%s\n%q\n%q", c.file, c.sheet, got, c.want)
		}
	}
}

func TestKinds(t *testing.T) {
	r, err := golden(t, "openpyxl.xlsx", Options{})
	if err != nil {
		t.Fatal(err)
	}
	cells(t, r)
	for name, want := range map[string]kind.Name{"n": kind.Number, "at": kind.Date, "hour": kind.Time, "ok": kind.Boolean, "share": kind.Number} {
		if got := r.Schema().KindOf(r.Schema().FindColumn(name)).Kind; got != want {
			t.Errorf("%s is a %s", name, got)
		}
	}
}

func TestMessages(t *testing.T) {
	for _, c := range []struct{ sheet, want string }{
		{"Formulas", "t.xlsx:Formulas: cell B2: it has a formula whose value is not stored"},
		{"Title", "cell B2: the cell has a value, but row 1, the first of the sheet, has no name"},
		{"Empty", "the sheet is empty"},
		{"Nowhere", `there is no sheet "Nowhere": the workbook has "First", "Second sheet"`},
	} {
		r, err := golden(t, "openpyxl.xlsx", Options{Sheet: c.sheet})
		if err == nil {
			_, err = readertest.Collect(t, r)
		}
		if !errors.Is(err, data.ErrBadData) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", c.sheet, err)
		}
	}
	var notes []string
	note := func(format string, a ...any) { notes = append(notes, fmt.Sprintf(format, a...)) }
	if _, err := golden(t, "openpyxl.xlsx", Options{Note: note}); err != nil || len(notes) != 1 || !strings.Contains(notes[0], `read the sheet "First", one of 5`) {
		t.Errorf("%v, %q", err, notes)
	}
}

// pack returns a workbook of one sheet.
func pack(tb testing.TB, sheet, shared, styles string) []byte {
	tb.Helper()
	var file bytes.Buffer
	z := zip.NewWriter(&file)
	related := strings.Replace(bookRelations, "</Relationships>", `<Relationship Id="rId2" Type="x/sharedStrings" Target="/xl/texts.xml"/><Relationship Id="rId3" Type="x/styles" Target="styles.xml"/><Relationship Id="rId4" Type="x/externalLink" TargetMode="External" Target="file:///etc/passwd"/></Relationships>`, 1)
	for _, part := range []struct{ name, text string }{
		{"[Content_Types].xml", contentTypes}, {"_rels/.rels", rootRelations}, {"xl/workbook.xml", workbook}, {"xl/_rels/workbook.xml.rels", related},
		{"xl/worksheets/sheet1.xml", sheet}, {"xl/texts.xml", shared}, {"xl/styles.xml", styles},
	} {
		w, err := z.Create(part.name)
		if err == nil {
			_, err = io.WriteString(w, part.text)
		}
		if err != nil {
			tb.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		tb.Fatal(err)
	}
	return file.Bytes()
}

const head = `<worksheet><dimension ref="A1:XFD1048576"/><sheetData><row><c t="inlineStr"><is><t>a</t></is></c><c t="str"><v>b</v></c></row>`

// Sheets of strangers are read or refused.
func TestHostile(t *testing.T) {
	const tail = `</sheetData></worksheet>`
	for _, c := range []struct{ sheet, shared, want string }{
		{head + `<row><c><v>1</v></c><c><v>2</v></c></row>` + tail, "", ""},
		{head + `<row r="9"><c r="B9"><v>2</v></c></row><row/><row><c/></row>` + tail, "", ""},
		{head + `<row><c><v>1</v></c>`, "", "it ends too early"},
		{head + `<row><c><v>1</v></c></row>`, "", "the sheet ends too early"},
		{head + `<row r="1"><c><v>1</v></c></row>` + tail, "", "row 1 comes after row 1"},
		{head + `<row r="1048577"><c><v>1</v></c></row>` + tail, "", "is not the number of a row"},
		{head + `<row><c r="B2"><v>1</v></c><c r="A2"><v>1</v></c></row>` + tail, "", `a cell "A2" after column 2`},
		{head + `<row><c r="ZZZZ2"><v>1</v></c></row>` + tail, "", "a cell"},
		{head + `<row><c r="C2"><v>1</v></c></row>` + tail, "", "cell C2: the cell has a value"},
		{head + `<row><c t="s"><v>0</v></c></row>` + tail, "<sst/>", `no shared text "0"`},
		{head + `<row><c t="s"><v>-1</v></c></row>` + tail, "<sst><si><t>x</t></si></sst>", `no shared text "-1"`},
		{head + `<row><c><v>x1</v></c></row>` + tail, "", `cell A2: "x1" is not a number`},
		{head + `<row><c><v>1e999</v></c></row>` + tail, "", `is not a number`},
		{head + `<row><c s="1"><v>-5</v></c></row>` + tail, "", "-5 is not a date"},
		{`<!DOCTYPE x [<!ENTITY a "b">]>` + head + tail, "", "document type"},
		{head + `<row><c t="str"><v>&a;</v></c></row>` + tail, "", "is not an entity of XML"},
		{head + `<row><c t="str"><v>` + strings.Repeat("x", 5<<20) + `</v></c></row>` + tail, "", "longer than"},
		{head + `<row>` + strings.Repeat("<c/>", 20000) + `</row>` + tail, "", "more than 16384 cells"},
		{head + `<row r="1048576"></row><row></row>` + tail, "", "a sheet has at most 1048576"},
		{head + `<row><c t="s"><v>0</v></c></row>` + tail, "<sst>" + strings.Repeat("<si><t>x</t></si>", 1<<18), "the texts of the workbook take more"},
	} {
		r, err := open(pack(t, c.sheet, c.shared, `<styleSheet><cellXfs><xf/><xf numFmtId="14"/></cellXfs></styleSheet>`), Options{Texts: 1 << 20})
		if err == nil {
			_, err = readertest.Collect(t, r)
		}
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%.300s: %v, want %s", c.sheet, err, c.want)
		}
	}
}

// A part that unpacks to far too much is refused where that is clear.
func TestLimited(t *testing.T) {
	r := &limited{io.NopCloser(strings.NewReader(strings.Repeat("x", 100))), 99}
	if _, err := io.ReadAll(r); err == nil || !strings.Contains(err.Error(), "decompresses to more than 300 times") {
		t.Error(err)
	}
}

func TestMeant(t *testing.T) {
	for code, want := range map[string]meaning{
		"General": number, "0.00": number, "@": number, `#,##0.00\ "days"`: number, "[Red]0;[Blue]-0": number, "[h]:mm:ss": number, "[$-F800]dddd": date,
		"yyyy-mm-dd": date, "mmm yy": date, "d/m/yyyy h:mm": datetime, "h:mm AM/PM": clock, "mm:ss.0": clock, "mm": date, "[$-409]m/d/yy h:mm AM/PM;@": datetime, `0 "`: number,
	} {
		if got := meant(code); got != want {
			t.Errorf("%s: %d instead of %d", code, got, want)
		}
	}
}

func TestUnescaped(t *testing.T) {
	for text, want := range map[string]string{"a_x000D_b": "a\rb", "_x005F_x0041_": "_x0041_", "_x00": "_x00", "_xZZZZ_": "_xZZZZ_", "_x0041__x0042_": "AB"} {
		if got := string(unescaped([]byte("_x0041_"+text), 7)); got != "_x0041_"+want {
			t.Errorf("%s: %s", text, got)
		}
	}
}

func FuzzReader(f *testing.F) {
	styles := `<styleSheet><numFmts><numFmt numFmtId="200" formatCode="yyyy h"/></numFmts><cellXfs><xf/><xf numFmtId="14"/><xf numFmtId="200"/></cellXfs></styleSheet>`
	f.Add(head+`<row r="2"><c r="A2" s="1"><v>45000.5</v></c><c t="s"><v>0</v></c></row><row><c t="b"><v>1</v></c><c t="e"><f>NA()</f><v>#N/A</v></c></row></sheetData></worksheet>`, `<sst><si><r><t>x</t></r><rPh><t>y</t></rPh></si></sst>`, styles)
	f.Add(head+`<row><c s="2"><v>1</v></c></row><!-- c --><row><c t="d"><v><![CDATA[2024-01-01]]></v></c></row></sheetData>`, `<sst/>`, styles)
	f.Fuzz(func(t *testing.T, sheet, shared, styles string) {
		r, err := open(pack(t, sheet, shared, styles), Options{Texts: 1 << 20})
		if err != nil {
			return
		}
		readertest.Collect(t, r)
	})
}

func FuzzFile(f *testing.F) {
	for _, name := range []string{"openpyxl.xlsx", "xlsxwriter.xlsx"} {
		text, err := os.ReadFile(filepath.Join("testdata", name))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, file []byte) {
		r, err := open(file, Options{})
		if err != nil {
			return
		}
		readertest.Collect(t, r)
	})
}
