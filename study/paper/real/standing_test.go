package real

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"fsa/internal/need"
)

// The example is worked by hand: differences of rows are 1, 3 and 0, 0.4, so the means are 2
// and 0.2 and the standard errors 1 and 0.2.
func TestStandings(t *testing.T) {
	record := func(seed uint64, method string, rows ...float64) Record {
		return Record{Family: "f", Set: "a", Seed: seed, Method: method, rows: map[string][]float64{logLoss: rows}}
	}
	list := standings([]Record{
		record(1, Ours, 1, 1), record(1, "ebm", 2, 4),
		record(2, Ours, 1, 1), record(2, "ebm", 1, 1.4),
		record(3, Ours, 1, 1), // its reference has no answer
	})
	if len(list) != 1 {
		t.Fatalf("%+v", list)
	}
	s := list[0]
	if s.Method != Ours || s.Reference != "ebm" || s.Family != "f" || s.Splits != 2 || !s.Level() {
		t.Errorf("%+v", s)
	}
	near(t, "ahead", s.Ahead, 1.1, 1e-15)
	near(t, "standard error", s.SE, 0.7211102550927978, 1e-15) // √((1² + 0.2²)/2)
	for ahead, level := range map[float64]bool{1: true, -0.5: true, -0.51: false} {
		if s := (Standing{Ahead: ahead, SE: 0.5}); s.Level() != level {
			t.Errorf("level is %v, %v behind", !level, -ahead)
		}
	}
}

// Where the size is open, fsa is fitted with nothing set and with few variables, and a
// reference is compared with both, row by row.
func TestOpen(t *testing.T) {
	s := small()
	s.Open, s.Splits, s.Cache = true, 1, t.TempDir()
	s.Python = filepath.Join(t.TempDir(), "python")
	half := strings.TrimSuffix(strings.Repeat("0.5,", held), ",")
	fake := "#!/bin/sh\necho '{\"methods\": {\"boosting\": \"1\"}, \"missing\": {\"ebm\": \"no package\"}}'\n" +
		"while read line; do echo '{\"method\": \"boosting\", \"k\": 0, \"prediction\": [" + half + "]}'; echo '{\"done\": true}'; done\n"
	if err := os.WriteFile(s.Python, []byte(fake), 0o700); err != nil {
		t.Fatal(err)
	}
	r, err := Run(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Records) != 2*3 {
		t.Errorf("%d records, want those of 2 sets, fsa, fsa few and boosting", len(r.Records))
	}
	for _, x := range r.Records {
		if x.K != 0 || x.Method == few && x.Selected > 14/3 {
			t.Errorf("%+v", x)
		}
	}
	if len(r.Standings) != 2*3 {
		t.Errorf("%+v", r.Standings)
	}
	mean := func(set, method, measure string) float64 {
		for _, x := range r.Records {
			if x.Set == set && x.Method == method {
				return x.Measures[measure]
			}
		}
		return 0
	}
	for _, x := range r.Standings {
		want := better[x.Measure] * (mean(x.Set, x.Method, x.Measure) - mean(x.Set, x.Reference, x.Measure))
		near(t, x.Set+", "+x.Measure, x.Ahead, want, 1e-12)
		if x.Measure != errorRate && !x.Level() {
			t.Errorf("behind a constant: %+v", x)
		}
	}
	var text bytes.Buffer
	if err := r.Markdown(&text); err != nil || !strings.Contains(text.String(), "| log loss or R² | boosting | fsa | 2 of 2 | 100% |") {
		t.Errorf("%v\n%s", err, &text)
	}
}

// Peers do not get texts, and only those that can rank get rankings.
func TestMethodFits(t *testing.T) {
	numbers := &Table{}
	texts := &Table{columns: []column{{texts: []string{"a"}}}}
	queries := &Table{Query: []int64{1}}
	for _, m := range methods {
		if m.fits(queries) != m.ranks || m.fits(numbers) == m.ranks || m.fits(texts) != m.all {
			t.Errorf("%s fits tables of numbers %v, of texts %v, and queries %v", m.name, m.fits(numbers), m.fits(texts), m.fits(queries))
		}
	}
}

// The real references learn from numbers, texts and gaps. They need a Python that has them.
func TestReferences(t *testing.T) {
	python := need.Variable(t, "FSA_PEERS", "run scripts/peers/setup.sh DIR, and set it to DIR/bin/python")
	folder := need.Data(t, "mixed")
	s := Setup{Open: true, Data: filepath.Dir(folder), Sets: []string{"body-numbers", "scat"}, Splits: 1, Seed: 3, Python: python, Log: t.Logf}
	r, err := Run(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range ReferenceNames() {
		at := slices.IndexFunc(r.Records, func(x Record) bool { return x.Method == name && x.Set == "body-numbers" })
		if at < 0 || r.Records[at].Measures[r2] < 0.2 || r.Records[at].Selected != 14 {
			t.Errorf("%s of numbers: %+v", name, r.Records)
		}
		at = slices.IndexFunc(r.Records, func(x Record) bool { return x.Method == name && x.Set == "scat" })
		if at < 0 || r.Records[at].Measures[errorRate] > 0.5 {
			t.Errorf("%s of texts: %+v", name, r.Records)
		}
	}
}
