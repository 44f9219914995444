package fault_test

import (
	"errors"
	"testing"

	"fsa/internal/fault"
)

func TestCheck(t *testing.T) {
	if err := fault.Check(fault.Open, "a"); err != nil {
		t.Errorf("without a test: %v", err)
	}
	broken := errors.New("broken")
	remove := fault.Install(func(op fault.Op, path string) error {
		if op == fault.Write && path == "a" {
			return broken
		}
		return nil
	})
	if err := fault.Check(fault.Write, "a"); err != broken {
		t.Errorf("the call that fails: %v", err)
	}
	if err := errors.Join(fault.Check(fault.Write, "b"), fault.Check(fault.Sync, "a")); err != nil {
		t.Errorf("others: %v", err)
	}
	remove()
	if err := fault.Check(fault.Write, "a"); err != nil {
		t.Errorf("after the test: %v", err)
	}
}
