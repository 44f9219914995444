package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// templates are files of deploy that become files of the release; whole says that they need the
// archives of all platforms.
var templates = []struct {
	from, to string
	whole    bool
}{
	{"deploy/Containerfile", "Containerfile", false},
	{"deploy/homebrew/fsa.rb", "fsa.rb", true},
	{"deploy/conda-forge/recipe.yaml", "recipe.yaml", true},
}

// recipes fills the recipes of package managers and of the image.
func (r *release) recipes() error {
	for _, t := range templates {
		if t.whole && !r.whole() {
			continue
		}
		text, err := os.ReadFile(filepath.Join(r.root, filepath.FromSlash(t.from)))
		if err != nil {
			return err
		}
		filled, err := r.fill(string(text))
		if err != nil {
			return fmt.Errorf("%s: %w", t.from, err)
		}
		if err := r.write(t.to, filled); err != nil {
			return err
		}
	}
	return nil
}

var blank = regexp.MustCompile(`@[A-Z][A-Za-z0-9_.:-]*@`)

// fill replaces @VERSION@, @PYTHON_VERSION@, @URL@ and @SHA256:NAME@, where NAME is a file
// of the release without its version, such as fsa-linux-amd64.tar.gz.
func (r *release) fill(text string) (string, error) {
	var wrong error
	text = blank.ReplaceAllStringFunc(text, func(b string) string {
		name := strings.Trim(b, "@")
		switch name {
		case "VERSION":
			return r.version
		case "PYTHON_VERSION":
			return pythonVersion(r.version)
		case "URL":
			return r.url
		}
		file, ok := strings.CutPrefix(name, "SHA256:")
		if !ok {
			wrong = fmt.Errorf("%s is not known", b)
			return b
		}
		version := r.version
		if strings.HasPrefix(file, "fsa_select-") {
			version = pythonVersion(version)
		}
		before, after, _ := strings.Cut(file, "-")
		if rest, found := strings.CutPrefix(file, "fsa_select-sdist"); found {
			file = "fsa_select-" + version + rest
		} else {
			file = before + "-" + version + "-" + after
		}
		sum, err := r.sum(file)
		if err != nil {
			wrong = err
		}
		return sum
	})
	return text, wrong
}
