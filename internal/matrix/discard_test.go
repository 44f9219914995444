package matrix

import (
	"slices"
	"testing"
)

// What is put into another form piece by piece is let go piece by piece where that is
// allowed, and left alone where it is not.
func TestDiscard(t *testing.T) {
	rows := make([][]float64, 3000)
	list := NewSparse(3)
	for i := range rows {
		rows[i] = []float64{float64(i), 1, 2}
		list.Add([]uint32{0, 2}, []float32{float32(i), 2})
	}
	binning := &Binning{
		Bins: 4, Columns: []int{0, 2}, Missing: []bool{false, false},
		Position: func(_ int, x float32) float64 { return float64(x) / 3000 },
	}
	codes := slices.Repeat([]Coding{{PerUnit: 1}}, 3)
	for _, discard := range []bool{false, true} {
		for name, convert := range map[string]func(d *Dense) error{
			"bins":     func(d *Dense) error { _, _, err := d.Bin(t.Context(), binning, discard); return err },
			"bfloat16": func(d *Dense) error { _, err := d.BFloat16(t.Context(), codes, discard); return err },
			"int8":     func(d *Dense) error { _, err := d.Int8(t.Context(), codes, discard); return err },
		} {
			d := NewDenseChunks(rows, 100)
			if err := convert(d); err != nil {
				t.Fatal(err)
			}
			if kept := len(slices.Concat(d.chunks...)); discard && kept > 0 || !discard && kept != 9000 {
				t.Errorf("%s, discard %v: %d cells are left", name, discard, kept)
			}
		}
		if _, _, err := list.Bin(t.Context(), binning, discard); err != nil {
			t.Fatal(err)
		}
		if kept := len(list.chunks[0].value); discard && kept > 0 || !discard && kept != 6000 {
			t.Errorf("sparse bins, discard %v: %d cells are left", discard, kept)
		}
	}
}
