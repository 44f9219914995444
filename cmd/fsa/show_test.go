package main

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// Names that are long or odd stay distinct, and each stays on its line.
func TestReadable(t *testing.T) {
	long := strings.Repeat("x", 40)
	for _, c := range []struct {
		texts, want []string
	}{
		{[]string{"a", "an ordinary name", "größe"}, []string{"a", "an ordinary name", "größe"}},
		{[]string{long + "1", long + "2"}, []string{strings.Repeat("x", 15) + "…" + strings.Repeat("x", 13) + "1", strings.Repeat("x", 15) + "…" + strings.Repeat("x", 13) + "2"}},
		{[]string{long + "a" + long, long + "b" + long}, []string{long + "a" + long, long + "b" + long}},
		{[]string{"a\tb", "a\nb", "\x1b[2J", "\xff"}, []string{`"a\tb"`, `"a\nb"`, `"\x1b[2J"`, `"\xff"`}},
		{nil, []string{}},
	} {
		got := readable(c.texts, 30)
		if !slices.Equal(got, c.want) {
			t.Errorf("%q is shown as %q, want %q", c.texts, got, c.want)
		}
	}
}

func TestShowOddNames(t *testing.T) {
	const end = "a long name that has nothing but its end for itself, "
	text := "\"tab\tname\",\"" + end + "1\",\"" + end + "2\",colour,y\n"
	for i := range 40 {
		row := []string{string(rune('0' + i%7)), string(rune('0' + i%5)), string(rune('0' + i%3)),
			[]string{"", "a colour of great length, dark", "a colour of great length, light"}[i%3], string(rune('0'+i%10)) + ".5"}
		text += strings.Join(row[:3], ",") + ",\"" + row[3] + "\"," + row[4] + "\n"
	}
	out := must(t, "fit", file(t, "t.csv", text), "--target", "y", "-k", "4")
	for _, want := range []string{`"tab\tname"`, "itself, 1 ", "itself, 2 ", "a c…rk", "a c…ht"} {
		if !strings.Contains(out, want) {
			t.Errorf("%q is not shown in\n%s", want, out)
		}
	}
}

// The heading fits a terminal, and scores of a ranking have no intercept.
func TestShowModels(t *testing.T) {
	dir := t.TempDir()
	classes := filepath.Join(dir, "x.npy")
	must(t, "generate", "ar1", "--n", "10000", "--m", "50", "--k", "3", "--out", classes)
	ranked := file(t, "ranked.csv", table(60, "a,b,grade,q\n", func(i int, a, b float64, y int) string {
		return fmt.Sprintf("%v,%v,%d,%d", a, b, y+i%2, i/10)
	}))
	for _, c := range []struct {
		args      []string
		intercept bool
	}{
		{[]string{classes, "-k", "3", "--storage", "bfloat16"}, true},
		{[]string{classes, "-k", "3", "--method", "logitboost-steps"}, true},
		{[]string{ranked, "--target", "grade", "--query", "q", "-k", "2"}, false},
	} {
		run := filepath.Join(dir, "run")
		for _, text := range []string{must(t, append([]string{"fit", "--out", run}, c.args...)...), must(t, "show", run)} {
			if strings.Contains(text, "intercept") != c.intercept || strings.Contains(text, "\n\n\n") {
				t.Errorf("%q prints\n%s", c.args, text)
			}
			for line := range strings.Lines(text) {
				if n := utf8.RuneCountInString(line); n > 81 {
					t.Errorf("%q: a line of %d characters: %s", c.args, n-1, line)
				}
			}
		}
	}
}
