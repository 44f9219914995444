package main

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"fsa/model"
)

// messyRows returns a table of 400 rows as people have them: y depends on a price in German
// notation, on the weekday of a date, on a flag that is spelled in many ways and on whether a
// number is there.
func messyRows(seed uint64, rows int) string {
	rng := rand.New(rand.NewPCG(seed, 18))
	var b strings.Builder
	b.WriteString("id;name;preis;datum;aktiv;alter;rauschen;y\n")
	start := time.Date(2022, 1, 1, 0, 0, 0, 0, time.UTC)
	for i := range rows {
		price, age, noise := 900+3000*rng.Float64(), 20+60*rng.Float64(), rng.NormFloat64()
		day := start.AddDate(0, 0, rng.IntN(700))
		active, gap := rng.IntN(2) == 1, rng.IntN(4) == 0
		y := price/1000 + 0.5*rng.NormFloat64()
		if day.Weekday() == time.Sunday || day.Weekday() == time.Saturday {
			y += 3
		}
		if active {
			y += 2
		}
		years := strings.Replace(fmt.Sprintf("%.1f", age), ".", ",", 1)
		if gap {
			years = ""
			y -= 2
		}
		yes := []string{"ja", "Ja", "JA"}[rng.IntN(3)]
		if !active {
			yes = []string{"nein", "Nein"}[rng.IntN(2)]
		}
		fmt.Fprintf(&b, "%d;kunde %d;%d.%03d,%02d;%s;%s;%s;%s;%s\n", i+1, i, int(price)/1000, int(price)%1000, int(100*price)%100,
			day.Format("02.01.2006"), yes, years, strings.Replace(fmt.Sprintf("%.3f", noise), ".", ",", 1), strings.Replace(fmt.Sprintf("%.4f", y), ".", ",", 1))
	}
	return b.String()
}

// TestMessyTable fits such a table and predicts another without any flag except the target: it
// finds the columns that matter, leaves out identifiers with a note, and treats new rows alike.
func TestMessyTable(t *testing.T) {
	train, test := file(t, "train.csv", messyRows(1, 400)), file(t, "test.csv", messyRows(2, 300))
	dir := filepath.Join(t.TempDir(), "run")
	code, _, says := call(t, "fit", train, "--target", "y", "-k", "4", "--out", dir)
	if code != exitDone || !strings.Contains(says, "column id was left out") || !strings.Contains(says, "column name was left out") {
		t.Fatalf("exit code %d, says %s", code, says)
	}
	m, err := model.Load(filepath.Join(dir, modelName))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, v := range m.Selected() {
		names = append(names, v.FullName())
		if v.Name == "alter" && v.Missing == nil {
			t.Errorf("age has no part for missing values: %+v", v)
		}
	}
	for _, want := range []string{"preis", "datum.weekday", "aktiv", "alter"} {
		if !slices.Contains(names, want) {
			t.Errorf("%s is not among %v", want, names)
		}
	}
	out := must(t, "predict", dir, test, "--target", "y", "--json")
	var p struct{ Metrics map[string]float64 }
	if err := json.Unmarshal([]byte(out), &p); err != nil {
		t.Fatal(err)
	}
	if p.Metrics["r2"] < 0.9 { // noise of 0.5 and a standard deviation of about 2.2
		t.Errorf("r2 %v on other rows", p.Metrics["r2"])
	}
}

// TestPredictLooksAtModel changes columns that the model does not use, and those that it does: the
// former must not matter.
func TestPredictLooksAtModel(t *testing.T) {
	train := file(t, "t.csv", table(80, "a,b,c,y\n", func(_ int, a, b float64, _ int) string { return fmt.Sprintf("%v,%v,%v,%v", a, b, b*b, a) }))
	dir := filepath.Join(t.TempDir(), "run")
	must(t, "fit", train, "--target", "y", "-k", "1", "--out", dir)
	plain := must(t, "predict", dir, file(t, "p.csv", "a\n1.5\n2.5\n"))
	for name, rows := range map[string]string{
		"text":       "a,b\n1.5,hello\n2.5,7\n",
		"twice":      "b,a,b\n1,1.5,2\n1,2.5,2\n",
		"commas":     "a;b\n1.5;1,234\n2.5;5,678\n",
		"other code": "a,b\n1.5,\xe9\n2.5,x\n",
	} {
		if got := must(t, "predict", dir, file(t, "q.csv", rows)); got != plain {
			t.Errorf("%s: %q instead of %q", name, got, plain)
		}
	}
	if code, _, says := call(t, "predict", dir, file(t, "q.csv", "a,a\n1,2\n")); code != exitBadData || !strings.Contains(says, "two columns have this name") {
		t.Errorf("a name twice: exit code %d, %s", code, says)
	}
}

