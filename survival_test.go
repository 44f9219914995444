package fsa_test

import (
	"encoding/json"
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"fsa"
	"fsa/data"
	"fsa/data/open"
	"fsa/model"
)

func survivalTable(t *testing.T, roles open.Roles) *data.Dataset {
	t.Helper()
	d, err := open.Table(background, "testdata/responses/survival.csv", open.Options{}, roles)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// TestSurvivalGolden compares coefficients with statsmodels and lifelines, survival probabilities and concordances
// with scikit-survival and lifelines; testdata/responses/make_survival.py writes them.
func TestSurvivalGolden(t *testing.T) {
	file, err := os.ReadFile("testdata/responses/survival.json")
	if err != nil {
		t.Fatal(err)
	}
	var golden map[string]struct {
		Coefficients, Survival []float64
		Concordance, Uno       float64
	}
	if err := json.Unmarshal(file, &golden); err != nil {
		t.Fatal(err)
	}
	o := fsa.Options{K: 3, Bins: fsa.None, Objective: fsa.Objective{Ridge: fsa.None}, Validation: fsa.Validation{Folds: 3}}
	const entry, weight = "testdata/responses/survival_entry.txt", "testdata/responses/survival_weight.txt"
	for name, roles := range map[string]open.Roles{
		"plain":        {Target: "time", Event: "died", Drop: []string{"center"}},
		"strata":       {Target: "time", Event: "died", Stratum: "center"},
		"late":         {Target: "time", Event: "died", Entry: entry, Weights: weight, Drop: []string{"center"}},
		"breslow":      {Target: "time", Event: "died", Drop: []string{"center"}},
		"late breslow": {Target: "time", Event: "died", Entry: entry, Drop: []string{"center"}},
	} {
		d, want := survivalTable(t, roles), golden[name]
		if o.Objective.Ties = "efron"; strings.HasSuffix(name, "breslow") {
			o.Objective.Ties = "breslow"
		}
		m := fit(t, d, o)
		got := make([]float64, 3)
		for _, v := range m.Selected() {
			got[v.Name[1]-'0'] = v.Coefficients[0]
		}
		for i := range got {
			if math.Abs(got[i]-want.Coefficients[i]) > 1e-6 {
				t.Errorf("%s: coefficients %.8f, want %.8f", name, got, want.Coefficients)
				break
			}
		}
		p, err := m.PredictDataset(background, d)
		if err != nil {
			t.Fatal(err)
		}
		if name == "strata" {
			if _, err := m.Survival(p.Decision, []float64{1}); err == nil || len(m.Baselines()) != 3 {
				t.Errorf("strata: %d baselines, error %v", len(m.Baselines()), err)
			}
			continue
		}
		if want.Survival == nil {
			continue
		}
		measures, err := p.Measures(d.Target)
		if err != nil {
			t.Fatal(err)
		}
		if math.Abs(measures["concordance"]-want.Concordance) > 1e-7 || math.Abs(measures["uno"]-want.Uno) > 1e-9 {
			t.Errorf("concordances %v and %v, want %v and %v", measures["concordance"], measures["uno"], want.Concordance, want.Uno)
		}
		lives, err := m.Survival(p.Decision[:4], []float64{1, 4, 9.5, 20})
		if err != nil {
			t.Fatal(err)
		}
		for i, v := range lives {
			if math.Abs(v-want.Survival[i]) > 1e-6 {
				t.Errorf("survival probabilities %.4f, want %.4f", lives, want.Survival)
				break
			}
		}
	}
}

// TestSurvivalBadInput checks that each bad input is refused with its place and a cure.
func TestSurvivalBadInput(t *testing.T) {
	table := func(time, died string) string {
		text := "a,b,time,died\n"
		for i := range 30 {
			text += string(rune('0'+i%7)) + "," + string(rune('0'+i%5)) + "," + map[bool]string{true: time, false: string(rune('1' + i%9))}[i == 3] + "," + map[bool]string{true: died, false: string(rune('0' + i%2))}[i == 3] + "\n"
		}
		return text
	}
	none := strings.ReplaceAll(strings.ReplaceAll(table("1", "0"), ",1\n", ",0\n"), ",2\n", ",0\n")
	once := strings.Replace(none, ",0\n", ",1\n", 1)
	for name, c := range map[string]struct {
		table string
		event string
		loss  string
		want  []string
	}{
		"time 0":           {table("0", "1"), "died", "cox", []string{"column time", "row 4", "the target is 0", "above 0"}},
		"negative time":    {table("-2", "1"), "died", "cox", []string{"row 4", "above 0"}},
		"event 2":          {table("1", "2"), "died", "cox", []string{":5", "column died", "the event is 2", "must be 1"}},
		"event missing":    {table("1", ""), "died", "cox", []string{"column died", "the event is missing"}},
		"no event":         {none, "died", "cox", []string{"column died", "no row had the event", "swap 0 and 1"}},
		"one event":        {once, "died", "cox", []string{"column died", "only one row had the event", "at least 2"}},
		"no event column":  {table("1", "1"), "", "cox", []string{"--event"}},
		"event of numbers": {table("1", "1"), "died", "squared", []string{"events are for survival times", "--loss cox"}},
	} {
		path := filepath.Join(t.TempDir(), "t.csv")
		if err := os.WriteFile(path, []byte(c.table), 0o600); err != nil {
			t.Fatal(err)
		}
		d, err := open.Table(background, path, open.Options{}, open.Roles{Target: "time", Event: c.event})
		if err == nil {
			_, err = fsa.Fit(background, d, fsa.Options{K: 1, Loss: c.loss})
		}
		if err == nil {
			t.Errorf("%s: accepted", name)
			continue
		}
		for _, part := range c.want {
			if !strings.Contains(err.Error(), part) {
				t.Errorf("%s: %v\nlacks %q", name, err, part)
			}
		}
	}
}

// TestSurvivalOpen lets cross-validation choose the size, and fits the same model with any number of threads. Half samples
// and a quick fit work, too.
func TestSurvivalOpen(t *testing.T) {
	d := survivalTable(t, open.Roles{Target: "time", Event: "died", Drop: []string{"center"}})
	m := fit(t, d, fsa.Options{Validation: fsa.Validation{Stability: 2}, Run: fsa.Run{Threads: 1}})
	if m.Task() != model.Survival || m.Loss() != "cox" || len(m.Selected()) < 2 || m.Stability() == nil || !slices.Contains(selectedNames(m), "x0") {
		t.Errorf("task %s, loss %s, variables %s", m.Task(), m.Loss(), selectedNames(m))
	}
	other := fit(t, d, fsa.Options{Validation: fsa.Validation{Stability: 2}, Run: fsa.Run{Threads: 3}})
	if string(modelBytes(t, m)) != string(modelBytes(t, other)) {
		t.Error("another model with 3 threads")
	}
	if quick := fit(t, d, fsa.Options{Quick: true}); quick.Training().Criterion == nil || len(quick.Selected()) == 0 {
		t.Errorf("a quick fit selects %s", selectedNames(quick))
	}
}

func selectedNames(m *model.Model) (list []string) {
	for _, v := range m.Selected() {
		list = append(list, v.Name)
	}
	return list
}

// TestSurvivalEntry checks that rows which enter late compete at open sizes and on half samples, with the same model
// for any number of threads, and that an entry at the end is refused with its row.
func TestSurvivalEntry(t *testing.T) {
	d := survivalTable(t, open.Roles{Target: "time", Event: "died", Entry: "testdata/responses/survival_entry.txt", Drop: []string{"center"}})
	o := fsa.Options{Objective: fsa.Objective{Ties: "breslow"}, Validation: fsa.Validation{Stability: 2, Measure: "concordance"}, Run: fsa.Run{Threads: 1}}
	m := fit(t, d, o)
	if m.Settings().Ties != "breslow" || !slices.Contains(selectedNames(m), "x0") {
		t.Errorf("ties %q, variables %s", m.Settings().Ties, selectedNames(m))
	}
	o.Run.Threads = 3
	if other := fit(t, d, o); string(modelBytes(t, m)) != string(modelBytes(t, other)) {
		t.Error("another model with 3 threads")
	}
	o.Validation.Measure = "uno"
	if _, err := fsa.Fit(background, d, o); err == nil || !strings.Contains(err.Error(), "uno does not apply") {
		t.Errorf("uno with entries: error %v", err)
	}
	d.Target.EntryName, d.Target.Entry[6] = "enrolled", d.Target.Y[6]
	if _, err := fsa.Fit(background, d, o); err == nil || !strings.Contains(err.Error(), "enrolled") || !strings.Contains(err.Error(), "row 7") || !strings.Contains(err.Error(), "must enter before") {
		t.Errorf("entry at the end: error %v", err)
	}
	for _, o := range []fsa.Options{{K: 1, Loss: "squared"}, {K: 1, Loss: "squared", Objective: fsa.Objective{Ties: "breslow"}}, {K: 1, Objective: fsa.Objective{Ties: "exact"}}} {
		d := survivalTable(t, open.Roles{Target: "time", Entry: "center", Drop: []string{"died"}})
		if o.Objective.Ties != "" {
			d.Target.Entry = nil
		}
		if _, err := fsa.Fit(background, d, o); !errors.Is(err, fsa.ErrOptions) {
			t.Errorf("%+v: error %v", o.Objective, err)
		}
	}
}

// TestOneEventTime checks that events which are all at the same time are refused.
func TestOneEventTime(t *testing.T) {
	path := t.TempDir() + "/t.csv"
	if err := os.WriteFile(path, []byte("time,died,x\n2,1,0.5\n2,1,1\n1,0,2\n2,0,3\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	d, err := open.Table(background, path, open.Options{}, open.Roles{Target: "time", Event: "died"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := fsa.Fit(background, d, fsa.Options{K: 1, Quick: true}); err == nil || !strings.Contains(err.Error(), "all 2 events are at the same time") {
		t.Errorf("error %v", err)
	}
}
