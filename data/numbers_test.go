package data_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"fsa/data"
	"fsa/data/open"
)

// Several variables read at once have the numbers of each read alone, whatever their storage and
// unit, and whatever was read before.
func TestNumbersOf(t *testing.T) {
	var text strings.Builder
	text.WriteString("year,color,tiny,flag,y\n")
	for i := range 40 {
		year := "100000000" + "123"[i%3:i%3+1]
		if i%7 == 3 {
			year = ""
		}
		text.WriteString(strings.Join([]string{year, []string{"red", "", "blue"}[i%3], "567"[i%3:i%3+1] + "e-45", "01"[i%2 : i%2+1], "1\n"}, ","))
	}
	path := filepath.Join(t.TempDir(), "t.csv")
	if err := os.WriteFile(path, []byte(text.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	mixed, err := open.Table(t.Context(), path, open.Options{}, open.Roles{Target: "y"})
	if err != nil {
		t.Fatal(err)
	}
	rows := gappy(newRand(), 300, 5, 0.7)
	var columns [][]float64
	for _, d := range []*data.Dataset{mixed, dense(t, rows, nil), sparseWide(t, rows, nil)} {
		for _, vars := range [][]int{{0, 1, 2, 3}, {3, 1}, {2}, {}} {
			if columns, err = d.NumbersOf(t.Context(), columns, vars); err != nil || len(columns) != len(vars) {
				t.Fatal(len(columns), err)
			}
			for k, j := range vars {
				want, err := d.Numbers(t.Context(), j)
				if err != nil {
					t.Fatal(err)
				}
				if !slices.EqualFunc(columns[k], want, func(a, b float64) bool { return a == b || a != a && b != b }) {
					t.Errorf("variable %d of %v: %v, want %v", j, vars, columns[k], want)
				}
			}
		}
	}
}
