package csv

import (
	"compress/gzip"
	"io"
	"math"
	"os"
	"strings"
	"testing"

	"fsa/internal/need"
	"fsa/internal/readertest"
)

// open opens a file of the real data beside the repository.
func open(t *testing.T, name string) io.Reader {
	t.Helper()
	f, err := os.Open(need.Data(t, name))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	if !strings.HasSuffix(name, ".gz") {
		return f
	}
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	return z
}

// TestReal reads published tables. The cells, the counts of missing cells and of different texts
// were taken from the files with other tools.
func TestReal(t *testing.T) {
	need.Long(t)
	type cell struct {
		row, col int
		value    float64
	}
	for _, test := range []struct {
		name       string
		rows, cols int
		header     bool
		missing    int
		texts      map[int]int
		cells      []cell
	}{
		{name: "genomics/golub/X.csv.gz", rows: 72, cols: 7129,
			cells: []cell{{0, 0, -214}, {0, 7128, -37}, {71, 3, 9}, {71, 7128, -60}}},
		{name: "regression/riboflavin/X.csv.gz", rows: 71, cols: 4088,
			cells: []cell{{0, 0, 8.49240360063487}, {70, 4087, 6.65594502163071}}},
		{name: "regression/communities/communities.data.gz", rows: 1994, cols: 128, header: true,
			missing: 39202, texts: map[int]int{3: 1828},
			cells: []cell{{0, 0, 8}, {0, 1, math.NaN()}, {0, 3, 0}, {0, 5, 0.19}, {1993, 127, 0.48}}},
		{name: "regression/cal_housing/cal_housing.data.gz", rows: 20640, cols: 9, header: true,
			cells: []cell{{0, 0, -122.23}, {0, 8, 452600}, {20639, 1, 39.37}}},
		{name: "faces/landmarks.tsv", rows: 1537, cols: 145, header: true,
			texts: map[int]int{0: 3, 1: 1266, 2: 1537},
			cells: []cell{{0, 3, 514}, {1536, 9, 96.69}}},
		{name: "hopkins155/index.tsv", rows: 156, cols: 9, header: true,
			texts: map[int]int{0: 156, 4: 156, 7: 4, 8: 51}},
		{name: "madelon/madelon_train.data.gz", rows: 2000, cols: 500,
			cells: []cell{{0, 0, 485}, {1, 4, 587}}},
	} {
		t.Run(test.name, func(t *testing.T) {
			r, err := NewReader(open(t, test.name), test.name, Options{})
			if err != nil {
				t.Fatal(err)
			}
			b, err := readertest.Collect(t, r)
			if err != nil {
				t.Fatal(err)
			}
			s := r.Schema()
			if b.Rows != test.rows || s.Width != test.cols || (s.Names != nil) != test.header {
				t.Fatalf("%d×%d, names %v", b.Rows, s.Width, s.Names != nil)
			}
			missing := 0
			for _, v := range b.Dense {
				if v != v {
					missing++
				}
			}
			if missing != test.missing {
				t.Errorf("%d cells are missing, want %d", missing, test.missing)
			}
			for j, categories := range s.Categories {
				if len(categories) != test.texts[j] {
					t.Errorf("column %s has %d texts, want %d", s.Name(j), len(categories), test.texts[j])
				}
			}
			if len(s.Categories) != len(test.texts) {
				t.Errorf("%d columns of text, want %d", len(s.Categories), len(test.texts))
			}
			for _, c := range test.cells {
				if got := b.Dense[c.row*s.Width+c.col]; got != c.value && !(got != got && c.value != c.value) {
					t.Errorf("row %d, column %d is %v, want %v", c.row, c.col, got, c.value)
				}
			}
		})
	}
}
