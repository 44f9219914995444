package lines

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
)

// lengths returns the length and the first line of each chunk that parse sees.
func lengths(t *testing.T, text string) []string {
	t.Helper()
	p := NewParser(NewSource(strings.NewReader(text), "t"), func(chunk []byte, line int) (string, error) {
		return fmt.Sprint(line, len(chunk), bytes.Count(chunk, []byte("\n"))), nil
	})
	defer p.Close()
	var all []string
	for {
		s, err := p.Next(t.Context())
		if err == io.EOF {
			return all
		}
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, s)
	}
}

func TestParserKeepsTheOrder(t *testing.T) {
	text := strings.Repeat("0123456789\n", 2<<20)
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	one := lengths(t, text)
	if len(one) < 20 {
		t.Fatalf("%d chunks", len(one))
	}
	runtime.GOMAXPROCS(4)
	for i, got := range lengths(t, text) {
		if got != one[i] {
			t.Errorf("chunk %d is %s on four cores, %s on one", i, got, one[i])
		}
	}
}

func TestParserErrorComesInItsPlace(t *testing.T) {
	bad := errors.New("bad")
	p := NewParser(NewSource(strings.NewReader(strings.Repeat("0123456789\n", 1<<20)), "t"),
		func(chunk []byte, line int) (int, error) {
			if line > 400_000 {
				return 0, fmt.Errorf("line %d: %w", line, bad)
			}
			return line, nil
		})
	defer p.Close()
	last := 0
	for {
		line, err := p.Next(t.Context())
		if err != nil {
			if _, again := p.Next(t.Context()); !errors.Is(err, bad) || again != err {
				t.Errorf("first %v, then %v", err, again)
			}
			break
		}
		last = line
	}
	if last == 0 || last > 400_000 {
		t.Errorf("the error came after the chunk of line %d", last)
	}
}

func TestParserBoundsItsChunks(t *testing.T) {
	var running, most atomic.Int64
	p := NewParser(NewSource(strings.NewReader(strings.Repeat("0123456789\n", 4<<20)), "t"),
		func(chunk []byte, line int) (int, error) {
			most.Store(max(most.Load(), running.Add(1)))
			return len(chunk), nil
		})
	defer p.Close()
	for {
		if _, err := p.Next(t.Context()); err != nil {
			break
		}
		running.Add(-1)
	}
	if limit := int64(runtime.GOMAXPROCS(0) + 2); most.Load() > limit {
		t.Errorf("%d chunks in flight, want at most %d", most.Load(), limit)
	}
}

func TestParserStops(t *testing.T) {
	release := make(chan struct{})
	var running atomic.Int64
	p := NewParser(NewSource(strings.NewReader(strings.Repeat("0123456789\n", 1<<20)), "t"),
		func(chunk []byte, line int) (int, error) {
			running.Add(1)
			defer running.Add(-1)
			<-release
			return line, nil
		})
	ctx, cancel := context.WithCancel(t.Context())
	go cancel()
	if _, err := p.Next(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	close(release)
	if line, err := p.Next(t.Context()); line != 1 || err != nil {
		t.Errorf("after a cancelled call: line %d, %v", line, err)
	}
	if err := p.Close(); err != nil {
		t.Error(err)
	}
	if n := running.Load(); n != 0 {
		t.Errorf("%d chunks are being parsed after Close", n)
	}
	if _, err := p.Next(t.Context()); !errors.Is(err, os.ErrClosed) {
		t.Errorf("after Close: %v", err)
	}
}
