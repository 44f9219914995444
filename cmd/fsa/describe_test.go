package main

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	"fsa/data/describe"
)

// TestDescribe has every problem in one table, and expects all of them to be named.
func TestDescribe(t *testing.T) {
	rng := rand.New(rand.NewPCG(18, 1))
	var b strings.Builder
	b.WriteString("id,name,one,gone,leak,copy,twin,twin,price,when,day,flag,mix,far,minus,store_code,bad,class\n")
	for i := range 400 {
		y, x, cell := rng.NormFloat64(), rng.NormFloat64(), fmt.Sprint(i%4)
		class := "yes"
		if y > -1.9 {
			class = "no"
		}
		gone, mix, far, minus := "", fmt.Sprint(i%7), x, fmt.Sprint(50+i%9)
		if i%5 == 0 {
			gone = fmt.Sprint(i)
		}
		if i%50 == 7 {
			mix, minus = "refused", "-999"
		}
		if i == 17 {
			far, cell = 1e9, "x?"
		}
		fmt.Fprintf(&b, "%d,n%d,7,%s,%v,%v,%d,%d,\"$%d,%03d.50\",2024-01-%02d,%d,%s,%s,%v,%s,%d,%s,%s\n",
			i, i, gone, map[string]int{"yes": 1}[class], x, i%3, i%4, 1+i%3, i, 1+i%28, 20240101+i%28, []string{"Y", "no", "YES"}[i%3], mix, far, minus, 100+i%6, cell, class)
	}
	path := file(t, "t.csv", b.String())
	out := must(t, "describe", path, "--target", "class", "--json")
	var r describe.Report
	if err := json.Unmarshal([]byte(out), &r); err != nil {
		t.Fatal(err)
	}
	if r.Rows != 400 || len(r.Columns) != 18 || r.Target != "class" {
		t.Errorf("%d rows, %d columns, target %q", r.Rows, len(r.Columns), r.Target)
	}
	says := map[string]string{}
	for _, p := range r.Problems {
		says[p.Column] += p.What + "; " + p.Cure + "\n"
	}
	for column, want := range map[string]string{
		"id": "an identifier", "name": "an identifier", "one": "all rows have the same value", "gone": "missing in 80%",
		"leak": "possible leakage", "twin": "several columns have this name", "mix": `"refused"`,
		"far": "outliers", "minus": "-999 occurs in 8 rows", "day": "look like dates", "store_code": "--categorical", "class": "--class-weights",
		"bad": "treated as missing",
	} {
		if !strings.Contains(says[column], want) {
			t.Errorf("column %s: %q, want %q", column, says[column], want)
		}
	}
	for _, c := range r.Columns {
		if want := map[string]string{"price": "number", "when": "date", "flag": "boolean"}[c.Name]; want != "" && string(c.Kind) != want {
			t.Errorf("%s is %s, want %s", c.Name, c.Kind, want)
		}
	}
	for line := range strings.Lines(must(t, "describe", path, "--target", "class")) {
		if n := utf8.RuneCountInString(strings.TrimSuffix(line, "\n")); n > 80 {
			t.Errorf("%d characters: %s", n, line)
		}
	}
}

// TestDescribeAll names cells on many lines that fit would refuse one by one.
func TestDescribeAll(t *testing.T) {
	var b strings.Builder
	b.WriteString("a,b,y\n")
	for i := range 3000 {
		a, c := fmt.Sprint(i), fmt.Sprint(i%10)
		if i == 2000 || i == 2500 {
			a = "oops"
		}
		if i == 2100 {
			c = "1,5,"
			c = "\"" + c + "\""
		}
		fmt.Fprintf(&b, "%s,%s,%d\n", a, c, i%2)
	}
	out := must(t, "describe", file(t, "t.csv", b.String()), "--target", "y")
	for _, want := range []string{"a: 2 cells cannot be read, the first on line 2002", "b: 1 cells cannot be read, the first on line 2102"} {
		if !strings.Contains(out, want) {
			t.Errorf("%q is not said in\n%s", want, out)
		}
	}
	if out := must(t, "describe", file(t, "s.svm", "1 1:2 3:4\n0 2:1\n1 1:1\n")); !strings.Contains(out, "3 rows, 3 columns") {
		t.Errorf("a sparse table: %s", out)
	}
}
