package main

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// No package name precedes a message.
func TestMessagesNameNoPackage(t *testing.T) {
	prefix := regexp.MustCompile(`(?:Errorf|errors\.New)\("([a-z]+): `)
	root, seen := filepath.Join("..", ".."), 0
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go") {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		folder := filepath.Base(filepath.Dir(path))
		for _, m := range prefix.FindAllSubmatch(text, -1) {
			name := string(m[1])
			if name != folder { // no package name, or that of the root
				continue
			}
			seen++
			if got := message(errors.New(name + ": why")); got != "why" {
				t.Errorf("%s: %q", path, got)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if seen == 0 {
		t.Error("no package puts its name before an error")
	}
}
