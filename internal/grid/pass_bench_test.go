package grid

import (
	"context"
	"fmt"
	"testing"

	"fsa/internal/collective"
	"fsa/loss"
)

// BenchmarkPass measures a pass of one process over tables with all columns and with few columns
// left.
func BenchmarkPass(b *testing.B) {
	for _, size := range [][2]int{{20000, 1000}, {200000, 100}, {200000, 25}, {2000, 30000}} {
		for _, once := range []bool{true, false} {
			b.Run(fmt.Sprintf("%dx%d/once=%v", size[0], size[1], once), func(b *testing.B) {
				t := newTable(size[0], size[1], loss.Logistic{})
				m, err := t.spread(collective.Single{}, [2]int{1, 1})
				if err != nil {
					b.Fatal(err)
				}
				o := m.plain(t.y)
				o.loss, o.once = t.loss, once
				o.hand(t.scale, direction)
				b.SetBytes(int64(4 * size[0] * size[1]))
				b.ReportAllocs()
				for b.Loop() {
					if _, err := o.pass(context.Background(), 0, 1, direction, o.descent); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
