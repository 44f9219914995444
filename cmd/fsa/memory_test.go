package main

import "testing"

func TestGarbageOf(t *testing.T) {
	for used, want := range map[uint64]int{0: 25, 1 << 20: 25, 64 << 20: 25, 256 << 20: 12, 1 << 30: 3, 1 << 40: 1} {
		if got := garbageOf(used); got != want {
			t.Errorf("%d bytes in use: %d%% may be garbage, want %d%%", used, got, want)
		}
	}
}
