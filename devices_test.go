package fsa_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"fsa"
	"fsa/data/synth"
	"fsa/internal/cuda"
	"fsa/internal/need"
)

// A device selects the same variables as the processor.
func TestDevice(t *testing.T) {
	_, err := cuda.Devices()
	need.Device(t, err)
	for _, o := range []fsa.Options{
		{K: 8}, {K: 8, Loss: "svm"}, {K: 8, Loss: "lorenz", Descent: fsa.Descent{Batch: fsa.AllRows}}, {K: 8, Design: fsa.Design{Storage: "int8"}},
		{K: 8, Selection: fsa.Selection{Polish: true}, Design: fsa.Design{Storage: "bfloat16"}}, {K: 8, Selection: fsa.Selection{Force: []string{"1"}}},
		{K: 8, Run: fsa.Run{DeviceMemory: 1 << 20}}, {K: 8, Bins: 5}, {K: 8, Selection: fsa.Selection{Groups: [][]string{{"2", "3"}, {"9", "4", "12"}}}}, {K: 8, Loss: "huber"},
		{Validation: fsa.Validation{Folds: 4}}, {Bins: 3, Validation: fsa.Validation{Folds: 4}}, {Validation: fsa.Validation{Folds: 4}, Run: fsa.Run{DeviceMemory: 1 << 20}},
		{K: 8, Design: fsa.Design{Storage: "int8"}, Validation: fsa.Validation{Folds: 3}},
	} {
		var chosen [2][]string
		for i, device := range []string{"cpu", "cuda"} {
			o.Run.Device = device
			table := synth.Config{N: 3000, M: 200, K: 8, Seed: 4}
			if o.Loss == "huber" {
				table.Task = synth.Regression
			}
			m, err := fsa.Fit(t.Context(), made(t, table), o)
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

// With many rows, cross-validation on a device, where the folds are also fitted, chooses the same size. A recorded fit is
// not repeated.
func TestDeviceFolds(t *testing.T) {
	_, err := cuda.Devices()
	need.Device(t, err)
	for _, task := range []string{synth.Classification, synth.Regression} {
		table := made(t, synth.Config{N: 50000, M: 120, K: 8, Seed: 4, Task: task})
		var names, numbers []string
		record := new(fsa.Record)
		for _, o := range []fsa.Options{{Run: fsa.Run{Device: "cpu"}}, {Run: fsa.Run{Device: "cuda", Record: record}}, {Run: fsa.Run{Device: "cuda", Record: record}}, {Run: fsa.Run{Device: "cuda"}}} {
			o.Validation.Folds = 3
			m, err := fsa.Fit(t.Context(), table, o)
			if err != nil {
				t.Fatal(err)
			}
			var name, number string
			for _, v := range m.Selected() {
				name += v.Name + " "
				number += fmt.Sprint(v.Coefficients)
			}
			names, numbers = append(names, name), append(numbers, number)
		}
		if names[1] != names[0] {
			t.Errorf("%s, on the processor %s", names[1], names[0])
		}
		if numbers[2] != numbers[1] || numbers[3] != numbers[1] {
			t.Errorf("on a device %s, from its record %s and again %s", numbers[1], numbers[2], numbers[3])
		}
	}
}

// Devices that are not available, and unknown names.
func TestNoDevice(t *testing.T) {
	if _, err := fsa.Fit(t.Context(), made(t, synth.Config{N: 100, M: 20, K: 3, Seed: 4}), fsa.Options{K: 3, Run: fsa.Run{Device: "abacus"}}); !errors.Is(err, fsa.ErrOptions) {
		t.Errorf("an unknown device: %v", err)
	}
	if _, err := fsa.Fit(t.Context(), made(t, synth.Config{N: 100, M: 20, K: 3, Seed: 4}), fsa.Options{K: 3, Run: fsa.Run{Device: "auto"}}); err != nil {
		t.Errorf("auto: %v", err)
	}
	_, err := cuda.Devices()
	need.System(t, err != nil, "a machine without a device")
	_, err = fsa.Fit(t.Context(), made(t, synth.Config{N: 100, M: 20, K: 3, Seed: 4}), fsa.Options{K: 3, Run: fsa.Run{Device: "cuda"}})
	if !errors.Is(err, cuda.ErrNoDriver) && !errors.Is(err, cuda.ErrNoDevice) && !errors.Is(err, cuda.ErrOldDriver) {
		t.Errorf("no device: %v", err)
	}
}
