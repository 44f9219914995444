package main

import (
	"strings"
	"testing"

	"fsa/internal/cuda"
)

// Without a driver, devices and --device cuda say what is missing; with one they list it.
func TestDevices(t *testing.T) {
	_, err := cuda.Devices()
	code, out, text := call(t, "devices")
	if err == nil {
		if code != exitDone || !strings.Contains(out, "cuda 0") {
			t.Errorf("code %d: %s%s", code, out, text)
		}
		return
	}
	if code != exitFailed || !strings.HasPrefix(text, "fsa: ") || strings.Contains(text, "cuda: ") {
		t.Errorf("devices: code %d: %s", code, text)
	}
}
