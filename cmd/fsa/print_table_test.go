package main

import (
	"fmt"
	"strings"
	"testing"
	"text/tabwriter"
)

// Tables are those of text/tabwriter, except that wide letters take two columns.
func TestTable(t *testing.T) {
	for _, text := range []string{"a\tbb\tc\n", "a\tb\nlonger\tb\n\nalone\nx\ty\tz\nxx\tyyyy\tz\n", "no end\tx", "\t\tx\n\ty\n", "é\tx\nab\ty\n"} {
		var got, want strings.Builder
		table, tab := newTable(&got), tabwriter.NewWriter(&want, 0, 0, 2, ' ', 0)
		fmt.Fprint(table, text)
		fmt.Fprint(tab, text)
		if err := table.Flush(); err != nil {
			t.Fatal(err)
		}
		tab.Flush()
		if got.String() != want.String() {
			t.Errorf("%q: %q, not %q", text, got.String(), want.String())
		}
	}
	var got strings.Builder
	table := newTable(&got)
	fmt.Fprint(table, "身長\t1\nheight\t2\ne\u0301\t3\n")
	if err := table.Flush(); err != nil || got.String() != "身長    1\nheight  2\ne\u0301       3\n" {
		t.Errorf("%v: %q", err, got.String())
	}
}

func TestBreadth(t *testing.T) {
	for text, want := range map[string]int{"": 0, "abc": 3, "身長": 4, "한국": 4, "العمر": 5, "גובה": 4, "e\u0301": 1, "ａ": 2, "▪█": 2, "…": 1} {
		if got := breadth(text); got != want {
			t.Errorf("%q: %d, not %d", text, got, want)
		}
	}
	for _, c := range []struct {
		text string
		n    int
		want string
	}{{"short", 5, "short"}, {"a longer text", 7, "a l…ext"}, {"身長と体重の比率を表す指数", 11, "身長…指数"}, {"身長", 4, "身長"}, {"身長", 3, "…"}} {
		if got := shorten(c.text, c.n); got != c.want || breadth(got) > c.n {
			t.Errorf("%q in %d columns: %q, not %q", c.text, c.n, got, c.want)
		}
	}
}
