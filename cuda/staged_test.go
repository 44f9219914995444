package cuda

import (
	"fmt"
	"testing"

	"fsa/internal/matrix"
	"fsa/loss"
)

// single is a device that says that it has one multiprocessor, so that few rows are many.
type single struct{ machine }

func (s single) info() Info {
	i := s.machine.info()
	i.Multiprocessors = 1
	return i
}

func TestStagedSums(t *testing.T) {
	eachDevice(t, func(t *testing.T, d *Device) {
		d.machine = single{d.machine}
		for _, format := range []matrix.Format{matrix.BFloat16, matrix.Int8} {
			for _, cols := range []int{65, 128, 200, 512, 1000} {
				s := newSample(format, 6150, cols, loss.Logistic{})
				w, err := d.wayOf(newTable(cellFormat{format: format, knots: 1}, 2050, cols), 1, 2050)
				if err != nil {
					t.Fatal(err)
				}
				if staged := w.perStep > 0 && w.kernel[:1] == "s"; staged != (d.info().Major >= 9) {
					t.Errorf("%d columns: the kernel is %s", cols, w.kernel)
				}
				compare(t, fmt.Sprintf("%s %d×%d", modules[format], s.rows, cols), d, s) // rows in the order of the batches
				if cols%100 == 0 {
					s.rows /= 3
					s = newSample(format, s.rows, cols, loss.Squared{})
					compareBatches(t, fmt.Sprintf("%s %d×%d", modules[format], s.rows, cols), d, s, s.rows) // rows one after another
				}
			}
		}
	})
}
