package paper

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"fsa/data"
	"fsa/internal/checkpoint"
)

// A record stays with the results, and is refused if it belongs to other data or is damaged.
func TestKept(t *testing.T) {
	ctx := context.Background()
	s := &Setup{Out: t.TempDir()}
	of := map[string]string{"data": "a"}
	for round := range 2 {
		k, err := s.keep(ctx, "x", of)
		if err != nil {
			t.Fatal(err)
		}
		if done := k.record.Task("fold 1"); (done != nil) != (round == 1) {
			t.Errorf("call %d finds %v", round, done)
		}
		k.record.Put("fold 1", &checkpoint.Task{Done: true, Numbers: []float64{0.1}}, time.Now())
		if err := k.end(); err != nil {
			t.Fatal(err)
		}
	}
	refused := func(says string, of map[string]string) {
		t.Helper()
		if _, err := s.keep(ctx, "x", of); !errors.Is(err, data.ErrBadData) || !strings.Contains(err.Error(), says) || !strings.Contains(err.Error(), "x.checkpoint") {
			t.Errorf("the error %v does not say %q", err, says)
		}
	}
	refused("data was a and is b", map[string]string{"data": "b"})
	path := filepath.Join(s.Out, "x.checkpoint")
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, bad := range [][]byte{nil, text[:len(text)/2], []byte(strings.Replace(string(text), "fold 1", "fold 2", 1))} {
		if err := os.WriteFile(path, bad, 0o644); err != nil {
			t.Fatal(err)
		}
		refused("remove it", of)
	}
}
