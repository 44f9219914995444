package main

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"fsa"
	"fsa/data/open"
)

// A plan says what other machines would take, and whether a part fits into one of them.
func TestForecast(t *testing.T) {
	x := t.TempDir() + "/x.npy"
	must(t, "generate", "ar1", "--n", "300", "--m", "30", "--k", "3", "--out", x)
	for _, c := range []struct {
		args []string
		want map[string]string // by setting, in its value or reason
	}{
		{[]string{"--machines", "4"}, map[string]string{"machines": "4×1", "table per machine": "0.009 MB", "communication": "10Gbit,50us", "descent": "epochs"}},
		{[]string{"--machines", "4", "--network", "100Mbit,1ms", "--memory", "1GiB"}, map[string]string{"machines": "4×1", "communication": "100Mbit,1ms", "table per machine": "4 bytes each"}},
		{[]string{"--machines", "1009"}, map[string]string{"machines": "use fewer"}},
		{nil, nil},
	} {
		if testing.Short() && len(c.args) == 2 {
			continue // each case measures this machine
		}
		var decisions []fsa.Decision
		said := must(t, append([]string{"fit", x, "-k", "3", "--quick", "--plan", "--json"}, c.args...)...)
		if err := json.Unmarshal([]byte(said), &decisions); err != nil {
			t.Fatal(err)
		}
		found := 0
		for _, d := range decisions {
			if want, ok := c.want[d.Setting]; ok {
				if found++; !strings.Contains(d.Value+" "+d.Why, want) {
					t.Errorf("%v: %v, want %s", c.args, d, want)
				}
			} else if d.Setting == "machines" {
				t.Errorf("%v: %v", c.args, d)
			}
		}
		if found != len(c.want) {
			t.Errorf("%v: %v", c.args, decisions)
		}
	}
}

// A plan says so if a part does not fit into a machine.
func TestForecastMemory(t *testing.T) {
	x := t.TempDir() + "/x.npy"
	must(t, "generate", "ar1", "--n", "300", "--m", "30", "--k", "3", "--out", x)
	d, err := open.Table(t.Context(), x, open.Options{}, open.Roles{})
	if err != nil {
		t.Fatal(err)
	}
	job, err := fsa.Prepare(t.Context(), d, fsa.Options{K: 3, Quick: true})
	if err != nil {
		t.Fatal(err)
	}
	f := forecast{machines: 2, network: "1GB"}
	said, err := f.decisions(t.Context(), d, job.Plan(), 1000)
	if err != nil || !strings.Contains(fmt.Sprint(said), "use more machines") {
		t.Errorf("%v, %v", said, err)
	}
}

func TestForecastRefuses(t *testing.T) {
	x := t.TempDir() + "/x.npy"
	must(t, "generate", "ar1", "--n", "300", "--m", "30", "--k", "3", "--out", x)
	for _, args := range [][]string{{"--machines", "4"}, {"--plan", "--machines", "-1"}, {"--plan", "--network", "fast"}, {"--plan", "--network", "10Gbit,soon"}, {"--plan", "--network", "0Gbit"}} {
		if code, _, said := call(t, append([]string{"fit", x, "-k", "3"}, args...)...); code != exitUsage {
			t.Errorf("%v: exit code %d\n%s", args, code, said)
		}
	}
}
