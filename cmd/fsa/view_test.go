package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
	"time"

	"fsa/internal/checkpoint"
	"fsa/internal/live"
)

// The page of an incomplete run shows the epochs of its checkpoint, and an unreadable checkpoint
// does no harm.
func TestViewUnfinished(t *testing.T) {
	server, err := live.Listen(t.Context(), "run", nil)
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	u := unfinished{path: filepath.Join(t.TempDir(), checkpointName)}
	for i, c := range []struct {
		events string
		epoch  int
	}{
		{"", 0},
		{`{"epoch":1,"variables":90}` + "\n" + `{"epoch":2,"variables":50,"loss":0.5}` + "\n", 2},
		{`{"epoch":2,"variables":50,"loss":0.5}` + "\n" + `{"epoch":7,"variables":12,"loss":0.1}` + "\n", 7},
		{"no events", 7},
	} {
		if c.events != "" {
			record := checkpoint.New()
			record.Watch(func() checkpoint.Seen { return checkpoint.Seen{Events: []byte(c.events)} })
			var b bytes.Buffer
			if _, err := record.WriteTo(&b); err != nil {
				t.Fatal(err)
			}
			write(t, u.path, b.Bytes())
			at := time.Unix(int64(1000+i), 0)
			if err := os.Chtimes(u.path, at, at); err != nil {
				t.Fatal(err)
			}
		}
		u.show(t.Context(), server)
		if u.now.Epoch != c.epoch {
			t.Errorf("after %q: epoch %d instead of %d", c.events, u.now.Epoch, c.epoch)
		}
	}
	if u.now.Variables != 12 || u.now.Loss != 0.1 {
		t.Errorf("it shows %+v", u.now)
	}
	write(t, u.path, []byte("damaged"))
	if u.show(t.Context(), server); u.now.Epoch != 7 {
		t.Errorf("after a damaged checkpoint: %+v", u.now)
	}
}
