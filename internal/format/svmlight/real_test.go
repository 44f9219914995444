package svmlight

import (
	"compress/gzip"
	"os"
	"testing"

	"fsa/internal/need"
	"fsa/internal/readertest"
)

// TestReal reads published tables. The numbers were taken from the files with
// other tools.
func TestReal(t *testing.T) {
	need.Long(t)
	for _, test := range []struct {
		name              string
		rows, cols, cells int
		labels            float64 // their sum
		queries           int
	}{
		{"ohsumed_letor/part1.txt.gz", 3383, 25, 84575, 904, 22},
		{"reuters_acq/acq_unigram.svm.gz", 11367, 32667, 774610, -6471, 0},
		{"reuters_acq/acq_unibigram.svm.gz", 11367, 403828, 2006997, -6471, 0},
		{"rcv1_small/train.svm.gz", 1000, 47117, 77739, -82, 0},
		{"url_reputation/url_excerpt.svm.gz", 6758, 3231949, 795650, -1582, 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			f, err := os.Open(need.Data(t, test.name))
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			z, err := gzip.NewReader(f)
			if err != nil {
				t.Fatal(err)
			}
			r, err := NewReader(z, test.name, Options{})
			if err != nil {
				t.Fatal(err)
			}
			b, err := readertest.Collect(t, r)
			if err != nil {
				t.Fatal(err)
			}
			labels, queries := 0.0, make(map[int64]bool)
			for _, v := range b.Label {
				labels += v
			}
			for _, q := range b.Query {
				queries[q] = true
			}
			if width := r.Schema().Width; b.Rows != test.rows || width != test.cols || len(b.Index) != test.cells || labels != test.labels || len(queries) != test.queries {
				t.Errorf("%d×%d, %d cells, labels %v, %d queries", b.Rows, width, len(b.Index), labels, len(queries))
			}
		})
	}
}
