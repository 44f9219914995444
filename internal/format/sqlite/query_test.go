package sqlite

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"fsa/data"
	"fsa/internal/format/csv"
	"fsa/internal/need"
	"fsa/internal/readertest"
)

// needLibrary skips a test if there is no library of SQLite.
func needLibrary(tb testing.TB) {
	tb.Helper()
	c, err := newConnection(fileURI(filepath.Join("testdata", "small.db")))
	need.System(tb, !errors.Is(err, errNoLibrary), "the library of SQLite (libsqlite3-0)")
	if err != nil {
		tb.Fatal(err)
	}
	c.close()
}

// result runs a query and reads its result.
func result(tb testing.TB, ctx context.Context, path, query string, most int64) (*data.Block, *data.Schema, error) {
	name, err := Query(ctx, path, query, most)
	if err != nil {
		return nil, nil, err
	}
	defer os.Remove(name)
	file, err := os.ReadFile(name)
	if err != nil {
		tb.Fatal(err)
	}
	r, err := open(file, Options{})
	if err != nil {
		return nil, nil, err
	}
	b, err := readertest.Collect(tb, r)
	return b, r.Schema(), err
}

// TestQuery checks that a query over all columns gives what the table has, in all encodings of texts, and that the
// database is not changed.
func TestQuery(t *testing.T) {
	needLibrary(t)
	folder := t.TempDir()
	t.Setenv("TMPDIR", t.TempDir())
	for _, name := range []string{"small", "wide"} {
		path := filepath.Join(folder, "a 'b' #?%"+name+".db")
		file := golden(t, name+".db")
		if err := os.WriteFile(path, file, 0o400); err != nil {
			t.Fatal(err)
		}
		got, schema, err := result(t, t.Context(), path, "-- all of them\nselect * from \"or\"\"ders\" order by id; /* these */ ", 0)
		if err != nil {
			t.Fatal(err)
		}
		r, err := open(file, Options{Table: `or"ders`})
		if err != nil {
			t.Fatal(err)
		}
		want, err := readertest.Collect(t, r)
		if err != nil {
			t.Fatal(err)
		}
		if got.Rows != want.Rows || strings.Join(schema.Names, ",") != strings.Join(r.Schema().Names, ",") {
			t.Errorf("%s: %d rows of %q instead of %d of %q", name, got.Rows, schema.Names, want.Rows, r.Schema().Names)
		}
		for i, v := range want.Dense {
			if w := got.Dense[i]; v != w && (v == v || w == w) {
				t.Fatalf("%s: cell %d is %v instead of %v", name, i, w, v)
			}
		}
		if after, err := os.ReadFile(path); err != nil || string(after) != string(file) {
			t.Errorf("%s was changed (%v)", name, err)
		}
	}
	if left, _ := os.ReadDir(folder); len(left) != 2 {
		t.Errorf("files beside the database: %v", left)
	}
	got, schema, err := result(t, t.Context(), filepath.Join("testdata", "wide.db"), "with a as (select a, 0.1 as b from seen) select a, b, b as b from a", 0)
	if err != nil || got.Rows != 1 || len(schema.Names) != 3 || got.Dense[1] != 0.1 {
		t.Errorf("%v of %v, %v", got, schema, err)
	}
}

// TestHostileQueries checks that a query that does anything but read is refused, and what is said.
func TestHostileQueries(t *testing.T) {
	needLibrary(t)
	file := golden(t, "wide.db")
	folder := t.TempDir()
	t.Chdir(folder)
	t.Setenv("TMPDIR", t.TempDir())
	if err := os.WriteFile("wide.db", file, 0o600); err != nil {
		t.Fatal(err)
	}
	for query, want := range map[string]string{
		"":                                       "must begin with select",
		"delete from keyed":                      "must begin with select",
		"selected":                               "must begin with select",
		"/* select":                              "must begin with select",
		"explain select 1":                       "must begin with select",
		"pragma user_version = 3":                "must begin with select",
		"attach 'other.db' as b":                 "must begin with select",
		"select 1\x00":                           "must begin with select",
		"with a as (select 1) delete from keyed": `SQLite: near "delete": syntax error`,
		"with a as (select 1) insert into keyed select 1, 1 returning a": `near "insert": syntax error`,
		"select 1 union attach 'other.db' as b":                          `near "attach": syntax error`,
		"select 1; drop table keyed":                                     "more than one statement",
		"select 1; select":                                               "more than one statement",
		"select load_extension('libm.so.6')":                             "not authorized",
		"select writefile('other.db', 'x')":                              "no such function: writefile",
		"select * from nowhere":                                          "no such table: nowhere",
		"select a from":                                                  "incomplete input",
		"select randomblob(900000000)":                                   "too big",
		"select 1 from fsa_result.result":                                "no such table",
		"select a into outfile 'other.db' from keyed":                    "syntax error",
		"select x'00ff' as b":                                            "column b: the cell is a blob",
		"select 1 where 0":                                               "there is no row",
		"with recursive c(x) as (select 1 union all select x + 1 from c) select x from c": "the result does not fit",
	} {
		_, _, err := result(t, t.Context(), "wide.db", query, 1<<20)
		if !errors.Is(err, data.ErrBadData) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", query, err)
		}
	}
	if _, err := Query(t.Context(), "nowhere.db", "select 1", 0); !errors.Is(err, data.ErrBadData) {
		t.Errorf("no file: %v", err)
	}
	if err := os.WriteFile("wide.db", file[:len(file)/2], 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Query(t.Context(), "wide.db", `select * from "or""ders"`, 0); !errors.Is(err, data.ErrBadData) {
		t.Errorf("half a file: %v", err)
	}
	for _, folder := range []string{folder, os.Getenv("TMPDIR")} {
		if left, _ := os.ReadDir(folder); len(left) > 1 {
			t.Errorf("%s has %v", folder, left)
		}
	}
}

// TestEndlessQuery checks that a query without an end stops when its context ends, before or after it begins.
func TestEndlessQuery(t *testing.T) {
	needLibrary(t)
	const endless = "with recursive c(x) as (select 1 union all select x + 1 from c) select count(*) from c"
	for _, after := range []time.Duration{0, time.Microsecond, 20 * time.Millisecond} {
		ctx, cancel := context.WithTimeout(t.Context(), after)
		if _, err := Query(ctx, filepath.Join("testdata", "small.db"), endless, 0); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%v: %v", after, err)
		}
		cancel()
	}
}

func FuzzQuery(f *testing.F) {
	needLibrary(f)
	for _, query := range []string{"select * from seen", "values (1)", "with a as (select 1 as b) select * from a -- c", "select 1;", "/**/ select 'a' || 1.5"} {
		f.Add(query)
	}
	path := filepath.Join(f.TempDir(), "wide.db")
	file := golden(f, "wide.db")
	if err := os.WriteFile(path, file, 0o600); err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, query string) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if name, err := Query(ctx, path, query, 1<<20); err == nil {
			file, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			os.Remove(name)
			if r, err := NewReader(strings.NewReader(string(file)), int64(len(file)), name, Options{Options: csv.Options{}}); err == nil {
				readertest.Collect(t, r)
			}
		}
		if after, err := os.ReadFile(path); err != nil || string(after) != string(file) {
			t.Fatalf("%q changed the database (%v)", query, err)
		}
	})
}
