package fsa_test

import (
	"errors"
	"slices"
	"testing"

	"fsa"
	"fsa/cuda"
	"fsa/data/synth"
)

// A device selects what the processor selects.
func TestDevice(t *testing.T) {
	if _, err := cuda.Devices(); err != nil {
		t.Skipf("no device: %v", err)
	}
	for _, o := range []fsa.Options{
		{K: 8}, {K: 8, LossName: "svm"}, {K: 8, LossName: "lorenz", Batch: fsa.AllRows}, {K: 8, Storage: "int8"}, {K: 8, Storage: "bfloat16", Polish: true}, {K: 8, Force: []string{"1"}},
		{K: 8, DeviceMemory: 1 << 20}, {K: 8, Bins: 5}, {K: 8, Groups: [][]string{{"2", "3"}, {"9", "4", "12"}}},
	} {
		var chosen [2][]string
		for i, device := range []string{"cpu", "cuda"} {
			o.Device = device
			m, err := fsa.Fit(t.Context(), made(t, synth.Config{N: 3000, M: 200, K: 8, Seed: 4}), o)
			if err != nil {
				t.Fatal(err)
			}
			for _, v := range m.Selected() {
				chosen[i] = append(chosen[i], v.Name)
			}
		}
		if !slices.Equal(chosen[0], chosen[1]) {
			t.Errorf("%+v: %v, on the processor %v", o, chosen[1], chosen[0])
		}
	}
}

// Devices that are not there, and names that mean none.
func TestNoDevice(t *testing.T) {
	if _, err := fsa.Fit(t.Context(), made(t, synth.Config{N: 100, M: 20, K: 3, Seed: 4}), fsa.Options{K: 3, Device: "abacus"}); !errors.Is(err, fsa.ErrOptions) {
		t.Errorf("an unknown device: %v", err)
	}
	if _, err := fsa.Fit(t.Context(), made(t, synth.Config{N: 100, M: 20, K: 3, Seed: 4}), fsa.Options{K: 3, Device: "auto"}); err != nil {
		t.Errorf("auto: %v", err)
	}
	if _, err := cuda.Devices(); err == nil {
		t.Skip("there is a device")
	}
	_, err := fsa.Fit(t.Context(), made(t, synth.Config{N: 100, M: 20, K: 3, Seed: 4}), fsa.Options{K: 3, Device: "cuda"})
	if !errors.Is(err, cuda.ErrNoDriver) && !errors.Is(err, cuda.ErrNoDevice) && !errors.Is(err, cuda.ErrOldDriver) {
		t.Errorf("no device: %v", err)
	}
}
