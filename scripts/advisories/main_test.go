package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// The packages of this repository are found with their versions.
func TestQueries(t *testing.T) {
	for path, want := range map[string][]string{
		"../python/requirements.txt": {"PyPI numpy", "PyPI dask", "PyPI ray"},
		"../python/release.txt":      {"PyPI hatchling"},
		"../../R/fsa/DESCRIPTION":    {"CRAN Matrix", "CRAN testthat", "CRAN rmarkdown"},
	} {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, q := range queries(filepath.Base(path), string(text)) {
			got = append(got, q.Package.Ecosystem+" "+q.Package.Name)
			if (q.Version == "") != (q.Package.Ecosystem == "CRAN") {
				t.Errorf("%s: version %q of %s", path, q.Version, q.Package.Name)
			}
		}
		for _, name := range want {
			if !slices.Contains(got, name) {
				t.Errorf("%s: no %s in %q", path, name, got)
			}
		}
		if slices.Contains(got, "CRAN VignetteBuilder") || slices.Contains(got, "CRAN knitr.rmarkdown") {
			t.Errorf("%s: %q", path, got)
		}
	}
}

// A flaw of a pinned version counts, and one of a package without a version if nothing has mended it.
func TestAsk(t *testing.T) {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var q query
		if err := json.NewDecoder(r.Body).Decode(&q); err != nil || r.URL.Path != "/v1/query" {
			http.Error(w, "what?", http.StatusBadRequest)
			return
		}
		switch q.Package.Name {
		case "sound":
			fmt.Fprint(w, `{}`)
		case "down":
			http.Error(w, "later", http.StatusServiceUnavailable)
		default:
			fmt.Fprint(w, `{"vulns":[{"id":"A-1","summary":"reads too far","affected":[{"ranges":[{"events":[{"introduced":"0"},{"fixed":"2"}]}]}]},{"id":"A-2"}]}`)
		}
	}))
	defer s.Close()
	for _, c := range []struct {
		name, version string
		want          []string
	}{{"sound", "1", nil}, {"flawed", "1", []string{"A-1 reads too far", "A-2"}}, {"flawed", "", []string{"A-2"}}} {
		q := query{Version: c.version}
		q.Package.Name = c.name
		if got, err := ask(t.Context(), s.URL, q); err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%s %s: %q, %v", c.name, c.version, got, err)
		}
	}
	q := query{}
	q.Package.Name = "down"
	if _, err := ask(t.Context(), s.URL, q); err == nil {
		t.Error("a database that is down has no flaws")
	}
}
