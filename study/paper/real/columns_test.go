package real

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"fsa"
	"fsa/data"
	"fsa/data/open"
)

// shops is a table with texts, gaps, a date, and rows without a response.
func shops() string {
	var b strings.Builder
	b.WriteString("id,city,area,opened,rent\n")
	for i := range 200 {
		city, area := []string{"Bern", "Graz", "Lyon", ""}[i%7%4], fmt.Sprint(20+i*37%100)
		if i%11 == 0 {
			area = ""
		}
		rent := fmt.Sprintf("%.1f", float64(200+i*37%100*3+i%7%4*50)+float64(i%5))
		if i%50 == 49 {
			rent = ""
		}
		fmt.Fprintf(&b, "s%d,%s,%s,20%02d-0%d-11,%s\n", i, city, area, i%20, i%9+1, rent)
	}
	return b.String()
}

// A table that was read for the comparison is what fsa reads from the file.
func TestColumns(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "shops.csv")
	if err := os.WriteFile(path, []byte(shops()), 0o600); err != nil {
		t.Fatal(err)
	}
	table, err := csv("shops.csv", "rent", "id")(t.Context(), folder)
	if err != nil {
		t.Fatal(err)
	}
	if table.Rows != 196 || table.Cols != 3 || table.task() != regression || !slices.Equal(table.textColumns(), []int{0}) {
		t.Fatalf("%d rows, %d columns, %s, texts %v", table.Rows, table.Cols, table.task(), table.textColumns())
	}
	ours, err := table.dataset(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	theirs, err := open.Table(t.Context(), path, open.Options{}, open.Roles{Target: "rent", Drop: []string{"id"}, SkipMissing: true})
	if err != nil {
		t.Fatal(err)
	}
	var predicted [2][]float64
	for i, d := range []*data.Dataset{ours, theirs} {
		m, err := fsa.Fit(t.Context(), d, fsa.Options{K: 2, Quick: true, Run: fsa.Run{Threads: 1}})
		if err != nil {
			t.Fatal(err)
		}
		if got := m.Selected(); got[0].Name != "area" || got[1].Name != "city" {
			t.Errorf("selected %s and %s", got[0].Name, got[1].Name)
		}
		p, err := m.Predict(t.Context(), table.reader())
		if err != nil {
			t.Fatal(err)
		}
		predicted[i] = p.Decision
	}
	if !slices.Equal(predicted[0], predicted[1]) {
		t.Errorf("predictions differ: %v and %v", predicted[0][:5], predicted[1][:5])
	}
}

// Rows know the texts that occur in them and no others, in the order of a file of their own.
func TestTextsOfRows(t *testing.T) {
	table := &Table{Rows: 4, Cols: 2, Dense: []float64{0, 7, 1, 8, 2, 9, 1, 6}, Y: make([]float64, 4), columns: []column{{name: "city", texts: []string{"a", "b", "c"}}, {name: "x"}}}
	part := table.pick([]int{2, 3})
	r := part.reader()
	b, err := r.Next(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if s := r.Schema(); !slices.Equal(s.Categories[0], []string{"c", "b"}) || !slices.Equal(s.Names, []string{"city", "x"}) || !slices.Equal(b.Dense, []float64{0, 9, 1, 6}) {
		t.Errorf("%v, %v", s, b.Dense)
	}
	if !slices.Equal(part.Dense, []float64{2, 9, 1, 6}) {
		t.Errorf("the table was changed: %v", part.Dense)
	}
	other := table.pick([]int{2, 3})
	other.columns = []column{{name: "city", texts: []string{"a", "b", "d"}}, {name: "x"}}
	if fingerprint(part) == fingerprint(other) {
		t.Error("other texts have the same fingerprint")
	}
}
