package sqlite

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"fsa/data"
	"fsa/internal/format/csv"
	"fsa/internal/readertest"
)

func golden(tb testing.TB, name string) []byte {
	tb.Helper()
	file, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		tb.Fatal(err)
	}
	return file
}

func open(file []byte, o Options) (data.Reader, error) {
	return NewReader(bytes.NewReader(file), int64(len(file)), "t.db", o)
}

// Databases of SQLite are read as SQLite reads them; see testdata/make.py.
func TestGolden(t *testing.T) {
	for _, name := range []string{"small", "wide"} {
		r, err := open(golden(t, name+".db"), Options{Table: `or"ders`})
		if err != nil {
			t.Fatal(err)
		}
		want, err := csv.NewReader(bytes.NewReader(golden(t, name+".csv")), name, csv.Options{})
		if err != nil {
			t.Fatal(err)
		}
		a, err := readertest.Collect(t, r)
		if err != nil {
			t.Fatal(err)
		}
		b, err := readertest.Collect(t, want)
		if err != nil {
			t.Fatal(err)
		}
		equal := slices.EqualFunc(a.Dense, b.Dense, func(a, b float64) bool { return a == b || a != a && b != b })
		if a.Rows != b.Rows || !equal || !slices.Equal(r.Schema().Names, want.Schema().Names) {
			t.Errorf("%s: %d rows of %q, want %d of %q", name, a.Rows, r.Schema().Names, b.Rows, want.Schema().Names)
		}
		for j, texts := range want.Schema().Categories {
			if !slices.Equal(r.Schema().Categories[j], texts) {
				t.Errorf("%s: column %d: %q", name, j, r.Schema().Categories[j])
			}
		}
	}
}

func TestMessages(t *testing.T) {
	for table, want := range map[string]string{
		"":         `the database has 5 tables: name one, as in t.db:or"ders; the tables are "or\"ders", "keyed"`,
		"nowhere":  `there is no table "nowhere"`,
		"keyed":    "t.db:keyed: it is a table WITHOUT ROWID, which only SQLite can read: read it with --sql 'select * from \"keyed\"'",
		"COMPUTED": `its column "b" is computed`,
		"bytes":    "t.db:bytes: row 1: column b: the cell is a blob",
		"seen":     `"seen" is a view`,
		"empty":    "there is no row",
	} {
		r, err := open(golden(t, "wide.db"), Options{Table: table})
		if err == nil {
			_, err = readertest.Collect(t, r)
		}
		if !errors.Is(err, data.ErrBadData) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", table, err)
		}
	}
	if _, err := open(golden(t, "wide.db"), Options{Table: "bytes", Options: csv.Options{Skip: []string{"b"}}}); err != nil {
		t.Error(err)
	}
}

// Databases that were cut anywhere are read as far as whole rows, or refused.
func TestCut(t *testing.T) {
	file := golden(t, "small.db")
	for _, n := range []int{0, 50, 100, 511, 512, 600, 5000, len(file) / 2, len(file) - 1} {
		r, err := open(file[:n], Options{})
		if err == nil {
			_, err = readertest.Collect(t, r)
		}
		if !errors.Is(err, data.ErrBadData) {
			t.Errorf("%d of %d bytes: %v", n, len(file), err)
		}
	}
}

func TestColumns(t *testing.T) {
	for sql, want := range map[string]string{
		"CREATE TABLE t(a,b text,c int default (1+2),d)":                             "a b c? d",
		"CREATE TABLE t(a INTEGER PRIMARY KEY DESC, b integer primary key)":          "a b*",
		"CREATE TABLE t(a integer, b, primary key (a))":                              "a* b",
		"CREATE TABLE t(a integer, b, primary key (a, b))":                           "a b",
		"CREATE TABLE t(a bigint primary key, \"primary\" x, [a b] decimal(10,2))":   "a primary a b",
		"CREATE TABLE t(a default 'x, y', b default -3, c default current_date, d))": "a b c? d",
		"CREATE TABLE \"a(b\"(x, y -- the last, or not\n, z /* , w */)":              "x y z",
	} {
		all, err := columns(sql)
		if err != nil {
			t.Error(err)
		}
		var got []string
		for _, c := range all {
			name := c.name
			if c.rowid {
				name += "*"
			}
			if !c.known {
				name += "?"
			}
			got = append(got, name)
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s: %s, want %s", sql, got, want)
		}
	}
}

func TestVarint(t *testing.T) {
	for _, c := range []struct {
		b string
		v uint64
		n int
	}{{"\x07", 7, 1}, {"\x81\x00", 128, 2}, {"\xff\xff\xff\xff\xff\xff\xff\xff\xff", 1<<64 - 1, 9}, {"\x80", 0, 0}, {"", 0, 0}} {
		if v, n := varint([]byte(c.b)); v != c.v || n != c.n {
			t.Errorf("%q: %d, %d", c.b, v, n)
		}
	}
}

func FuzzReader(f *testing.F) {
	f.Add(golden(f, "small.db"), "")
	f.Add(golden(f, "wide.db"), "bytes")
	f.Fuzz(func(t *testing.T, file []byte, table string) {
		r, err := open(file, Options{Table: table})
		if err != nil {
			return
		}
		readertest.Collect(t, r)
	})
}

func FuzzColumns(f *testing.F) {
	f.Add(`create table t (a integer primary key, "b" text default 'x', check (a > 1))`)
	f.Fuzz(func(t *testing.T, sql string) { columns(sql) })
}
