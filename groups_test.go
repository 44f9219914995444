package fsa_test

import (
	"errors"
	"strings"
	"testing"

	"fsa"
	"fsa/data"
)

// A column without cells in a sparse table is left out of its group, as a constant column of a dense table is.
func TestGroupsOfEmptyColumns(t *testing.T) {
	schema := &data.Schema{Width: 5, Sparse: true}
	b := data.NewBuilder("rows", schema, data.Roles{})
	block := &data.Block{
		Rows: 4, Start: []int{0, 1, 2, 4, 5}, Index: []uint32{0, 3, 0, 3, 3}, Value: []float64{1, 2, 3, 1, 2},
		Label: []float64{1, -1, 1, -1},
	}
	if err := b.Add(block); err != nil {
		t.Fatal(err)
	}
	d, err := b.Dataset(background)
	if err != nil {
		t.Fatal(err)
	}
	m, err := fsa.Fit(background, d, fsa.Options{K: 1, Selection: fsa.Selection{Groups: [][]string{{"x0", "x1", "2"}}, Force: []string{"x0"}}})
	if err != nil {
		t.Fatal(err)
	}
	if s := m.Selected(); len(s) != 1 || s[0].Name != "x0" {
		t.Errorf("%v was selected", s)
	}
	for ref, want := range map[string]string{"x1": "takes one value only", "x5": "no variable", "y": "no variable"} {
		_, err := fsa.Fit(background, d, fsa.Options{K: 1, Selection: fsa.Selection{Force: []string{ref}}})
		if !errors.Is(err, fsa.ErrOptions) || !strings.Contains(err.Error(), want) {
			t.Errorf("force %s: %v", ref, err)
		}
	}
}
