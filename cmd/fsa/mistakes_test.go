package main

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
)

// For common mistakes, the message says what is wrong and what would work.
func TestMistakes(t *testing.T) {
	var plain, letter, word, labels, codes, lines strings.Builder
	plain.WriteString("a,b,price\n")
	letter.WriteString("a,b,price\n")
	word.WriteString("a,b,price\n")
	labels.WriteString("a,b,sick\n")
	codes.WriteString("a,b,zip\n")
	for i := range 200 {
		a, b, price := i*17%41, i*7%11, 3*(i*17%41)+i%5
		fmt.Fprintf(&plain, "%d,%d,%d.5\n", a, b, price)
		fmt.Fprintf(&codes, "%d,%d,%d\n", a, b, 10000+97*(i%40))
		fmt.Fprintf(&lines, "{\"a\": %d, \"b\": %d, \"price\": %d}\n", a, b, price)
		cell, mark := fmt.Sprint(b), fmt.Sprintf("%d.5", price)
		if i == 60 {
			cell, mark = "9oo", "12o000"
		}
		fmt.Fprintf(&letter, "%d,%d,%s\n", a, b, mark)
		fmt.Fprintf(&word, "%d,%s,%d.5\n", a, cell, price)
		fmt.Fprintf(&labels, "%d,%d,%s\n", a, b, [...]string{"Yes", "No", "yes", "No", "Y es"}[i%5])
	}
	table := file(t, "t.csv", plain.String())
	var decimals, dates, texts strings.Builder
	decimals.WriteString("a,b,price\n")
	dates.WriteString("a,when,price\n")
	texts.WriteString("a,b,name\n")
	for i := range 120 {
		cell := fmt.Sprintf("%.3f", float64(i%41)/40)
		if i == 57 {
			cell = "oops"
		}
		fmt.Fprintf(&decimals, "%d,%s,%d.5\n", i%7, cell, i%13)
		fmt.Fprintf(&dates, "%d,%s,%d.5\n", i%7, []string{"2024-01-31", "31/01/2024"}[i%2], i%13)
		fmt.Fprintf(&texts, "%d,%d,person %d\n", i%7, i%5, i)
	}
	quick := filepath.Join(t.TempDir(), "quick")
	must(t, "fit", table, "--target", "price", "-k", "1", "--quick", "--out", quick)
	for _, c := range []struct {
		name, want string
		code       int
		args       []string
	}{
		{"a letter in the target", `:62: column price: the target is not a number or is missing; the column has "12o000" among its numbers`, exitBadData, []string{"fit", file(t, "t.csv", letter.String()), "--target", "price"}},
		{"a letter in a column", `column b: "9oo" is not a number and is treated as missing`, exitDone, []string{"fit", file(t, "t.csv", word.String()), "--target", "price", "-k", "1", "--quick"}},
		{"labels in other cases", `the classes "Y es", "Yes", "yes" look like one class, written in several ways`, exitDone, []string{"fit", file(t, "t.csv", labels.String()), "--target", "sick", "-k", "1", "--quick"}},
		{"zip codes", "the target has 40 different whole numbers that look like codes", exitDone, []string{"fit", file(t, "t.csv", codes.String()), "--target", "zip", "-k", "1", "--quick"}},
		{"lines of JSON that are called CSV", "", exitDone, []string{"fit", file(t, "t.csv", lines.String()), "--target", "price", "-k", "1", "--quick"}},
		{"JSON by columns", `orient="records", lines=True`, exitBadData, []string{"fit", file(t, "t.json", `{"a":{"0":1,"1":2},"b":{"0":1,"1":2}}`), "--target", "a"}},
		{"another encoding", "is not UTF-8 and was read as cp1252", exitDone, []string{"describe", file(t, "t.csv", "a;stra\xdfe;y\n1;2;3\n")}},
		{"an encoding that is another", "such as --encoding cp1252, or convert it with iconv -f CP1252 -t UTF-8 OLD > NEW", exitBadData, []string{"fit", file(t, "t.csv", "a;stra\xdfe;y\n1;2;3\n"), "--target", "y", "--encoding", "utf-8"}},
		{"another delimiter", "the table has only one column", exitBadData, []string{"fit", file(t, "t.csv", strings.ReplaceAll(plain.String(), ",", "~")), "--target", "price"}},
		{"a table for a model", "this looks like a table; a model is a run folder or its model.json", exitBadData, []string{"show", table}},
		{"a column in another case", `did you mean "price"?`, exitBadData, []string{"fit", table, "--target", "Price"}},
		{"a misspelt column", `did you mean "price"?`, exitBadData, []string{"fit", table, "--target", "price", "--drop", "prize"}},
		{"a loss of others", "--loss mse: did you mean --loss squared?", exitUsage, []string{"fit", table, "--target", "price", "--loss", "mse"}},
		{"a misspelt loss", "--loss logistc: did you mean --loss logistic?", exitUsage, []string{"fit", table, "--target", "price", "--loss", "logistc"}},
		{"a method of others", "--method lasso: did you mean --method l1?", exitUsage, []string{"fit", table, "--target", "price", "-k", "1", "--method", "lasso"}},
		{"a stray argument of devices", `"x" is one argument too many: write fsa devices`, exitUsage, []string{"devices", "x"}},
		{"a misspelt command of motion", "sgement: it must be one of evaluate, segment, train", exitUsage, []string{"motion", "sgement"}},
		{"an unknown command of keypoint", "find: it must be one of detect, evaluate, train", exitUsage, []string{"keypoint", "find"}},
		{"a folder without a run", "there is no model.json in this folder; fsa fit --out FOLDER writes a folder with one", exitFailed, []string{"show", t.TempDir()}},
		{"a missing table", "nowhere.csv: there is no such file", exitFailed, []string{"fit", "nowhere.csv"}},
		{"a target that is found", "the target is column y; --target names another", exitDone, []string{"fit", file(t, "t.csv", strings.Replace(plain.String(), "price", "y", 1)), "-k", "1", "--quick"}},
		{"a loss that is no misspelling", `unknown loss "foo": it must be auto`, exitUsage, []string{"fit", table, "--target", "price", "--loss", "foo"}},
		{"one word among numbers of three decimals", `column b: "oops" is not a number and is treated as missing`, exitDone, []string{"fit", file(t, "t.csv", decimals.String()), "--target", "price", "-k", "1", "--quick"}},
		{"dates in two layouts", "the dates of the column are not all written in the same way", exitBadData, []string{"fit", file(t, "t.csv", dates.String()), "--target", "price", "-k", "1", "--quick"}},
		{"names as classes", `the target has 120 different texts, 120 of them in a single row; are these classes?`, exitDone, []string{"fit", file(t, "t.csv", texts.String()), "--target", "name", "-k", "1", "--quick"}},
		{"a plot without its data", "it was fitted at one size", exitFailed, []string{"plot", quick, "--out", "x.svg"}},
		{"no target", `give --target COLUMN, or --target FILE with one value per row; the columns are "a", "b", "price"`, exitBadData, []string{"fit", table}},
	} {
		if code, _, says := call(t, c.args...); code != c.code || !strings.Contains(says, c.want) {
			t.Errorf("%s: exit code %d, says %q, want %q", c.name, code, says, c.want)
		}
	}
}
