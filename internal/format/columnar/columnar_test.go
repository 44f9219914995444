package columnar_test

import (
	"testing"

	"fsa/internal/format/columnar"
)

func TestBigEndian(t *testing.T) {
	for want, b := range map[float64][]byte{
		0: {}, 1: {1}, -1: {0xff}, 256: {1, 0}, -256: {0xff, 0}, -2: {0xff, 0xff, 0xff, 0xfe},
		1 << 64: {1, 0, 0, 0, 0, 0, 0, 0, 0}, -1 << 63: {0x80, 0, 0, 0, 0, 0, 0, 0},
	} {
		if got := columnar.BigEndian(b); got != want {
			t.Errorf("%x: %v, want %v", b, got, want)
		}
	}
}
