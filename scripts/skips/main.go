// Skips reads the output of go test -json. It prints one line for each package, the output
// of tests that fail, and the tests that were skipped, by their reason:
//
//	go test -json ./... | go run ./scripts/skips
//
// It exits with status 1 if a test failed. With -strict it also does so if a test was
// skipped whose name, such as fsa/cmd/fsa.TestBench/small, no argument matches; a * in
// an argument stands for any text. With -names FILE it writes the tests that were skipped, or
// of which a part was, each as its package and its name:
//
//	fsa/cmd/fsa TestBench
package main

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
)

func main() {
	strict := flag.Bool("strict", false, "fail if a test was skipped that no argument matches")
	names := flag.String("names", "", "write the tests that were skipped into this file")
	flag.Parse()
	skipped, ok := run(os.Stdout, os.Stdin, *strict, flag.Args())
	if *names != "" {
		if err := os.WriteFile(*names, []byte(strings.Join(skipped, "")), 0o644); err != nil {
			fmt.Fprintln(os.Stderr, "skips:", err)
			ok = false
		}
	}
	if !ok {
		os.Exit(1)
	}
}

// event is a line that go test -json writes.
type event struct {
	Action, Package, Test, Output string
}

// reason is the form of the sentences of package need.
var reason = regexp.MustCompile(`needs [^\n]+: [^\n]+`)

// run reports whether all tests passed, and returns a line for each test that was skipped.
func run(w io.Writer, r io.Reader, strict bool, allowed []string) (names []string, ok bool) {
	fits := matcher(allowed)
	said := map[string]string{}      // output of tests and packages that have not ended
	skipped := map[string][]string{} // names of tests, by reason
	again := map[string]bool{}       // lines for these tests
	refused := []string{}
	passed, failed := 0, false
	lines := bufio.NewReader(r)
	for {
		line, err := lines.ReadString('\n')
		if line != "" {
			var e event
			if json.Unmarshal([]byte(line), &e) != nil {
				fmt.Fprint(w, line) // of a program that go test started
				continue
			}
			name := e.Package
			if e.Test != "" {
				name += "." + e.Test
			}
			switch e.Action {
			case "output":
				said[name] += e.Output
			case "build-output":
				fmt.Fprint(w, e.Output)
			case "build-fail":
				failed = true
			case "fail":
				fmt.Fprint(w, said[name])
				failed = true
				delete(said, name)
			case "pass":
				if e.Test == "" {
					passed++
					fmt.Fprint(w, lastLine(said[name]))
				}
				delete(said, name)
			case "skip":
				if e.Test != "" {
					why := reason.FindString(said[name])
					if why == "" {
						why = "no reason is given by package need"
					}
					skipped[why] = append(skipped[why], name)
					test, _, _ := strings.Cut(e.Test, "/")
					again[e.Package+" "+test+"\n"] = true
					if strict && !fits(name) {
						refused = append(refused, name)
					}
				}
				delete(said, name)
			}
		}
		if err != nil {
			break
		}
	}
	for _, why := range slices.Sorted(maps.Keys(skipped)) {
		fmt.Fprintf(w, "skipped: %s\n    %s\n", why, strings.Join(skipped[why], "\n    "))
	}
	for _, name := range refused {
		fmt.Fprintf(w, "FAIL: %s must not be skipped here\n", name)
	}
	if passed == 0 {
		fmt.Fprintln(w, "FAIL: no package has passed")
		return nil, false
	}
	return slices.Sorted(maps.Keys(again)), !failed && len(refused) == 0
}

// lastLine returns the summary of go test for a package, such as ok and its seconds.
func lastLine(text string) string {
	text = strings.TrimSuffix(text, "\n")
	return text[strings.LastIndex(text, "\n")+1:] + "\n"
}

// matcher returns a function that reports whether a name matches one of the patterns.
func matcher(patterns []string) func(name string) bool {
	var all []string
	for _, p := range patterns {
		all = append(all, strings.ReplaceAll(regexp.QuoteMeta(p), `\*`, ".*"))
	}
	re := regexp.MustCompile("^(" + strings.Join(all, "|") + ")$")
	return re.MatchString
}
