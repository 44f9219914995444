package main

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// TestH5AD fits and predicts cells of AnnData files: columns of obs are targets, weights and groups but no variables, and
// a dense matrix gives the model of the same table as CSV.
func TestH5AD(t *testing.T) {
	folder, err := filepath.Abs(filepath.Join("..", "..", "internal", "format", "h5ad", "testdata"))
	if err != nil {
		t.Fatal(err)
	}
	sparse, dense := filepath.Join(folder, "sparse.h5ad"), filepath.Join(folder, "dense.h5ad")
	var golden struct {
		Names []string
		X     [][]*float64
		Obs   map[string][]any
	}
	if err := json.Unmarshal(read(t, filepath.Join(folder, "golden.json")), &golden); err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	var table bytes.Buffer
	w := csv.NewWriter(&table)
	rows := [][]string{append(golden.Names, "age")}
	for i, row := range golden.X {
		var cells []string
		for _, v := range row {
			cell := ""
			if v != nil {
				cell = strconv.FormatFloat(*v, 'g', -1, 64)
			}
			cells = append(cells, cell)
		}
		rows = append(rows, append(cells, strconv.FormatFloat(golden.Obs["age"][i].(float64), 'g', -1, 64)))
	}
	if err := w.WriteAll(rows); err != nil {
		t.Fatal(err)
	}
	write(t, "t.csv", table.Bytes())
	same := []string{"--target", "age", "-k", "3", "--bins", "0", "--quick", "--threads", "1"}
	must(t, append([]string{"fit", "t.csv", "--out", "csv"}, same...)...)
	must(t, append([]string{"fit", dense, "--out", "dense"}, same...)...)
	if !bytes.Equal(read(t, "csv/model.json"), read(t, "dense/model.json")) {
		t.Error("the dense matrix has another model than the table")
	}
	_, _, want := call(t, "predict", "csv", "t.csv")
	if _, _, said := call(t, "predict", "dense", sparse); !strings.Contains(said, "R²") || said != want {
		t.Errorf("predictions are measured by the column of obs: %q instead of %q", said, want)
	}

	must(t, "fit", sparse, "--target", "cell_type", "--skip-missing-target", "--fold-by", "note", "--weights", "age", "-k", "3", "--out", "run")
	s := parse[summary](t, must(t, "show", "run", "--json"))
	if len(s.Selected) != 3 || strings.Join(s.Classes, "|") != "B cell|NK, naïve|T cell" {
		t.Errorf("%+v", s)
	}
	if text := must(t, "describe", sparse+":counts", "--target", "cluster"); !strings.Contains(text, "90 rows, 14 columns, target cluster") {
		t.Errorf("described:\n%s", text)
	}
	refused(t, []string{"fit", sparse, "--target", "nope"}, exitBadData, "the columns of obs are age, cell_type, cluster")
	refused(t, []string{"fit", sparse, sparse, "--target", "age"}, exitBadData, "read from one file only")
	refused(t, []string{"fit", sparse + ":nope", "--target", "age"}, exitBadData, "there are X, counts, raw")
}
