package cuda

import (
	"fmt"
	"testing"

	"fsa/internal/matrix"
	"fsa/internal/need"
	"fsa/loss"
)

// single is a device that pretends to have one multiprocessor, so that few rows count as many.
type single struct{ machine }

func (s single) info() Info {
	i := s.machine.info()
	i.Multiprocessors = 1
	return i
}

func TestStagedSums(t *testing.T) {
	need.Long(t)
	eachDevice(t, func(t *testing.T, d *Device) {
		d.machine = single{d.machine}
		for _, format := range []matrix.Format{matrix.BFloat16, matrix.Int8} {
			for _, cols := range []int{1, 9, 30, 32, 47, 64, 65, 100, 128, 200, 256, 512, 1000} {
				rows := int64(2050)
				if cols <= 64 {
					rows = 4100 // more warps share them
				}
				s := newSample(format, int(3*rows), cols, loss.Logistic{})
				w, err := d.planPass(newTable(cellFormat{format: format, knots: 1}, rows, cols), 1, rows)
				if err != nil {
					t.Fatal(err)
				}
				if staged := w.perStep > 0 && w.kernel[:1] == "s"; staged != (d.info().Major >= 9) {
					t.Errorf("%d columns: the kernel is %s", cols, w.kernel)
				}
				compare(t, fmt.Sprintf("%s %d×%d", modules[format], s.rows, cols), d, s) // rows in the order of the batches
				if cols%100 == 0 || cols == 30 || cols == 64 {
					s.rows /= 3
					s = newSample(format, s.rows, cols, loss.Squared{})
					compareBatches(t, fmt.Sprintf("%s %d×%d", modules[format], s.rows, cols), d, s, s.rows) // rows one after another
				}
			}
		}
	})
}
