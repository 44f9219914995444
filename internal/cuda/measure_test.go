package cuda

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"fsa/internal/need"
	"fsa/loss"
)

// kernelsIn allows to try kernels that were just compiled before they are embedded.
var kernelsIn = flag.String("kernels", "", "folder that holds the folder kernels, instead of what is embedded")

func TestMain(m *testing.M) {
	flag.Parse()
	if *kernelsIn != "" {
		kernels = os.DirFS(filepath.Clean(*kernelsIn))
	}
	os.Exit(m.Run())
}

// onDevice generates a table on the device and returns an objective of it.
func onDevice(b *testing.B, s Synthetic, batch int64, f func(o *Objective, d *Device) error) {
	d, err := Open(0)
	need.Device(b, err)
	defer d.Close()
	s.True, s.Every, s.Loss, s.Seed = 1, 1, loss.Logistic{}, 1
	m, err := d.Synthetic(b.Context(), s)
	if err != nil {
		b.Fatal(err)
	}
	defer m.Close()
	o, err := m.Objective(batch, 0)
	if err != nil {
		b.Fatal(err)
	}
	defer o.Close()
	if err := f(o, d); err != nil {
		b.Fatal(err)
	}
}

// BenchmarkPass reports the rate of a pass over 12 GB, X counted once, and its ratio to that of a
// copy.
func BenchmarkPass(b *testing.B) {
	for _, module := range []string{"float32", "bfloat16", "int8"} {
		for _, cols := range []int{100_000, 30_000, 10_000, 1000, 100} {
			b.Run(fmt.Sprint(module, "/", cols), func(b *testing.B) {
				format := formats[module]
				onDevice(b, Synthetic{Rows: 12e9 / int64(cols*sizeOf[format]), Columns: cols, Format: format}, 0, func(o *Objective, d *Device) error {
					rate, err := o.PassRate(b.Context())
					if err != nil {
						return err
					}
					most, err := d.CopyRate(4 << 30)
					b.ReportMetric(rate/1e12, "TB/s")
					b.ReportMetric(rate/most, "of-copy")
					return err
				})
			})
		}
	}
}

// BenchmarkStep reports the time of a step on 500 rows when few columns are left.
func BenchmarkStep(b *testing.B) {
	for _, cols := range []int{30, 100, 250, 1000} {
		b.Run(fmt.Sprint(cols), func(b *testing.B) {
			onDevice(b, Synthetic{Rows: 100_000, Columns: cols}, 500, func(o *Objective, _ *Device) error {
				t, err := o.StepTime(b.Context())
				b.ReportMetric(t*1e6, "µs/step")
				return err
			})
		})
	}
}
