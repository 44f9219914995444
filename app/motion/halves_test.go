package motion

import (
	"context"
	"slices"
	"testing"
)

func TestHalves(t *testing.T) {
	s := rigid("odd", 2, 5, 9, 0.1, 3)
	list := s.halves()
	if len(list) != 2 {
		t.Fatalf("%d halves", len(list))
	}
	for w, first := range []int{0, 5} { // the frame in the middle is in neither half
		if half := list[w]; half.Frames != 4 || half.Points != s.Points || half.Video != s.Video || !slices.Equal(half.Truth, s.Truth) {
			t.Errorf("half %d: %+v", w, half)
		}
		for p, track := range list[w].Track {
			if !slices.Equal(track, s.Track[p][2*first:2*first+8]) {
				t.Errorf("half %d: point %d is elsewhere", w, p)
			}
		}
	}
	if s.Frames != 9 || len(s.Track[0]) != 18 {
		t.Error("the sequence itself was cut")
	}
	if short := rigid("short", 2, 5, 3, 0.1, 3).halves(); short != nil {
		t.Errorf("three frames have %d halves", len(short))
	}
}

// TestLearnFromHalves: the candidates of halves are in the table of the paper's pool, as queries of
// their own, and not in that of the wide one.
func TestLearnFromHalves(t *testing.T) {
	ctx := context.Background()
	for _, pool := range []Pool{PaperPool, WidePool} {
		list, err := DescribeAll(ctx, rigids(3), pool, nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		rows, queries := 0, 0
		for _, d := range list {
			if (len(d.Halves) > 0) != (pool == PaperPool) {
				t.Errorf("%s pool: %s has %d halves", pool, d.Name, len(d.Halves))
			}
			for _, each := range append([]*Described{d}, d.Halves...) {
				if n := len(each.Candidates); n > 1 {
					rows += n
					queries++
				}
			}
		}
		table, err := Table(ctx, list, pool, PaperFamilies)
		if err != nil {
			t.Fatal(err)
		}
		if table.Rows() != rows || len(table.Target.Query) != queries+1 {
			t.Errorf("%s pool: %d rows in %d queries, not %d in %d", pool, table.Rows(), len(table.Target.Query)-1, rows, queries)
		}
	}
}