// TestUse includes a column that is left out by default.
func TestUse(t *testing.T) {
	rows := file(t, "t.csv", table(80, "id,b,y\n", func(i int, _, b float64, _ int) string { return fmt.Sprintf("%d,%v,%v", i, b, float64(i)+b) }))
	for _, c := range []struct{ flag, value, want string }{
		{"--seed", "0", "b"}, {"--use", "id", "id"}, {"--force", "id", "id"},
	} {
		out := must(t, "fit", rows, "--target", "y", "-k", "1", "--json", c.flag, c.value)
		var s struct{ Selected []struct{ Name string } }
		if err := json.Unmarshal([]byte(out), &s); err != nil {
			t.Fatal(err)
		}
		if len(s.Selected) != 1 || s.Selected[0].Name != c.want {
			t.Errorf("%s %s: %v", c.flag, c.value, s.Selected)
		}
	}
	if code, _, says := call(t, "fit", rows, "--target", "y", "-k", "1", "--use", "none"); code != exitUsage || !strings.Contains(says, "no such variable") {
		t.Errorf("a column that is not there: %d, %s", code, says)
	}
}

// TestConvertKeepsKinds trains the same model on a table that was converted.
func TestConvertKeepsKinds(t *testing.T) {
	train := file(t, "train.csv", messyRows(3, 300))
	converted := filepath.Join(t.TempDir(), "train.fsa")
	must(t, "convert", train, converted)
	var found [2]string
	for i, path := range []string{train, converted} {
		dir := t.TempDir()
		must(t, "fit", path, "--target", "y", "-k", "4", "--quick", "--out", dir)
		m, err := model.Load(filepath.Join(dir, modelName))
		if err != nil {
			t.Fatal(err)
		}
		for _, v := range m.Selected() {
			found[i] += fmt.Sprintf("%s %.4g\n", v.FullName(), v.Norm)
		}
		found[i] += fmt.Sprint(m.Kinds())
	}
	if found[0] != found[1] {
		t.Errorf("the table and its copy give other models:\n%s\n%s", found[0], found[1])
	}
}

// TestSeveralFiles trains on a table in parts what it trains on the whole, and predicts them as
// one. Texts appear in another order in the second part.
func TestSeveralFiles(t *testing.T) {
	whole := table(90, "a,t,y\n", func(i int, a, _ float64, _ int) string {
		return fmt.Sprintf("%v,%s,%v", a, []string{"u", "v", "w"}[(i+i/30)%3], a+float64((i+i/30)%3))
	})
	lines := strings.SplitAfter(whole, "\n")
	dir := t.TempDir()
	for i := range 3 {
		part := lines[0] + strings.Join(lines[1+30*i:31+30*i], "")
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("part-%d.csv", i)), []byte(part), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	all, one, run := file(t, "all.csv", whole), filepath.Join(t.TempDir(), "one"), filepath.Join(t.TempDir(), "run")
	must(t, "fit", all, "--target", "y", "-k", "2", "--quick", "--out", one)
	must(t, "fit", filepath.Join(dir, "part-*.csv"), "--target", "y", "-k", "2", "--quick", "--out", run)
	want, got := must(t, "predict", one, all), must(t, "predict", run, filepath.Join(dir, "part-0.csv"), filepath.Join(dir, "part-1.csv"), filepath.Join(dir, "part-2.csv"))
	if got != want {
		t.Errorf("the parts are predicted as\n%s\nand the whole as\n%s", got, want)
	}
	other := file(t, "other.csv", "a,s,y\n1,u,1\n2,v,2\n")
	if code, _, says := call(t, "fit", all, other, "--target", "y", "-k", "1"); code != exitBadData || !strings.Contains(says, "differ from those of the first file") {
		t.Errorf("other columns: exit code %d, %s", code, says)
	}
	if code, _, says := call(t, "fit", filepath.Join(dir, "none-*.csv"), "--target", "y"); code != exitBadData || !strings.Contains(says, "no file matches") {
		t.Errorf("no file: exit code %d, %s", code, says)
	}
}

