package open

import (
	"context"
	"errors"
	"io"
	"os"
	"testing"
	"time"

	"fsa/data"
)

// endless lets standard input be a pipe that has some content and never ends.
func endless(t *testing.T, content string) {
	t.Helper()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	stdin := os.Stdin
	os.Stdin = r
	t.Cleanup(func() {
		os.Stdin = stdin
		w.Close()
		r.Close()
	})
	go io.WriteString(w, content)
}

// Whatever waits for standard input stops waiting when its context ends, and
// does not blame the input.
func TestInterruptedInput(t *testing.T) {
	all := contents(t)
	all["nothing"] = ""
	for format, content := range all {
		for _, ext := range []string{"", ".gz", ".zst"} {
			for what, read := range map[string]func(ctx context.Context) error{
				"table": func(ctx context.Context) error {
					_, err := Table(ctx, "-", Options{}, Roles{})
					return err
				},
				"table in a temporary file": func(ctx context.Context) error {
					_, err := Table(ctx, "-", Options{Memory: 1 << 30}, Roles{})
					return err
				},
				"reader": func(ctx context.Context) error {
					r, err := Reader(ctx, "-", Options{})
					if err != nil {
						return err
					}
					defer r.Close()
					for _, err = range data.Blocks(context.Background(), r) {
					}
					return err
				},
				"vector": func(ctx context.Context) error {
					_, err := Vector(ctx, "-")
					return err
				},
			} {
				packed := ""
				if content != "" {
					packed = pack(t, ext, content)
					packed = packed[:len(packed)-len(packed)/10] // no end that can be told
				}
				endless(t, packed)
				ctx, stop := context.WithCancel(t.Context())
				done := make(chan error)
				go func() { done <- read(ctx) }()
				go stop()
				select {
				case err := <-done:
					if !errors.Is(err, context.Canceled) || errors.Is(err, data.ErrBadData) {
						t.Errorf("%s%s as a %s: %v", format, ext, what, err)
					}
				case <-time.After(10 * time.Minute):
					t.Fatalf("%s%s as a %s: still waiting", format, ext, what)
				}
			}
		}
	}
}

// A reader that is closed before its end leaves nobody waiting.
func TestClosedInput(t *testing.T) {
	for _, ext := range []string{"", ".gz", ".zst"} {
		endless(t, pack(t, ext, contents(t)["npy"]))
		in, err := open(t.Context(), "-")
		if err != nil {
			t.Fatal(err)
		}
		closed := make(chan error)
		go func() { closed <- in.closer() }()
		select {
		case err := <-closed:
			if err != nil {
				t.Errorf("%s: %v", ext, err)
			}
		case <-time.After(10 * time.Minute):
			t.Fatalf("%s: still waiting", ext)
		}
	}
}

// A file is not unpacked, nor read as a stream, for a context that has ended.
func TestInterruptedFile(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	stop()
	for format, content := range contents(t) {
		for _, ext := range []string{".gz", ".zst"} {
			path := file(t, "x"+ext, pack(t, ext, content))
			if r, err := Reader(ctx, path, Options{}); err == nil {
				r.Close()
				t.Errorf("%s%s was opened", format, ext)
			} else if !errors.Is(err, context.Canceled) || errors.Is(err, data.ErrBadData) {
				t.Errorf("%s%s: %v", format, ext, err)
			}
		}
	}
	if _, err := Vector(ctx, file(t, "y.txt", "1\n2\n")); !errors.Is(err, context.Canceled) {
		t.Errorf("a vector: %v", err)
	}
}
