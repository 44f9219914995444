//go:build linux || darwin || freebsd

package open

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"fsa/data"
	"fsa/internal/need"
)

// A pipe that nobody writes to is not waited for any longer than the context lasts.
func TestPipeWithoutWriter(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.csv")
	need.System(t, syscall.Mkfifo(path, 0o600) == nil, "named pipes")
	ctx, stop := context.WithCancel(t.Context())
	failed := make(chan error, 2)
	go func() {
		_, err := Reader(ctx, path, Options{})
		failed <- err
	}()
	go func() {
		_, err := Vector(ctx, path)
		failed <- err
	}()
	stop()
	for range 2 {
		if err := <-failed; !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	}
}

// A folder with a pipe in it is refused, and the pipe is not waited for.
func TestPipeInFolder(t *testing.T) {
	root := parts(t, ".csv", "a.csv")
	need.System(t, syscall.Mkfifo(filepath.Join(root, "b.csv"), 0o600) == nil, "named pipes")
	var o Options
	if _, err := o.Files(t.Context(), []string{root}); !errors.Is(err, data.ErrBadData) || !strings.Contains(err.Error(), "this is not a file") {
		t.Error(err)
	}
}
