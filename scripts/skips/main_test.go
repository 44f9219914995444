package main

import (
	"bytes"
	"strings"
	"testing"
)

const good = `{"Action":"start","Package":"fsa/a"}
{"Action":"run","Package":"fsa/a","Test":"TestA"}
{"Action":"output","Package":"fsa/a","Test":"TestA","Output":"=== RUN   TestA\n"}
{"Action":"output","Package":"fsa/a","Test":"TestA","Output":"    a_test.go:9: needs program chromium: apt-get install chromium\n"}
{"Action":"output","Package":"fsa/a","Test":"TestA","Output":"--- SKIP: TestA (0.00s)\n"}
{"Action":"skip","Package":"fsa/a","Test":"TestA","Elapsed":0}
{"Action":"output","Package":"fsa/a","Test":"TestB","Output":"it works\n"}
{"Action":"pass","Package":"fsa/a","Test":"TestB","Elapsed":0}
{"Action":"output","Package":"fsa/a","Output":"PASS\n"}
{"Action":"output","Package":"fsa/a","Output":"ok  \tfsa/a\t0.1s\n"}
{"Action":"pass","Package":"fsa/a","Elapsed":0.1}
{"Action":"output","Package":"fsa/b","Output":"?   \tfsa/b\t[no test files]\n"}
{"Action":"skip","Package":"fsa/b","Elapsed":0}
`

const bad = good + `{"Action":"output","Package":"fsa/c","Test":"TestC/1","Output":"c_test.go:3: it is wrong\n"}
{"Action":"fail","Package":"fsa/c","Test":"TestC/1","Elapsed":0}
{"Action":"fail","Package":"fsa/c","Elapsed":0}
`

const broken = good + `{"ImportPath":"fsa/d","Action":"build-output","Output":"d.go:1: syntax error\n"}
{"ImportPath":"fsa/d","Action":"build-fail"}
`

func TestRun(t *testing.T) {
	for _, c := range []struct {
		name, input string
		strict      bool
		allowed     []string
		want        bool
		says        string
	}{
		{"lenient", good, false, nil, true, "skipped: needs program chromium: apt-get install chromium\n    fsa/a.TestA\n"},
		{"strict", good, true, nil, false, "FAIL: fsa/a.TestA must not be skipped here"},
		{"another is allowed", good, true, []string{"fsa/a.Test"}, false, "fsa/a.TestA must not"},
		{"allowed", good, true, []string{"fsa/b.TestA", "fsa/*.TestA"}, true, "ok  \tfsa/a\t0.1s\n"},
		{"failed", bad, false, nil, false, "it is wrong"},
		{"not built", broken, false, nil, false, "syntax error"},
		{"empty", "", false, nil, false, "no package"},
		{"no JSON", "go: no such package\n", false, nil, false, "go: no such package\n"},
		{"no reason", strings.ReplaceAll(good, "needs", "wants"), false, nil, true, "no reason is given"},
	} {
		var out bytes.Buffer
		if _, got := run(&out, strings.NewReader(c.input), c.strict, c.allowed); got != c.want || !strings.Contains(out.String(), c.says) {
			t.Errorf("%s: %v\n%s", c.name, got, out.String())
		}
		if strings.Contains(out.String(), "it works") {
			t.Errorf("%s: the output of a test that passes is printed", c.name)
		}
	}
}

// A test of which a part was skipped is listed once, and packages without tests are not.
func TestNames(t *testing.T) {
	parts := `{"Action":"skip","Package":"fsa/a","Test":"TestParts/one.two"}
{"Action":"skip","Package":"fsa/a","Test":"TestParts/three/four"}
`
	names, _ := run(&bytes.Buffer{}, strings.NewReader(parts+good), false, nil)
	if got, want := strings.Join(names, ""), "fsa/a TestA\nfsa/a TestParts\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
