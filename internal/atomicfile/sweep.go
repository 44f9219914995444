package atomicfile

import (
	"os"
	"path/filepath"
	"regexp"
)

// ours is the pattern of temporary files.
var ours = regexp.MustCompile(`^\.fsa-[0-9a-f]{16}\.tmp$`)

// sweep removes the temporary files that killed programs have left in a folder. Those that are
// still being written are locked. Files that cannot be removed stay, because the caller did not ask
// for this.
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