// TestMissingTarget leaves out rows without a target if requested.
func TestMissingTarget(t *testing.T) {
	rows := file(t, "t.csv", table(60, "a,b,y\n", func(i int, a, b float64, _ int) string {
		if i%10 == 3 {
			return fmt.Sprintf("%v,%v,", a, b)
		}
		return fmt.Sprintf("%v,%v,%v", a, b, 2*a)
	}))
	if code, _, says := call(t, "fit", rows, "--target", "y", "-k", "1"); code != exitBadData || !strings.Contains(says, "the target is missing") || !strings.Contains(says, "--skip-missing-target") {
		t.Errorf("exit code %d, %s", code, says)
	}
	code, out, says := call(t, "fit", rows, "--target", "y", "-k", "1", "--skip-missing-target", "--json")
	if code != exitDone || !strings.Contains(says, "6 rows were left out because their target is missing") || !strings.Contains(out, `"rows":54`) {
		t.Errorf("exit code %d, %s\n%s", code, says, out)
	}
}

// TestPositive chooses the positive class.
func TestPositive(t *testing.T) {
	rows := file(t, "t.csv", table(60, "a,b,y\n", func(_ int, a, b float64, _ int) string {
		return fmt.Sprintf("%v,%v,%s", a, b, map[bool]string{true: "ja", false: "nein"}[a > 0])
	}))
	for _, c := range []struct{ class, sign string }{{"ja", ""}, {"nein", "-"}} {
		out := must(t, "fit", rows, "--target", "y", "-k", "1", "--quick", "--json", "--positive", c.class)
		if !strings.Contains(out, `"name":"a","coefficients":[`+c.sign) || !strings.Contains(out, `"`+c.class+`"]`) || c.sign == "" && strings.Contains(out, `"coefficients":[-`) {
			t.Errorf("%s: %s", c.class, out)
		}
	}
	if code, _, says := call(t, "fit", rows, "--target", "y", "-k", "1", "--positive", "oui"); code != exitUsage || !strings.Contains(says, `"ja", "nein"`) {
		t.Errorf("a class that is not there: %d, %s", code, says)
	}
}

// Which class is positive changes the sign of a model, and nothing else: folds and sizes are the same.
func TestPositiveMirrors(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 8))
	rows := file(t, "t.csv", table(160, "a,b,c,d,y\n", func(_ int, a, b float64, _ int) string {
		c, d := rng.NormFloat64(), rng.NormFloat64()
		return fmt.Sprintf("%v,%v,%v,%v,%s", a, b, c, d, map[bool]string{true: "ja", false: "nein"}[a+c+2*rng.NormFloat64() > 0.5])
	}))
	var folds, predicted [2][]string
	for i, class := range []string{"ja", "nein"} {
		out := filepath.Join(t.TempDir(), "run")
		must(t, "fit", rows, "--target", "y", "--positive", class, "--out", out)
		for _, line := range strings.Split(string(read(t, filepath.Join(out, "rows.csv"))), "\n") {
			cells := strings.SplitN(line, ",", 5)
			folds[i] = append(folds[i], strings.Join(cells[:min(len(cells), 4)], " "))
		}
		for _, line := range strings.Split(must(t, "predict", out, rows), "\n") {
			if cells := strings.Split(line, ","); len(cells) > 1 {
				cells[1] = strings.TrimPrefix(cells[1], "-") // of the decision value
				predicted[i] = append(predicted[i], cells[0]+" "+cells[1])
			}
		}
	}
	if !slices.Equal(folds[0], folds[1]) {
		t.Error("other folds or out-of-fold classes")
	}
	if !slices.Equal(predicted[0], predicted[1]) || len(predicted[0]) != 161 {
		t.Errorf("other predictions: %q and %q", predicted[0][:3], predicted[1][:3])
	}
}

