package open

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fsa/data"
)

// Files of other programs are told by how they begin, whatever they are called, and the
// message says what to do.
func TestForeign(t *testing.T) {
	for _, f := range foreign {
		for _, name := range []string{"table", "table.csv"} {
			path := filepath.Join(t.TempDir(), name)
			if err := os.WriteFile(path, []byte(f.start+"\x00\x00rest"), 0o600); err != nil {
				t.Fatal(err)
			}
			_, err := Table(context.Background(), path, Options{}, Roles{})
			if !errors.Is(err, data.ErrBadData) || !strings.Contains(err.Error(), f.name) || !strings.Contains(err.Error(), f.cure) {
				t.Errorf("%q as %s: %v", f.start, name, err)
			}
		}
	}
	path := filepath.Join(t.TempDir(), "table.csv")
	if err := os.WriteFile(path, []byte("X,y\n1,2\n3,4\n5,7\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Table(context.Background(), path, Options{}, Roles{Target: "y"}); err != nil {
		t.Errorf("a column called X: %v", err)
	}
}
