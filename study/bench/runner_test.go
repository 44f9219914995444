package bench

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"fsa/data/synth"
)

// fakeVariable makes the test program play a runner whose methods are named after their behaviour.
const fakeVariable = "FSA_BENCH_FAKE_RUNNER"

func TestMain(m *testing.M) {
	if os.Getenv(fakeVariable) == "" {
		os.Exit(m.Run())
	}
	fmt.Println(`{"methods": {"good": "fake 1"}, "missing": {"gone": "not installed"}}`)
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
		method, _, _ := strings.Cut(lines.Text(), "\t")
		switch method {
		case "unready":
			fmt.Println(`{"error": "MemoryError: too large"}`)
			continue
		case "dead":
			fmt.Fprintln(os.Stderr, "Traceback\nSegmentation fault")
			os.Exit(1)
		}
		fmt.Println(`{"ready": true}`)
		switch method {
		case "good":
			fmt.Println(`{"seconds": 0.5, "selected": [9, 19]}`)
		case "wrong":
			fmt.Println(`{"seconds": 0.5, "selected": [9, 10000]}`)
		case "garbage":
			fmt.Println(`Warning: did not converge`)
		case "endless":
			select {}
		}
	}
}

func fake(t *testing.T) *runner {
	r := &runner{args: []string{os.Args[0]}, env: []string{fakeVariable + "=1"}}
	t.Cleanup(r.stop)
	return r
}

func TestParseAnswer(t *testing.T) {
	a := parseAnswer([]byte(`{"seconds": 1.25, "selected": [3, 1], "more": true}`))
	if a.Seconds != 1.25 || len(a.Selected) != 2 || a.check(4, 2) != nil {
		t.Errorf("%+v: %v", a, a.check(4, 2))
	}
	for name, line := range map[string]string{
		"not JSON":     `convergence warning`,
		"empty":        ``,
		"an error":     `{"error": "no memory"}`,
		"out of range": `{"seconds": 1, "selected": [4]}`,
		"negative":     `{"seconds": 1, "selected": [-1]}`,
		"twice":        `{"seconds": 1, "selected": [1, 1]}`,
		"too many":     `{"seconds": 1, "selected": [0, 1, 2]}`,
		"no time":      `{"seconds": -1, "selected": [0]}`,
		"wrong type":   `{"seconds": 1, "selected": "none"}`,
	} {
		if a := parseAnswer([]byte(line)); a.check(4, 2) == nil {
			t.Errorf("%s: %s was accepted", name, line)
		}
	}
}

func TestRunner(t *testing.T) {
	r := fake(t)
	hello, err := r.start(t.Context())
	if err != nil || hello.Methods["good"] != "fake 1" || hello.Missing["gone"] == "" {
		t.Fatalf("%+v, %v", hello, err)
	}
	// It is used again after every kind of failure.
	for _, method := range []string{"good", "unready", "good", "dead", "good", "endless", "good", "garbage", "good"} {
		limit := 10 * time.Minute
		if method == "endless" {
			limit = time.Millisecond
		}
		a, err := r.fit(t.Context(), method, limit)
		switch {
		case method == "endless" && !errors.Is(err, errTooLong),
			method == "dead" && (err == nil || !strings.Contains(err.Error(), "Segmentation fault")),
			(method == "unready" || method == "garbage") && (err != nil || a.Error == ""),
			method == "good" && (err != nil || a.Seconds != 0.5 || len(a.Selected) != 2):
			t.Errorf("%s: %+v, %v", method, a, err)
		}
	}
}

func TestRunnerInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	r := fake(t)
	if _, err := r.start(ctx); err != nil {
		t.Fatal(err)
	}
	cancel()
	if _, err := r.fit(ctx, "endless", 10*time.Minute); err == nil {
		t.Error("it went on")
	}
	if r.cmd != nil {
		t.Error("it is still there")
	}
}

// Errors of peers are recorded and do not stop the others.
func TestPeers(t *testing.T) {
	c := config(synth.Classification, shape{100, 50, 2}, 1)
	files := &tableFiles{"X.npy", "y.npy"}
	r := fake(t)
	for method, want := range map[string]struct{ seconds, limit, missing int }{
		"good": {1, 0, 0}, "endless": {0, 1, 0}, "wrong": {0, 0, 1}, "unready": {0, 0, 1}, "dead": {0, 0, 1},
	} {
		p := &peers{here: map[string]*runner{method: r}, limit: 10 * time.Minute, spent: map[string]time.Duration{}}
		if method == "endless" {
			p.limit = time.Millisecond
		}
		l := &tally{method: method}
		for range 2 { // the second time only if the first one succeeded
			p.fit(t.Context(), c, method, files, 1, l)
		}
		if len(l.seconds) != 2*want.seconds || (l.limit > 0) != (want.limit > 0) || len(p.missing) != want.missing {
			t.Errorf("%s: %+v, missing %v", method, l, p.missing)
		}
		if f := l.fit(c.Task, shape{100, 50, 2}); method == "good" && (*f.DR != 1 || *f.PCD != 1 || f.Seconds != 0.5 || f.Threads != 1) {
			t.Errorf("%+v", f)
		}
	}
}

func TestBudget(t *testing.T) {
	p := &peers{here: map[string]*runner{"a": nil, "b": nil}, limit: 10 * time.Second, budget: 30 * time.Second,
		spent: map[string]time.Duration{"a": 16 * time.Second}}
	if !p.late("a") || p.late("b") {
		t.Error("a has had its share and b has not")
	}
	p.spent["b"] = 5 * time.Second
	if !p.late("b") {
		t.Error("there is no time for a whole fit left")
	}
}
