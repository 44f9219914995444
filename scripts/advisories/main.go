// The program advisories asks the database of open source vulnerabilities (https://osv.dev) whether packages of Python and
// R that this repository installs have known flaws. scripts/vulns.sh calls it:
//
//	go run ./scripts/advisories requirements.txt… DESCRIPTION…
//
// Of Python it reads pinned versions. R pins none, so a flaw counts if no version has mended it. It ends with exit code 1 if
// there is a flaw, and also if the database cannot be asked.
package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"
)

// query is what the database is asked about a package.
type query struct {
	Version string `json:"version,omitempty"`
	Package struct {
		Name      string `json:"name"`
		Ecosystem string `json:"ecosystem"`
	} `json:"package"`
}

// answer lists the known flaws of a package.
type answer struct {
	Vulns []struct {
		ID, Summary string
		Affected    []struct {
			Ranges []struct {
				Events []struct{ Fixed string }
			}
		}
	}
}

func main() {
	ctx, stop := context.WithTimeout(context.Background(), 10*time.Minute)
	defer stop()
	found, asked := 0, 0
	for _, path := range os.Args[1:] {
		text, err := os.ReadFile(path)
		if err != nil {
			fail(err)
		}
		for _, q := range queries(filepath.Base(path), string(text)) {
			flaws, err := ask(ctx, cmp.Or(os.Getenv("OSV_URL"), "https://api.osv.dev"), q)
			if err != nil {
				fail(err)
			}
			for _, flaw := range flaws {
				fmt.Printf("%s %s: %s\n", q.Package.Name, q.Version, flaw)
			}
			found, asked = found+len(flaws), asked+1
		}
	}
	fmt.Printf("%d packages of Python and R, %d known flaws\n", asked, found)
	if found > 0 {
		os.Exit(1)
	}
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, "advisories:", err)
	os.Exit(1)
}

var (
	pinned = regexp.MustCompile(`(?m)^([A-Za-z0-9._-]+)(?:\[[^\]]*\])?==([^\s;#]+)`)
	fields = regexp.MustCompile(`(?m)^(?:Imports|Suggests|LinkingTo):((?:.*\n(?:[ \t]+.*\n)*))`)
	named  = regexp.MustCompile(`[A-Za-z][A-Za-z0-9.]*`)
)

// queries returns what to ask about the packages of a file.
func queries(name, text string) (list []query) {
	add := func(ecosystem, name, version string) {
		q := query{Version: version}
		q.Package.Name, q.Package.Ecosystem = name, ecosystem
		list = append(list, q)
	}
	if name != "DESCRIPTION" {
		for _, m := range pinned.FindAllStringSubmatch(text, -1) {
			add("PyPI", m[1], m[2])
		}
		return list
	}
	for _, m := range fields.FindAllStringSubmatch(text+"\n", -1) {
		for item := range strings.SplitSeq(m[1], ",") {
			if name := named.FindString(item); name != "" {
				add("CRAN", name, "")
			}
		}
	}
	return list
}

// ask returns the known flaws of a package.
func ask(ctx context.Context, url string, q query) (flaws []string, err error) {
	body, err := json.Marshal(q)
	if err != nil {
		return nil, err
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, url+"/v1/query", bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	got, err := http.DefaultClient.Do(r)
	if err != nil {
		return nil, err
	}
	defer got.Body.Close()
	if got.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("%s about %s: %s", url, q.Package.Name, got.Status)
	}
	var a answer
	if err := json.NewDecoder(got.Body).Decode(&a); err != nil {
		return nil, err
	}
	for _, v := range a.Vulns {
		mended := false
		for _, affected := range v.Affected {
			for _, r := range affected.Ranges {
				mended = mended || slices.ContainsFunc(r.Events, func(e struct{ Fixed string }) bool { return e.Fixed != "" })
			}
		}
		if q.Version != "" || !mended {
			flaws = append(flaws, strings.TrimSpace(v.ID+" "+v.Summary))
		}
	}
	return flaws, nil
}
