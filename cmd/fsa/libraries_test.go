package main

import (
	"fmt"
	"strings"
	"testing"
)

// No library is older than the version that fixed a known flaw. scripts/vulns.sh finds flaws that
// become known later.
func TestMendedLibraries(t *testing.T) {
	least := map[string][3]int{
		"golang.org/x/image": {0, 47, 0},
		"golang.org/x/text":  {0, 43, 0},
	}
	for line := range strings.Lines(string(read(t, "../../go.mod"))) {
		words := strings.Fields(line)
		if len(words) < 2 {
			continue
		}
		want, ok := least[words[0]]
		if !ok {
			continue
		}
		delete(least, words[0])
		var got [3]int
		if _, err := fmt.Sscanf(words[1], "v%d.%d.%d", &got[0], &got[1], &got[2]); err != nil {
			t.Errorf("%s: %v", line, err)
		}
		for i := range got {
			if got[i] != want[i] {
				if got[i] < want[i] {
					t.Errorf("%s %s is older than %v", words[0], words[1], want)
				}
				break
			}
		}
	}
	if len(least) > 0 {
		t.Errorf("%v are not in go.mod", least)
	}
}
