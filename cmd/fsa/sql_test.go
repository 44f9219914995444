package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fsa/internal/format/sqlite"
	"fsa/internal/need"
	"fsa/report"
)

// TestSQL checks that a query over a whole table gives the model of the table, that all commands that read tables take
// one, and that what it cannot be used with is refused.
func TestSQL(t *testing.T) {
	folder := filepath.Join("..", "..", "internal", "format", "sqlite", "testdata")
	file, err := filepath.Abs(filepath.Join(folder, "small.db"))
	if err != nil {
		t.Fatal(err)
	}
	name, err := sqlite.Query(t.Context(), file, "select 1", 0)
	need.System(t, err == nil, "the library of SQLite (libsqlite3-0)")
	os.Remove(name)
	t.Chdir(t.TempDir())
	const all = `select * from "or""ders" order by id`
	flags := []string{"--target", "x", "--drop", "note", "-k", "2", "--quick", "--skip-missing-target"}
	must(t, append([]string{"fit", file, "--out", "table"}, flags...)...)
	must(t, append([]string{"fit", file, "--sql", all, "--out", "query"}, flags...)...)
	if !bytes.Equal(read(t, "table/model.json"), read(t, "query/model.json")) {
		t.Error("the model of the query is not that of the table")
	}
	run := parse[report.RunRecord](t, string(read(t, "query/run.json")))
	if run.Data.SQL != all || run.Data.File != file {
		t.Errorf("recorded %q of %q", run.Data.SQL, run.Data.File)
	}
	want := must(t, "predict", "table", file)
	if got := must(t, "predict", "query", file, "--sql", all); got != want {
		t.Error("predictions differ")
	}
	if got := must(t, "predict", "query", file, "--sql", all+" limit 3"); !strings.HasPrefix(want, got) || strings.Count(got, "\n") != 4 {
		t.Errorf("three predictions: %s", got)
	}
	if text := must(t, "describe", file, "--sql", `select x, count(*) as orders from "or""ders" group by "city name", x`); !strings.Contains(text, "orders") {
		t.Errorf("described:\n%s", text)
	}
	must(t, "convert", file, "two.fsa", "--sql", `select n, "city name" as city from "or""ders" limit 2`)
	if text := must(t, "describe", "two.fsa"); !strings.Contains(text, "2 rows, 2 columns") {
		t.Errorf("converted:\n%s", text)
	}
	write(t, "t.csv", []byte("a,y\n1,2\n"))
	refused(t, []string{"fit", "t.csv", "--sql", all}, exitBadData, "for SQLite databases", "csv")
	refused(t, []string{"fit", file, "--sql", "select nope"}, exitBadData, "small.db", "no such column: nope")
	refused(t, []string{"fit", file, "--sql", "delete from orders"}, exitBadData, "it can only read")
	write(t, "x.db", read(t, file))
	refused(t, []string{"fit", "x.db:orders", "--sql", all}, exitUsage, "either a table or --sql")
	refused(t, []string{"fit", file, "--sql", all, "--target", "x", "--grid", "1x1"}, exitUsage, "--sql does not work on a grid")
}
