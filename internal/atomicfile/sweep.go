package atomicfile

import (
	"os"
	"path/filepath"
	"regexp"
)

// ours is what temporary files are called.
var ours = regexp.MustCompile(`^\.fsa-[0-9a-f]{16}\.tmp$`)

// sweep removes the temporary files that programs which were killed have left in a
// folder. Those that somebody still writes are locked. What cannot be removed stays:
// it is not what the caller came for.
func sweep(folder string) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return
	}
	for _, e := range entries {
		if ours.MatchString(e.Name()) && e.Type().IsRegular() {
			removeStale(filepath.Join(folder, e.Name()))
		}
	}
}
