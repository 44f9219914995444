package paper

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"syscall"
	"testing"

	"fsa/data"
	"fsa/internal/fault"
)

func TestJournalRemembers(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.jsonl")
	want := map[key]values{
		{"N=1", "A", 7}:             {dr: 100, auc: 0.1 + 0.2},
		{"N=1", "A", 1<<64 - 1}:     {},
		{"μ = 3\n\"", "a\tb", 1000}: {seconds: 5e-324},
	}
	for range 2 { // empty, then full
		j, err := openJournal(path)
		if err != nil {
			t.Fatal(err)
		}
		for k, v := range want {
			if !j.has(k) {
				if err := j.add(k, v); err != nil {
					t.Fatal(err)
				}
			}
		}
		if err := j.close(); err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(j.done, want) {
			t.Errorf("the journal has %v, want %v", j.done, want)
		}
	}
	if n := len(readLines(t, path)); n != len(want) {
		t.Errorf("%d lines, want %d", n, len(want))
	}
}

// A line that was written only in part does not spoil those after it.
func TestJournalOnAFullDisk(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.jsonl")
	j, err := openJournal(path)
	if err != nil {
		t.Fatal(err)
	}
	full := true
	defer fault.Install(func(op fault.Op, _ string) error {
		if op != fault.Write || !full {
			return nil
		}
		j.file.File.WriteString(`{"cell":"N=`)
		return syscall.ENOSPC
	})()
	if err := j.add(key{"N=1", "A", 1}, values{}); !errors.Is(err, syscall.ENOSPC) {
		t.Errorf("a full disk is told by %v", err)
	}
	full = false
	for seed := range uint64(2) {
		if err := j.add(key{"N=1", "B", seed}, values{dr: 1}); err != nil {
			t.Fatal(err)
		}
	}
	j.close()
	again, err := openJournal(path)
	if err != nil {
		t.Fatal(err)
	}
	defer again.close()
	if len(again.done) != 2 || !again.has(key{"N=1", "B", 1}) {
		t.Errorf("the journal has %v", again.done)
	}
}

func TestJournalRefuses(t *testing.T) {
	good := `{"cell":"N=1","method":"A","seed":7,"values":{"DR":1}}` + "\n"
	for _, bad := range []string{
		"\n", "{}\n", "garbage\n", `{"cell":"N=1","method":"A","seed":-1,"values":{}}` + "\n",
		`{"cell":"N=1","method":"A","seed":1}` + "\n", `{"cell":"N=1","method":"A","seed":1,"values":{},"more":1}` + "\n",
		"a list of mine", " " + strings.TrimSuffix(good, "\n"), // without an end
	} {
		path := filepath.Join(t.TempDir(), "a.jsonl")
		text := good + bad
		if strings.HasSuffix(bad, "\n") {
			text += good
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		_, err := openJournal(path)
		if !errors.Is(err, data.ErrBadData) || !strings.Contains(err.Error(), "a.jsonl:2") {
			t.Errorf("%q: %v", bad, err)
		}
		if now, err := os.ReadFile(path); err != nil || string(now) != text {
			t.Errorf("%q: the file was changed", bad)
		}
	}
}

func FuzzJournal(f *testing.F) {
	f.Add([]byte(`{"cell":"N=1","method":"A","seed":7,"values":{"DR":1}}` + "\n" + `{"cell":`))
	f.Add([]byte("\n\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		j := &journal{path: "fuzz", done: map[key]values{}}
		whole, err := j.parse(text)
		if err != nil {
			return
		}
		if whole < 0 || whole > len(text) || whole > 0 && text[whole-1] != '\n' {
			t.Fatalf("%d of %d bytes are whole", whole, len(text))
		}
		again := &journal{path: "fuzz", done: map[key]values{}}
		if n, err := again.parse(text[:whole]); err != nil || n != whole || !reflect.DeepEqual(again.done, j.done) {
			t.Fatalf("what is kept reads as something else: %v", err)
		}
	})
}
