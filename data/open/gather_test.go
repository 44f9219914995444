package open

import (
	"bytes"
	"errors"
	"io"
	"os"
	"strings"
	"testing"
)

// What a compressed file holds is read at random from memory where it is little, and
// from a temporary file where it is much.
func TestGather(t *testing.T) {
	sizes := []int{1, inMemory - 1, inMemory, inMemory + 1, inMemory + 12345}
	if testing.Short() {
		sizes = []int{1, inMemory + 1}
	}
	for _, size := range sizes {
		content := bytes.Repeat([]byte("0123456789"), size/10+1)[:size]
		for _, spill := range []bool{false, true} {
			in, err := open(t.Context(), file(t, "x.gz", pack(t, ".gz", string(content))))
			if err != nil {
				t.Fatal(err)
			}
			in.spill = spill
			r, n, err := in.at()
			if err != nil {
				t.Fatal(err)
			}
			got, err := io.ReadAll(io.NewSectionReader(r, 0, n))
			if err != nil || !bytes.Equal(got, content) {
				t.Errorf("%d bytes become %d, %v", size, len(got), err)
			}
			if _, memory := r.(*bytes.Reader); memory != (!spill && size < inMemory) {
				t.Errorf("%d bytes: in memory %v", size, memory)
			}
			in.closer()
		}
	}
}

// What the machine has limits a table that can be read once, but does not make it go
// to a temporary file.
func TestAssumedMemory(t *testing.T) {
	const cells = 50
	text := strings.Repeat(strings.Repeat("1,", cells)+"0\n"+strings.Repeat("2,", cells)+"1\n", 10_000)
	piped(t, text)
	o := Options{Header: "no", Memory: 1 << 30, Assumed: true, Note: func(format string, _ ...any) { t.Errorf("said: %s", format) }}
	d, err := Table(t.Context(), "-", o, Roles{Target: "50"})
	if err != nil || d.Rows() != 20_000 || d.BytesRead() != 0 {
		t.Errorf("%v", err)
	}
	piped(t, text)
	o.Memory = program + 2<<20
	if _, err = Table(t.Context(), "-", o, Roles{Target: "50"}); !errors.As(err, new(*MemoryError)) || !strings.Contains(err.Error(), "--memory") {
		t.Errorf("more than there is: %v", err)
	}
	said := ""
	o.Note = func(format string, _ ...any) { said = format }
	if d, err = Table(t.Context(), file(t, "x.csv", text), o, Roles{Target: "50"}); err != nil || d.Rows() != 20_000 || !strings.Contains(said, "temporary file") {
		t.Errorf("a file that does not fit: %v, said %q", err, said)
	}
}

// piped lets standard input be a pipe that has some content.
func piped(t *testing.T, content string) {
	t.Helper()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	stdin := os.Stdin
	os.Stdin = r
	t.Cleanup(func() {
		os.Stdin = stdin
		r.Close()
	})
	go func() {
		io.WriteString(w, content)
		w.Close()
	}()
}
