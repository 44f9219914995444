package bench

import (
	"io"
	"math"
	"slices"
	"strings"
	"testing"

	"fsa/data/synth"
)

// Tables have about the requested share of the cells, and at least as many rows and columns as are
// needed to find the truth.
func TestScaledShapes(t *testing.T) {
	for _, s := range bigShapes {
		if c := s.scaled(1); c.N != s.n || c.M != s.m {
			t.Errorf("%v at full size is %d×%d", s, c.N, c.M)
		}
		for _, share := range []float64{1e-6, 1e-4, 0.01, 0.3, 1} {
			c := s.scaled(share)
			if err := c.Validate(); err != nil {
				t.Errorf("%v by %v: %v", s, share, err)
			}
			if c.N > s.n || c.M > s.m || c.N < min(s.n, leastRows) || c.M < min(s.m, leastColumns) {
				t.Errorf("%v by %v: %d×%d", s, share, c.N, c.M)
			}
			got := float64(c.N) * float64(c.M) / (float64(s.n) * float64(s.m))
			smallest := c.N == min(s.n, leastRows) && c.M == min(s.m, leastColumns)
			if math.Abs(got/share-1) > 0.02 && !smallest {
				t.Errorf("%v by %v: %d×%d, %v of the cells", s, share, c.N, c.M, got)
			}
		}
	}
}

// A table that does not fit on the disk is made smaller, unless its scale was given.
func TestScaleToDisk(t *testing.T) {
	s := bigShape{480_000, 205_000, synth.Equicorrelated, 0}
	for name, c := range map[string]struct {
		asked  float64
		free   int64
		least  float64
		most   float64
		reason bool
	}{
		"room":                {0, 1e12, 1, 1, false},
		"unknown room":        {0, -1, 1, 1, false},
		"a tenth":             {0, 44e9, 0.09, 0.11, true},
		"a thousandth":        {0, 44e7, 0.0009, 0.0011, true},
		"no room":             {0, 1e6, 0, 0, true},
		"asked":               {0.5, 1e12, 0.5, 0.5, false},
		"asked and no room":   {0.5, 44e9, 0, 0, true},
		"asked for the whole": {1, 44e9, 0, 0, true},
	} {
		scale, why := s.scale(c.asked, c.free)
		if scale < c.least || scale > c.most || (why != "") != c.reason {
			t.Errorf("%s: %v, %q", name, scale, why)
		}
		if c.free > 0 && scale > 0 && float64(fileBytes(s.scaled(scale))) > diskUse*float64(c.free) {
			t.Errorf("%s: a file of %d bytes", name, fileBytes(s.scaled(scale)))
		}
	}
	if _, why := s.scale(1, 44e9); !strings.Contains(why, "takes 394 GB, and 44 GB are free") {
		t.Errorf("it says %q", why)
	}
}

// Shapes are measured only on request.
func TestShapesOnRequest(t *testing.T) {
	has := func(only []string) bool {
		return slices.ContainsFunc(taken(only), func(s section) bool { return s.name == Shapes })
	}
	if has(nil) || has([]string{Pass}) || !has([]string{Pass, Shapes}) {
		t.Error("the wrong sections are taken")
	}
}

func TestPrintShapes(t *testing.T) {
	r := &Report{parts: []func(*Report, io.Writer){(*Report).printShapes}, BigTables: []BigTable{
		{N: 900, M: 860_000, K: bigK, Scale: 1, Rows: 900, Columns: 860_000, Load: 3.21, Fit: 186, PeakBytes: 5.5e9, BytesRead: 3.1e11, Found: 1},
		{N: 1_000_000, M: 3_231_961, K: bigK, Sparse: true, Nonzeros: 115, Scale: 0.5, Rows: 707_107, Columns: 2_285_341, Load: 8, Fit: 30, PeakBytes: 3e9, BytesRead: 3e10, Found: 0.95, Why: "its file takes 1.1 GB, and 1 GB are free"},
		{N: 480_000, M: 205_000, K: bigK, Scale: 0.1, Rows: 151_789, Columns: 64_827, Load: 1, Fit: 300, PeakBytes: 2e10, BytesRead: 3e11, FileBytesRead: 2e11, Found: 1},
		{N: 10_000_000, M: 800, K: bigK, Why: "its file takes 32.1 GB, and 2 GB are free"},
	}}
	var text strings.Builder
	if err := r.Print(&text); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"900×860000", "1000000×3231961 sparse", "was made with 0.5 of its cells", "was read from its file, 200 GB", "10000000×800 was not fitted:\n    its file takes 32.1 GB"} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("%q is missing in\n%s", want, text.String())
		}
	}
	narrow(t, text.String())
}
