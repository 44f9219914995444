package sealed_test

import (
	"encoding/json"
	"strings"
	"testing"

	"fsa/internal/sealed"
	"fsa/internal/version"
)

type note struct {
	sealed.Head
	Note json.RawMessage `json:"note"`
}

type text struct {
	Text string `json:"text"`
}

func TestSealed(t *testing.T) {
	kind := sealed.Kind{Format: "test-note", Version: 3, What: "a note"}
	body, err := json.Marshal(text{"hello"})
	if err != nil {
		t.Fatal(err)
	}
	file, err := json.Marshal(note{kind.Seal(body), body})
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(string(file), `{"format":"test-note","version":3,"checksum":"sha256:`) {
		t.Errorf("the file begins otherwise: %s", file)
	}
	if head := kind.Seal(body); head.Program != version.String() {
		t.Errorf("the file is of fsa %q, want %q", head.Program, version.String())
	}
	for _, c := range []struct {
		name   string
		change func(n *note)
		want   string // part of the message; empty if it can be opened
	}{
		{"as it is", func(n *note) {}, ""},
		{"an older version", func(n *note) { n.Version = 1 }, ""},
		{"another format", func(n *note) { n.Format = "test" }, "it is not a note"},
		{"a newer version", func(n *note) { n.Version = 4 }, "written by a newer fsa, as version 4, and this one reads up to version 3"},
		{"no version", func(n *note) { n.Version = 0 }, "its version is 0"},
		{"no program", func(n *note) { n.Program = "" }, ""},
		{"another program", func(n *note) { n.Program = "99.0.0" }, ""},
		{"a program of two lines", func(n *note) { n.Program = "1.0\n2.0" }, "its program is not a version"},
		{"a program without end", func(n *note) { n.Program = strings.Repeat("9", 1<<20) }, "at most 128 bytes"},
		{"another body", func(n *note) { n.Note = json.RawMessage(`{"text":"bye"}`) }, "checksum"},
		{"no body", func(n *note) { n.Note = nil }, "checksum"},
		{"an unknown field", func(n *note) {
			n.Note = json.RawMessage(`{"test":"hello"}`)
			n.Head = kind.Seal(n.Note)
		}, "unknown field"},
	} {
		var n note
		if err := json.Unmarshal(file, &n); err != nil {
			t.Fatal(err)
		}
		c.change(&n)
		var got text
		err := kind.Open(n.Head, n.Note, &got)
		switch {
		case c.want == "" && (err != nil || got.Text != "hello"):
			t.Errorf("%s: %q, %v", c.name, got.Text, err)
		case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
}

func TestSniff(t *testing.T) {
	kind := sealed.Kind{Format: "test-note", Version: 3, What: "a note"}
	file, err := json.Marshal(note{kind.Seal([]byte("{}")), json.RawMessage("{}")})
	if err != nil {
		t.Fatal(err)
	}
	for head, want := range map[string]string{
		string(file):          "",
		" \n" + string(file):  "",
		"":                    "not JSON",
		"a,b\n1,2\n":          "not JSON",
		"\x00\x00\x00":        "not JSON",
		`{"format":"other"}`:  "it is not a note",
		`{"format":"test-not`: "it is not a note",
	} {
		switch err := kind.Sniff([]byte(head)); {
		case want == "" && err != nil, want != "" && (err == nil || !strings.Contains(err.Error(), want)):
			t.Errorf("%q: %v, want %q", head, err, want)
		}
	}
}
