package main

import (
	"os"
	"testing"
)

// Every command has a file of its name.
func TestFileOfEachVerb(t *testing.T) {
	for _, cmd := range commands() {
		if _, err := os.Stat(cmd.Name() + ".go"); err != nil {
			t.Errorf("fsa %s: %v", cmd.Name(), err)
		}
	}
}