// TestKeep copies columns unchanged beside the predictions.
func TestKeep(t *testing.T) {
	train := file(t, "t.csv", table(60, "a,b,y\n", func(_ int, a, b float64, _ int) string { return fmt.Sprintf("%v,%v,%v", a, b, a) }))
	run := filepath.Join(t.TempDir(), "run")
	must(t, "fit", train, "--target", "y", "-k", "1", "--quick", "--out", run)
	out := must(t, "predict", run, file(t, "p.csv", "id,a,day\n007,1,2024-01-31\n008,2,\n"), "--keep", "id,day,a")
	if lines := strings.Split(out, "\n"); lines[0] != "id,day,a,prediction" || !strings.HasPrefix(lines[1], "007,2024-01-31,1,") || !strings.HasPrefix(lines[2], "008,,2,") {
		t.Errorf("%s", out)
	}
	if code, _, says := call(t, "predict", run, file(t, "p.csv", "a\n1\n"), "--keep", "id"); code != exitBadData || !strings.Contains(says, `no column "id" to keep`) {
		t.Errorf("a column that is not there: %d, %s", code, says)
	}
}

// TestNames gives columns names that the file does not have.
func TestNames(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 5))
	var b strings.Builder
	for range 80 {
		x := 1 + rng.Float64()
		fmt.Fprintf(&b, "%v 1:%v 2:%v 3:%v\n", 3*x, rng.Float64()+1, x, rng.Float64()+1)
	}
	table, names := file(t, "t.svm", b.String()), file(t, "names.txt", "one\nvs\nthree\nfour\n")
	run := filepath.Join(t.TempDir(), "run")
	must(t, "fit", table, "-k", "1", "--quick", "--names", names, "--out", run)
	if out := must(t, "show", run); !strings.Contains(out, "vs ") {
		t.Errorf("%s", out)
	}
	must(t, "predict", run, table, "--names", names)
	if code, _, says := call(t, "fit", table, "-k", "1", "--names", file(t, "few.txt", "one\ntwo\n")); code != exitBadData || !strings.Contains(says, "it has 2 names") {
		t.Errorf("too few names: %d, %s", code, says)
	}
}

// TestRTable reads what write.table of R writes: the header lacks the names of the rows.
func TestRTable(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 6))
	var b strings.Builder
	b.WriteString("\"a\" \"g\" \"y\"\n")
	for i := range 60 {
		a := rng.NormFloat64()
		fmt.Fprintf(&b, "\"%d\" %v \"%s\" %v\n", i+1, a, []string{"u", "v"}[i%2], 2*a)
	}
	out := must(t, "fit", file(t, "t.txt", b.String()), "--target", "y", "-k", "1", "--quick", "--json")
	if !strings.Contains(out, `"name":"a"`) || !strings.Contains(out, `"columns":2`) {
		t.Errorf("%s", out)
	}
}

// TestMethodsOnTexts gives other methods a table with texts: they find the one that matters, and
// predict with it.
func TestMethodsOnTexts(t *testing.T) {
	shops := func(rows int) string {
		return table(rows, "a,shop,b,y\n", func(i int, a, b float64, _ int) string {
			return fmt.Sprintf("%v,%s,%v,%v", a, []string{"u", "v", "w", ""}[i*7%4], b, 3*float64(i*7%4)+0.1*a)
		})
	}
	train, test := file(t, "t.csv", shops(200)), file(t, "p.csv", shops(80))
	for _, method := range []string{"l1", "ridge", "scad"} {
		run := filepath.Join(t.TempDir(), "run")
		must(t, "fit", train, "--target", "y", "-k", "1", "--method", method, "--out", run)
		out := must(t, "predict", run, test, "--target", "y", "--json")
		var p struct{ Metrics map[string]float64 }
		if err := json.Unmarshal([]byte(out), &p); err != nil {
			t.Fatal(err)
		}
		if p.Metrics["r2"] < 0.9 {
			t.Errorf("%s: r2 %v", method, p.Metrics["r2"])
		}
	}
}
