package open

import (
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"fsa/data"
)

// encoded returns a text in an encoding.
func encoded(text, name string) string {
	var out []byte
	switch name {
	case "utf-8":
		return text
	case "cp1252", "latin-1":
		high := map[string][128]rune{"cp1252": cp1252, "latin-1": latin1()}[name]
		for _, r := range text {
			if at := slices.Index(high[:], r); at >= 0 {
				r = rune(128 + at)
			}
			out = append(out, byte(r))
		}
		return string(out)
	}
	var order binary.AppendByteOrder = binary.LittleEndian
	if name == "utf-16be" {
		order = binary.BigEndian
	}
	if name == "utf-16" {
		out = order.AppendUint16(out, 0xfeff)
	}
	for _, c := range utf16.Encode([]rune(text)) {
		out = order.AppendUint16(out, c)
	}
	return string(out)
}

// A text in another encoding is the same table as in UTF-8, whether the encoding is given or found,
// and the second is noted.
func TestEncodings(t *testing.T) {
	for _, name := range Encodings() {
		var text strings.Builder
		text.WriteString("straße,n\n")
		for i := range 20000 {
			fmt.Fprintf(&text, "%s,%d\n", []string{"Köln", "Orléans", "Ærø"}[i%3], i)
		}
		if name == "cp1252" {
			text.WriteString("“€ 5” – Œuvre,1\n")
		}
		if strings.HasPrefix(name, "utf") {
			text.WriteString("日本😀,1\n")
		}
		for _, ext := range []string{"", ".gz"} {
			for _, given := range []string{"", name} {
				var notes []string
				o := Options{Encoding: given, Note: func(format string, a ...any) { notes = append(notes, fmt.Sprintf(format, a...)) }}
				want := readText(t, file(t, "u.csv", text.String()), Options{})
				got := readText(t, file(t, "x.csv"+ext, pack(t, ext, encoded(text.String(), name))), o)
				if got != want {
					t.Errorf("%s%s, given %q: another table", name, ext, given)
				}
				if noted := len(notes) > 0; noted != (given == "" && name != "utf-8") {
					t.Errorf("%s%s, given %q: %q", name, ext, given, notes)
				}
			}
		}
	}
}

// readText returns a table as text.
func readText(t *testing.T, path string, o Options) string {
	t.Helper()
	r, err := Reader(t.Context(), path, o)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	var all strings.Builder
	for b, err := range data.Blocks(t.Context(), r) {
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintln(&all, b.Dense)
	}
	fmt.Fprintln(&all, r.Schema().Names, r.Schema().Categories)
	return all.String()
}

// A first letter that is not ASCII may come late in a file, and one bad byte among letters of UTF-8
// makes no other encoding.
func TestEncodingOfLaterRows(t *testing.T) {
	ascii := "city,n\n" + strings.Repeat("Rome,1\nOslo,2\n", 300_000)
	if text := readText(t, file(t, "x.csv", ascii+"K\xf6ln,3\n"), Options{}); !strings.Contains(text, "Köln") {
		t.Error("a late letter was not converted")
	}
	err := readAll(t, file(t, "x.csv", "city,n\nKöln,1\nÆrø,2\nK\xf6ln,3\n"), Options{})
	refused(t, "a bad byte", err, "x.csv", "is not UTF-8: give the encoding of the file, such as --encoding cp1252")
	refused(t, "a binary file", readAll(t, file(t, "x.npy", "\x93NUMPY\x01\x00"), Options{Encoding: "cp1252"}), "x.npy", "leave out --encoding")
	if err := readAll(t, file(t, "x.csv", ascii), Options{Encoding: "ebcdic"}); err == nil || !strings.Contains(err.Error(), "one of utf-8, cp1252") {
		t.Error(err)
	}
	refused(t, "half a character", readAll(t, file(t, "x.csv", encoded("a,b\n1,2\n3,4", "utf-16")+"\n"), Options{}), "x.csv", "ends within a character")
}

// Keys of JSON that come late are found in UTF-16, too.
func TestEncodingOfJSON(t *testing.T) {
	text := strings.Repeat(`{"a":1,"b":"é"}`+"\n", 80_000) + `{"c":3}` + "\n"
	path := filepath.Join(t.TempDir(), "x.jsonl")
	if err := os.WriteFile(path, []byte(encoded(text, "utf-16")), 0o600); err != nil {
		t.Fatal(err)
	}
	if all := readText(t, path, Options{Memory: 8 << 20}); !strings.Contains(all, "[a b c]") {
		t.Error("a late key is missing")
	}
}
