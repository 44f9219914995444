package main

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// Every command has a page with the sections of man(7), in ASCII, whose requests are known.
func TestManPages(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "pages")
	must(t, "man", "--all", folder)
	pages, err := filepath.Glob(filepath.Join(folder, "*.1"))
	if err != nil || len(pages) < 25 {
		t.Fatalf("%d pages, %v", len(pages), err)
	}
	for _, path := range pages {
		page := string(read(t, path))
		for _, section := range []string{"NAME", "SYNOPSIS", "DESCRIPTION", "SEE ALSO"} {
			if !strings.Contains(page, ".SH "+section+"\n") {
				t.Errorf("%s has no section %s", path, section)
			}
		}
		for line := range strings.Lines(page) {
			request, _, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
			if strings.HasPrefix(line, ".") && !slices.Contains([]string{".TH", ".SH", ".B", ".PP", ".TP", ".nf", ".fi"}, request) || strings.HasPrefix(line, "'") {
				t.Errorf("%s: %s", path, line)
			}
			if regexp.MustCompile(`[^\x00-\x7f]`).MatchString(line) {
				t.Errorf("%s is not ASCII: %s", path, line)
			}
		}
	}
	fit := string(read(t, filepath.Join(folder, "fsa-fit.1")))
	for _, want := range []string{`fsa\-fit \- Select variables`, `DATA\[u2026]`, "\\fB\\-k\\fR, \\fB\\-\\-variables\\fR \\fIN\\fR\nselect N variables", ".SH EXAMPLES\n.nf\n", `\fBfsa\fR(1)`} {
		if !strings.Contains(fit, want) {
			t.Errorf("the page of fit lacks %q", want)
		}
	}
	if printed := must(t, "man", "fit"); printed != fit {
		t.Error("man fit prints another page")
	}
	if _, err := os.Stat(filepath.Join(folder, "fsa-paper-real.1")); err != nil {
		t.Error(err)
	}
}

func TestRoff(t *testing.T) {
	if got, want := roffLines("a-b\\c…\n.d\n'e"), `a\-b\ec\[u2026]`+"\n\\&.d\n\\&'e"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
