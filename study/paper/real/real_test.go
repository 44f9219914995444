package real

import (
	"bytes"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"fsa/internal/need"
)

// small is a setup that takes a second.
func small() Setup {
	return Setup{Sets: []string{"body-numbers", "body-classes"}, Splits: 2, Seed: 5, Threads: 2}
}

func TestRunAlone(t *testing.T) {
	s := small()
	s.Variants = []Variant{{Name: "shrunken", Options: map[string]string{"Mu": "50"}}}
	r, err := Run(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Records) != 2*2*3*2 {
		t.Errorf("%d records, want those of 2 sets, 2 seeds, 3 k and 2 settings", len(r.Records))
	}
	for _, x := range r.Records {
		want := []string{r2, excess, excessSE, seconds}
		if x.Task == twoClasses {
			want = []string{errorRate, logLoss, auc, slope, baseLoss, excess, excessSE, seconds}
		}
		for _, name := range want {
			if _, ok := x.Measures[name]; !ok {
				t.Errorf("%s, k = %d: there is no %s", x.Set, x.K, name)
			}
		}
		if x.Rows != 125 || x.Cols != 14 || x.Selected != x.K || !x.Signal {
			t.Errorf("%+v", x)
		}
	}
	// A repetition differs by nothing but time.
	s.Variants, s.Before = nil, r.Records
	again, err := Run(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range again.Comparisons {
		if c.Method != before || c.Ahead != 0 || *c.SE != 0 || *c.P != 1 || c.Wins+c.Losses > 0 {
			t.Errorf("%+v", c)
		}
	}
	var text bytes.Buffer
	if err := again.Markdown(&text); err != nil || !strings.Contains(text.String(), "## body") {
		t.Errorf("%v\n%s", err, &text)
	}
}

func TestValidate(t *testing.T) {
	for _, s := range []Setup{
		{}, {Splits: 1, Threads: -1}, {Splits: 1, Families: []string{"none"}}, {Splits: 1, Sets: []string{"none"}}, {Splits: 1, Peers: []string{"none"}},
		{Splits: 1, Peers: []string{"boosting"}}, {Splits: 1, Peers: []string{"abess"}, Open: true},
	} {
		if s.Validate() == nil {
			t.Errorf("%+v is accepted", s)
		}
	}
	if _, err := Run(t.Context(), Setup{Splits: 1, Data: t.TempDir(), Sets: []string{"alon"}}); err == nil || !strings.Contains(err.Error(), "--data") {
		t.Errorf("without data: %v", err)
	}
}

func TestParseVariant(t *testing.T) {
	v, err := ParseVariant("x:Mu=20,Polish=true,Loss=svm,Bins=3")
	if err != nil {
		t.Fatal(err)
	}
	o, err := v.options(7)
	if err != nil || o.K != 7 || o.Descent.Mu != 20 || !o.Selection.Polish || o.Loss != "svm" || o.Bins != 3 {
		t.Errorf("%+v, %v", o, err)
	}
	for _, text := range []string{"", "x", ":Mu=1", "fsa:Mu=1", "fsa few:Mu=1", "x:Mu", "x:Mu=a", "x:Nothing=1", "x:Mu=-1", "x:Observe=1"} {
		if _, err := ParseVariant(text); err == nil {
			t.Errorf("%q is accepted", text)
		}
	}
}

// A wrong Python is named with its cure.
func TestNoPython(t *testing.T) {
	s := small()
	s.Python = filepath.Join(t.TempDir(), "python")
	if _, err := Run(t.Context(), s); err == nil || !strings.Contains(err.Error(), "setup.sh") {
		t.Errorf("%v", err)
	}
	if err := os.WriteFile(s.Python, []byte("#!/bin/sh\necho oh dear >&2\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	if _, err := Run(t.Context(), s); err == nil || !strings.Contains(err.Error(), "oh dear") {
		t.Errorf("%v", err)
	}
}

// A failing peer leaves a gap that is reported, and is not asked again.
func TestPeerFails(t *testing.T) {
	need.Long(t)
	s := small()
	s.Python = filepath.Join(t.TempDir(), "python")
	s.Cache = t.TempDir()
	s.Peers = []string{"abess"}
	fake := "#!/bin/sh\necho '{\"methods\": {\"abess\": \"1\"}}'\nwhile read line; do echo '{\"method\": \"abess\", \"k\": 3, \"prediction\": [1]}'; echo '{\"error\": \"too hard\"}'; done\n"
	if err := os.WriteFile(s.Python, []byte(fake), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, python := range []string{s.Python, ""} {
		s.Python = python
		var log []string
		s.Log = func(format string, a ...any) {
			log = append(log, strings.ReplaceAll(format, "%v", a[len(a)-1].(error).Error()))
		}
		r, err := Run(t.Context(), s)
		if err != nil || len(r.Comparisons) > 0 {
			t.Errorf("%v, %v", r.Comparisons, err)
		}
		all := strings.Join(log, "\n")
		if !strings.Contains(all, "too hard") || !strings.Contains(all, "1 numbers are predicted for 1000 rows") {
			t.Error(all)
		}
	}
}

// The real peers answer all tasks. They need a Python that has them.
func TestPeers(t *testing.T) {
	python := need.Variable(t, "FSA_PEERS", "run scripts/peers/setup.sh DIR, and set it to DIR/bin/python")
	s := Setup{Sets: []string{"body-numbers", "body-classes", "classes-4", "words-200"}, Splits: 1, Seed: 3, Python: python, Cache: t.TempDir()}
	s.Log = t.Logf
	first, err := Run(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	for _, method := range PeerNames() {
		n := 0
		for _, r := range first.Records {
			if r.Method == method {
				n++
				if r.Selected > r.K {
					t.Errorf("%s selects %d variables, not %d", method, r.Selected, r.K)
				}
				if r.Measures[auc] != 0 && r.Measures[auc] < 0.6 || r.Measures[r2] < 0 {
					t.Errorf("%s has learned nothing of %s: %v", method, r.Set, r.Measures)
				}
			}
		}
		if want := 12; n != want && method != "lightgbm" {
			t.Errorf("%s has %d records, want %d", method, n, want)
		}
	}
	// The cache gives the same answers.
	s.Python = ""
	again, err := Run(t.Context(), s)
	if err != nil || len(again.Records) != len(first.Records) {
		t.Fatalf("%d records, before %d: %v", len(again.Records), len(first.Records), err)
	}
	for i, c := range again.Comparisons {
		if c.Ahead != first.Comparisons[i].Ahead {
			t.Errorf("%+v, before %+v", c, first.Comparisons[i])
		}
	}
}

// Every generated set makes tables of numbers, different ones for different seeds, the same ones
// for the same seed.
func TestGenerated(t *testing.T) {
	need.Long(t)
	for _, set := range generatedSets() {
		train, test, err := set.tables(t.Context(), "", 1)
		if err != nil {
			t.Fatal(err)
		}
		if train.Rows*train.Cols < 1e5 { // the others take long
			again, _, _ := set.tables(t.Context(), "", 1)
			other, _, _ := set.tables(t.Context(), "", 2)
			if fingerprint(train) != fingerprint(again) || fingerprint(train) == fingerprint(other) {
				t.Errorf("%s: seeds do not decide", set.Name)
			}
		}
		for _, table := range []*Table{train, test} {
			if len(table.Y) != table.Rows || !table.sparse() && len(table.Dense) != table.Rows*table.Cols {
				t.Errorf("%s: %d rows, %d responses, %d cells", set.Name, table.Rows, len(table.Y), len(table.Dense))
			}
			if slices.ContainsFunc(slices.Concat(table.Dense, table.Value, table.Y), func(v float64) bool { return math.IsNaN(v) || math.IsInf(v, 0) }) {
				t.Errorf("%s: not a number", set.Name)
			}
			for c := range table.Classes {
				if !slices.Contains(table.Y, float64(c)) {
					t.Errorf("%s: no row of class %d", set.Name, c)
				}
			}
		}
		if slices.Max(set.K) > train.Cols {
			t.Errorf("%s: k = %v of %d columns", set.Name, set.K, train.Cols)
		}
	}
}

// Halves are disjoint, keep the proportions of classes, and do not split queries.
func TestSplit(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	table := &Table{Rows: 90, Cols: 1, Classes: []string{"a", "b", "c"}}
	for i := range table.Rows {
		table.Dense = append(table.Dense, float64(i))
		table.Y = append(table.Y, float64(min(i/10, 2)))
	}
	learn, rest := split(table, 0, 0, rng)
	if all := slices.Sorted(slices.Values(slices.Concat(learn.Dense, rest.Dense))); !slices.Equal(all, table.Dense) {
		t.Error("rows are lost or doubled")
	}
	for c, n := range []int{5, 5, 35} {
		got := 0
		for _, y := range learn.Y {
			if int(y) == c {
				got++
			}
		}
		if got != n {
			t.Errorf("%d rows of class %d, want %d", got, c, n)
		}
	}
	if learn, rest = split(table, 30, 20, rng); learn.Rows < 29 || learn.Rows > 32 || rest.Rows != 20 {
		t.Errorf("%d and %d rows, want about 30 and 20", learn.Rows, rest.Rows)
	}
	table.Classes = nil
	for i := range table.Rows {
		table.Query = append(table.Query, int64(i/7))
	}
	learn, rest = split(table, 0, 0, rng)
	for _, q := range learn.Query {
		if slices.Contains(rest.Query, q) {
			t.Errorf("query %d is on both sides", q)
		}
	}
}

// The sets of files have the sizes that their sources state.
func TestRealSets(t *testing.T) {
	folder := need.Data(t, ".")
	sizes := map[string][3]int{ // rows, columns, classes
		"golub": {72, 7129, 2}, "khan": {83, 2308, 4}, "riboflavin": {71, 4088, 0}, "communities": {1994, 122, 0},
		"housing": {20640, 8, 0}, "dexter": {600, 20000, 2}, "madelon": {2600, 500, 2}, "ohsumed": {16140, 25, 0},
		"scat": {110, 18, 3}, "Sacramento": {932, 8, 0}, "check_times": {13626, 23, 0}, "credit_data": {4454, 13, 2},
	}
	for _, set := range realSets() {
		want, known := sizes[set.Name]
		if !known {
			continue
		}
		t.Run(set.Name, func(t *testing.T) {
			need.Data(t, set.folder)
			train, test, err := set.tables(t.Context(), folder, 1)
			if err != nil {
				t.Fatal(err)
			}
			if got := [3]int{set.whole.Rows, set.whole.Cols, len(set.whole.Classes)}; got != want {
				t.Errorf("%v, want %v", got, want)
			}
			if half := train.Rows - test.Rows; set.train == 0 && set.Name != "ohsumed" && (half < -4 || half > 4) {
				t.Errorf("%d and %d rows", train.Rows, test.Rows)
			}
		})
	}
}

// A Python that is out of step with its requests is detected.
func TestPeerOutOfStep(t *testing.T) {
	s := small()
	s.Sets, s.Splits, s.Peers = []string{"body-numbers"}, 1, []string{"l1"}
	s.Python = filepath.Join(t.TempDir(), "python")
	fake := "#!/bin/sh\necho '{\"methods\": {\"l1\": \"1\"}}'\nwhile read line; do echo '{\"method\": \"abess\", \"k\": 3, \"prediction\": [1]}'; done\n"
	if err := os.WriteFile(s.Python, []byte(fake), 0o700); err != nil {
		t.Fatal(err)
	}
	var why string
	s.Log = func(_ string, a ...any) { why = a[len(a)-1].(error).Error() }
	if r, err := Run(t.Context(), s); err != nil || len(r.Comparisons) > 0 || !strings.Contains(why, `belongs to the method "abess"`) {
		t.Errorf("%q, %v", why, err)
	}
}
