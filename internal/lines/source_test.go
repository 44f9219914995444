package lines

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/iotest"

	"fsa/data"
)

// chunks cuts text and checks the promises about every chunk.
func chunks(t *testing.T, s *Source) []string {
	t.Helper()
	var all []string
	line := 1
	for {
		chunk, first, err := s.next()
		if errors.Is(err, io.EOF) {
			return all
		}
		if err != nil {
			t.Fatal(err)
		}
		if first != line {
			t.Fatalf("chunk %d starts at line %d, want %d", len(all), first, line)
		}
		if len(chunk) == 0 || chunk[len(chunk)-1] != '\n' {
			t.Fatalf("chunk %d does not end a line", len(all))
		}
		line += bytes.Count(chunk, []byte("\n"))
		all = append(all, string(chunk))
		s.recycle(chunk)
	}
}

func TestSourceCutsWholeLines(t *testing.T) {
	const seed = 3
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 1))
	for _, longestLine := range []int{1, 100, 100_000, 3 << 20} {
		var text strings.Builder
		for text.Len() < 5<<20 {
			text.WriteString(strings.Repeat("x", rng.IntN(longestLine)))
			text.WriteString("\r\n")
		}
		text.WriteString("the last line has no end")
		got := chunks(t, NewSource(strings.NewReader(text.String()), "t"))
		if strings.Join(got, "") != text.String()+"\n" {
			t.Errorf("lines up to %d: the chunks are not the text", longestLine)
		}
		halves := chunks(t, NewSource(iotest.HalfReader(strings.NewReader(text.String())), "t"))
		if len(halves) != len(got) || halves[0] != got[0] {
			t.Errorf("lines up to %d: the cuts depend on how the text arrives", longestLine)
		}
	}
}

func TestSourceSmallInputs(t *testing.T) {
	for text, want := range map[string]string{"": "", "\n": "\n", "a": "a\n", "a\n\n": "a\n\n", "\xef\xbb\xbfa,b\n": "a,b\n", "\xef\xbb\xbfa": "a\n"} {
		if got := strings.Join(chunks(t, NewSource(strings.NewReader(text), "t")), ""); got != want {
			t.Errorf("%q came as %q", text, got)
		}
	}
}

func TestSourcePeekAndDiscard(t *testing.T) {
	header := strings.Repeat("name,", 1<<19) + "\n"
	s := NewSource(strings.NewReader(header+"1\n2\n3"), "t")
	head, err := s.Peek(2)
	if err != nil || !bytes.HasPrefix(head, []byte(header+"1\n")) {
		t.Fatalf("%d bytes of head, %v", len(head), err)
	}
	s.Discard(len(header))
	if s.Line() != 2 {
		t.Errorf("line %d after the first", s.Line())
	}
	chunk, line, err := s.next()
	if string(chunk) != "1\n2\n3\n" || line != 2 || err != nil {
		t.Errorf("%q at line %d, %v", chunk, line, err)
	}
	if _, err := s.Peek(1); err != io.EOF {
		t.Errorf("peek at the end: %v", err)
	}
}

func TestSourceRecordsOfSeveralLines(t *testing.T) {
	s := NewSource(strings.NewReader(strings.Repeat("a\nb;\n", 1<<19)), "t")
	s.End = func(text []byte) int {
		if i := bytes.LastIndex(text, []byte(";\n")); i >= 0 {
			return i + 2
		}
		return 0
	}
	for i, c := range chunks(t, s) {
		if !strings.HasPrefix(c, "a\n") || !strings.HasSuffix(c, ";\n") {
			t.Errorf("chunk %d cuts a record", i)
		}
	}
}

func TestSourceErrors(t *testing.T) {
	broken := errors.New("the disk is on fire")
	s := NewSource(io.MultiReader(strings.NewReader("1\n2\n3"), iotest.ErrReader(broken)), "in.txt")
	if chunk, _, err := s.next(); string(chunk) != "1\n2\n" || err != nil {
		t.Errorf("before the failure: %q, %v", chunk, err)
	}
	for range 2 {
		if _, _, err := s.next(); !errors.Is(err, broken) || errors.Is(err, data.ErrBadData) || err.Error() != "in.txt: line 3: the disk is on fire" {
			t.Errorf("failure: %v", err)
		}
	}

	blamed := &data.Error{File: "in.txt", Msg: "it is cut"}
	if _, _, err := NewSource(iotest.ErrReader(blamed), "in.txt").next(); err != blamed {
		t.Errorf("an error with a name: %v", err)
	}

	s = NewSource(strings.NewReader("1\n2\n"+strings.Repeat("x", 5000)), "in.txt")
	s.max = 1000
	if chunk, _, err := s.next(); string(chunk) != "1\n2\n" || err != nil {
		t.Errorf("before the long line: %q, %v", chunk, err)
	}
	var bad *data.Error
	if _, _, err := s.next(); !errors.As(err, &bad) || bad.Line != 3 || bad.File != "in.txt" {
		t.Errorf("long line: %v", err)
	}

	s = NewSource(strings.NewReader(strings.Repeat("x", 800)+"\n"+strings.Repeat("x", 800)+"\n"), "in.txt")
	s.max = 1000
	if head, err := s.Peek(2); len(head) != 801 || err != nil {
		t.Errorf("peek at two lines that are too long for one buffer: %d bytes, %v", len(head), err)
	}

	_, _, err := NewSource(strings.NewReader("\xff\xfea\x00,\x00"), "in.txt").next()
	if !errors.Is(err, data.ErrBadData) || !strings.Contains(fmt.Sprint(err), "UTF-8") {
		t.Errorf("UTF-16: %v", err)
	}
	if _, _, err := NewSource(idle{}, "t").next(); !errors.Is(err, io.ErrNoProgress) {
		t.Errorf("a reader that returns nothing: %v", err)
	}
}

type idle struct{}

func (idle) Read([]byte) (int, error) { return 0, nil }
