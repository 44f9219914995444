package part_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fsa/data"
	"fsa/data/open"
	"fsa/internal/collective"
	"fsa/internal/grid/part"
)

// TestJoinColumns expects processes whose files have different columns, or the same in another
// order, to be refused.
func TestJoinColumns(t *testing.T) {
	const rows = "\n1,2,3\n4,5,7\n"
	for second, refused := range map[string]bool{"a,b,y": false, "b,a,y": true, "a,c,y": true} {
		dir := t.TempDir()
		comms := collective.Group(2)
		errs := make(chan error, len(comms))
		for rank, head := range []string{"a,b,y", second} {
			path := filepath.Join(dir, head+[]string{"0.csv", "1.csv"}[rank])
			if err := os.WriteFile(path, []byte(head+rows), 0o644); err != nil {
				t.Fatal(err)
			}
			table, err := part.Survey(t.Context(), path, open.Options{}, open.Roles{Target: "y"})
			if err != nil {
				t.Fatal(err)
			}
			go func() { errs <- table.Join(comms[rank]) }()
		}
		for range comms {
			if err := <-errs; refused != (errors.Is(err, data.ErrBadData) && strings.Contains(err.Error(), "the columns of process 1")) || !refused && err != nil {
				t.Errorf("%s: %v", second, err)
			}
		}
	}
}
