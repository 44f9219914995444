package main

import (
	"archive/zip"
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// typedRows is a table with every kind of column, missing and awkward cells, as CSV.
func typedRows() [][]string {
	rows := [][]string{{"amount", "city, or town", "day", "at", "ok", "note", "code", "y"}}
	for i := range 200 {
		row := []string{
			strconv.FormatFloat(float64(i*37%101)/7, 'g', -1, 64), []string{"Rome", "Zürich", `the "big", one`}[i*7%3],
			fmt.Sprintf("2024-%02d-%02d", i%12+1, i%28+1), fmt.Sprintf("2024-%02d-%02d %02d:%02d:00", i%12+1, i%28+1, i%24, i%60),
			strconv.FormatBool(i*5%7 < 3), fmt.Sprintf("line %d\nof \\ text", i%4), fmt.Sprintf("%03d", i%5),
			strconv.FormatFloat(float64(i*37%101)/7+float64(i*7%3), 'f', 3, 64),
		}
		if i%11 == 3 {
			row[i%7] = ""
		}
		rows = append(rows, row)
	}
	return rows
}

// jsonOf returns the rows as lines or as a list of objects, without missing cells.
func jsonOf(rows [][]string, list bool) string {
	var out strings.Builder
	for i, row := range rows[1:] {
		object := "{"
		for j, cell := range row {
			if cell == "" && i > 0 {
				continue
			}
			key, _ := json.Marshal(rows[0][j])
			value, _ := json.Marshal(cell)
			switch {
			case cell == "":
				value = []byte("null")
			case j == 0 || j == 4 || j == 7:
				value = []byte(cell)
			}
			object += "," + string(key) + ":" + string(value)
		}
		out.WriteString(strings.Replace(object, ",", "", 1) + "}" + map[bool]string{true: ",", false: "\n"}[list])
	}
	if list {
		return "[" + strings.TrimSuffix(out.String(), ",") + "]"
	}
	return out.String()
}

// The same table gives the same model in every format whose rows are typed cells. The workbook,
// the database and the files of R are golden files; see testdata/messy.py and testdata/messy.R.
func TestSameModelFromRows(t *testing.T) {
	rows := typedRows()
	var text bytes.Buffer
	if err := csv.NewWriter(&text).WriteAll(rows); err != nil {
		t.Fatal(err)
	}
	want := ""
	for _, path := range []string{
		file(t, "t.csv", text.String()),
		file(t, "t.jsonl", jsonOf(rows, false)),
		file(t, "t.json", jsonOf(rows, true)),
		filepath.Join("testdata", "messy.xlsx"),
		filepath.Join("testdata", "messy.xlsx") + ":Data",
		filepath.Join("testdata", "messy.db"),
		filepath.Join("testdata", "messy.db") + ":orders",
		filepath.Join("testdata", "messy.rds"),
		filepath.Join("testdata", "messy.RData"),
		filepath.Join("testdata", "messy.RData") + ":orders",
	} {
		out := filepath.Join(t.TempDir(), "run")
		must(t, "fit", path, "--target", "y", "-k", "3", "--quick", "--out", out)
		got := string(read(t, filepath.Join(out, "model.json")))
		if want == "" {
			want = got
		}
		if got != want {
			t.Errorf("%s: another model", path)
		}
		if described := must(t, "describe", path, "--target", "y"); !strings.Contains(described, "200 rows, 8 columns") {
			t.Errorf("%s: %s", path, described)
		}
		if predicted := must(t, "predict", out, path, "--drop", "y"); strings.Count(predicted, "\n") != 201 {
			t.Errorf("%s: %s", path, predicted)
		}
		table := filepath.Join(t.TempDir(), "t.fsa")
		must(t, "convert", path, table)
		must(t, "predict", out, table)
	}
}

// Predictions have the format that the name of the file says, with the same cells.
func TestPredictionFormats(t *testing.T) {
	train := file(t, "train.csv", table(60, "id,a,b,y\n", func(i int, a, b float64, y int) string {
		return fmt.Sprintf("%03d,%v,%v,%s", i, a, b, []string{"no", `"yes, sir"`}[y])
	}))
	run, folder := filepath.Join(t.TempDir(), "run"), t.TempDir()
	must(t, "fit", train, "--target", "y", "-k", "2", "--drop", "id", "--quick", "--out", run)
	predict := func(name string, args ...string) string {
		path := filepath.Join(folder, name)
		must(t, append([]string{"predict", run, train, "--keep", "a,y", "--out", path}, args...)...)
		return path
	}
	want, _ := csv.NewReader(bytes.NewReader(read(t, predict("p.csv")))).ReadAll()
	for _, name := range []string{"p.jsonl", "p.xlsx", "p.parquet", "p.arrow", "p.jsonl.gz"} {
		path := predict(name)
		described := must(t, "describe", path)
		if !strings.Contains(described, fmt.Sprintf("%d rows, %d columns", len(want)-1, len(want[0]))) {
			t.Errorf("%s: %s", name, described)
		}
		for _, column := range []string{"probability", "class", "a ", "y "} {
			if !strings.Contains(described, column) {
				t.Errorf("%s lacks %s", name, column)
			}
		}
	}
	for i, line := range strings.Split(strings.TrimSpace(string(read(t, filepath.Join(folder, "p.jsonl")))), "\n") {
		var row map[string]any
		if err := json.Unmarshal([]byte(line), &row); err != nil {
			t.Fatal(err)
		}
		for j, name := range want[0] {
			if got := fmt.Sprint(row[name]); got != want[i+1][j] {
				if v, err := strconv.ParseFloat(want[i+1][j], 64); err != nil || row[name] != v {
					t.Errorf("row %d: %s is %s instead of %s", i+1, name, got, want[i+1][j])
				}
			}
		}
	}
	if _, err := zip.OpenReader(filepath.Join(folder, "p.xlsx")); err != nil {
		t.Error(err)
	}
	refused(t, []string{"predict", run, train, "--out", filepath.Join(folder, "p.npy")}, exitUsage, ".parquet, .arrow, .xlsx, .jsonl or .csv")
	if _, err := os.Stat(filepath.Join(folder, "p.npy")); err == nil {
		t.Error("a refused file exists")
	}
}
