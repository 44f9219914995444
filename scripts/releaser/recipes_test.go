package main

import (
	"archive/tar"
	"compress/gzip"
	"encoding/json"
	"io"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

// deployed makes a release whose programs are texts, with the recipes of deploy.
func deployed(t *testing.T) *release {
	t.Helper()
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	r := &release{version: "0.2.0-rc.1", root: root, out: t.TempDir(), url: "https://example.org/f", platforms: platforms, commit: commit{date: date}}
	extras := []entry{{"man/man1/fsa-fit.1", 0o644, nil}}
	for _, name := range completions {
		extras = append(extras, entry{"completions/" + name, 0o644, nil})
	}
	program := filepath.Join(t.TempDir(), "fsa")
	for _, p := range platforms {
		if err := os.WriteFile(program, []byte(p.String()), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := r.archive(p, program, extras); err != nil {
			t.Fatal(err)
		}
		if p.system == "linux" {
			if err := r.rootFolder(p, program); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := r.write("fsa_select-0.2.0rc1.tar.gz", "the source"); err != nil {
		t.Fatal(err)
	}
	if err := r.recipes(); err != nil {
		t.Fatal(err)
	}
	return r
}

// text returns a file of the release.
func (r *release) text(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(r.out, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// unpacked returns the files of a tar archive, without their common folder; the names of folders
// end in a slash.
func (r *release) unpacked(t *testing.T, name, folder string) map[string]string {
	t.Helper()
	z, err := gzip.NewReader(strings.NewReader(r.text(t, name)))
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{}
	for archive := tar.NewReader(z); ; {
		h, err := archive.Next()
		if err == io.EOF {
			return files
		}
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(archive)
		if err != nil {
			t.Fatal(err)
		}
		files[strings.TrimPrefix(h.Name, folder)] = string(text)
	}
}

// downloaded fails unless an address is that of a file of the release with this sum.
func (r *release) downloaded(t *testing.T, address, sum string) {
	t.Helper()
	name, ok := strings.CutPrefix(address, r.url+"/")
	if want, err := r.sum(name); !ok || err != nil || sum != want {
		t.Errorf("%s has the sum %s: %v", address, sum, err)
	}
}

// The templates of deploy can be filled completely.
func TestRecipes(t *testing.T) {
	r := deployed(t)
	for _, to := range templates {
		if left := blank.FindString(r.text(t, to.to)); left != "" {
			t.Errorf("%s has %s", to.to, left)
		}
	}
	if _, err := r.fill("@SHA256:fsa-plan9.tar.gz@"); err == nil {
		t.Error("the sum of a file that does not exist is filled in")
	}
	if _, err := r.fill("@NOTHING@"); err == nil {
		t.Error("what is not known is filled in")
	}
	files, err := os.ReadDir(r.out)
	if err != nil {
		t.Fatal(err)
	}
	if err := r.sums(); err != nil {
		t.Fatal(err)
	}
	if sums := r.text(t, "SHA256SUMS"); strings.Count(sums, "\n") != len(files) {
		t.Errorf("%d files: %s", len(files), sums)
	}
}

// The image adds a root folder that the release has, for both machines, and starts a program of it
// as a user of it in a folder of it.
func TestContainerfile(t *testing.T) {
	r := deployed(t)
	said := map[string]string{}
	for line := range strings.Lines(r.text(t, "Containerfile")) {
		if line = strings.TrimSpace(line); line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		instruction, rest, _ := strings.Cut(line, " ")
		if said[instruction] != "" || rest == "" {
			t.Errorf("%s: it is there twice, or says nothing", line)
		}
		said[instruction] = rest
	}
	if got, want := slices.Sorted(maps.Keys(said)), []string{"ADD", "ARG", "ENTRYPOINT", "FROM", "USER", "WORKDIR"}; !slices.Equal(got, want) || said["FROM"] != "scratch" {
		t.Fatalf("instructions %v", said)
	}
	variable, machine, _ := strings.Cut(said["ARG"], "=")
	from, to, _ := strings.Cut(said["ADD"], " ")
	if to != "/" || machine != "amd64" {
		t.Errorf("ADD %s, ARG %s", said["ADD"], said["ARG"])
	}
	var command []string
	if err := json.Unmarshal([]byte(said["ENTRYPOINT"]), &command); err != nil || len(command) != 1 {
		t.Fatalf("ENTRYPOINT %s: %v", said["ENTRYPOINT"], err)
	}
	for _, machine := range []string{"amd64", "arm64"} {
		files := r.unpacked(t, strings.ReplaceAll(from, "${"+variable+"}", machine), "")
		if got := files[strings.TrimPrefix(command[0], "/")]; got != "linux/"+machine {
			t.Errorf("%s: %v is the program of %q", machine, command, got)
		}
		if _, ok := files[strings.TrimPrefix(said["WORKDIR"], "/")+"/"]; !ok {
			t.Errorf("%s: there is no folder %s", machine, said["WORKDIR"])
		}
		if !strings.Contains(files["etc/passwd"], ":x:"+said["USER"]+":") {
			t.Errorf("%s: there is no user %s", machine, said["USER"])
		}
	}
}

// The formula has a block for each system and machine that Homebrew runs on, with the archive of
// that platform and its sum, and installs files that are in it.
func TestFormula(t *testing.T) {
	r := deployed(t)
	words := map[string]string{"on_macos": "darwin", "on_linux": "linux", "on_arm": "arm64", "on_intel": "amd64"}
	opens := regexp.MustCompile(`^(class|def|test|on_[a-z]+)\b`)
	setting := regexp.MustCompile(`^(url|sha256|version) "([^"]*)"$`)
	installs := regexp.MustCompile(`^([a-z0-9_]+)\.install (Dir\[)?"([^"]*)"`)
	var open []string // blocks around the line
	var address string
	found, installed := map[string]bool{}, map[string]bool{}
	for line := range strings.Lines(r.text(t, "fsa.rb")) {
		line = strings.TrimSpace(line)
		if m := opens.FindString(line); m != "" {
			open = append(open, m)
		} else if line == "end" {
			if len(open) == 0 {
				t.Fatal("there is an end without a begin")
			}
			open = open[:len(open)-1]
		} else if m := setting.FindStringSubmatch(line); m != nil {
			switch m[1] {
			case "version":
				if m[2] != r.version {
					t.Errorf("version %s", m[2])
				}
			case "url":
				address = m[2]
			case "sha256":
				r.downloaded(t, address, m[2])
				p := platform{words[open[1]], words[open[2]]}
				if address != r.url+"/"+r.folder(p)+".tar.gz" {
					t.Errorf("%v gets %s", open, address)
				}
				found[p.String()] = true
			}
		} else if m := installs.FindStringSubmatch(line); m != nil {
			installed[m[3]] = true
		}
	}
	if len(open) > 0 {
		t.Errorf("%v have no end", open)
	}
	if got, want := slices.Sorted(maps.Keys(found)), []string{"darwin/amd64", "darwin/arm64", "linux/amd64", "linux/arm64"}; !slices.Equal(got, want) {
		t.Errorf("platforms %v", got)
	}
	if len(installed) != 5 { // the program, manual pages, and completions of three shells
		t.Errorf("it installs %v", installed)
	}
	for p := range found {
		folder := "fsa-" + r.version + "-" + strings.ReplaceAll(p, "/", "-")
		files := r.unpacked(t, folder+".tar.gz", folder+"/")
		for pattern := range installed {
			if !slices.ContainsFunc(slices.Collect(maps.Keys(files)), func(name string) bool { ok, err := path.Match(pattern, name); return ok && err == nil }) {
				t.Errorf("%s has no %s", p, pattern)
			}
		}
	}
}

// The recipe takes the source that the release has, and needs what the Python package says.
func TestCondaRecipe(t *testing.T) {
	r := deployed(t)
	var recipe struct {
		SchemaVersion int `yaml:"schema_version"`
		Package       struct{ Name, Version string }
		Source        struct{ URL, SHA256 string }
		Build         struct {
			Number int
			Script string
		}
		Requirements struct{ Build, Host, Run []string }
		Tests        []struct {
			Python struct{ Imports []string }
			Script []string
		}
		About struct{ Summary, License string }
	}
	d := yaml.NewDecoder(strings.NewReader(r.text(t, "recipe.yaml")))
	d.KnownFields(true)
	if err := d.Decode(&recipe); err != nil {
		t.Fatal(err)
	}
	if recipe.SchemaVersion != 1 || recipe.Package.Name != "fsa-select" || recipe.Package.Version != "0.2.0rc1" || recipe.About.Summary == "" {
		t.Errorf("%+v", recipe)
	}
	r.downloaded(t, recipe.Source.URL, recipe.Source.SHA256)
	if !strings.HasPrefix(recipe.Build.Script, "${{ PYTHON }} -m pip install .") || !slices.Equal(recipe.Requirements.Build, []string{`${{ compiler("go-nocgo") }}`}) {
		t.Errorf("it is built by %s with %v", recipe.Build.Script, recipe.Requirements.Build)
	}
	if len(recipe.Tests) != 2 || !slices.Equal(recipe.Tests[0].Python.Imports, []string{"fsa_select"}) || len(recipe.Tests[1].Script) == 0 {
		t.Errorf("tests %+v", recipe.Tests)
	}

	project, err := os.ReadFile(filepath.Join(r.root, "python", "pyproject.toml"))
	if err != nil {
		t.Fatal(err)
	}
	quoted := func(key string) (list []string) {
		line := regexp.MustCompile(`(?m)^` + key + ` = (.*)$`).FindString(string(project))
		for _, m := range regexp.MustCompile(`"([^"]*)"`).FindAllStringSubmatch(line, -1) {
			list = append(list, m[1])
		}
		return list
	}
	spaced := regexp.MustCompile(` *([<>=!~].*)`)
	needs := func(list []string) (packages []string) {
		for _, p := range list {
			packages = append(packages, spaced.ReplaceAllString(p, " $1"))
		}
		slices.Sort(packages)
		return packages
	}
	python := "python " + quoted("requires-python")[0]
	if got, want := needs(recipe.Requirements.Run), needs(append(quoted("dependencies"), python)); !slices.Equal(got, want) {
		t.Errorf("it needs %v, and pyproject.toml %v", got, want)
	}
	if got, want := needs(recipe.Requirements.Host), needs(append(quoted("requires"), python, "pip")); !slices.Equal(got, want) {
		t.Errorf("it is built with %v, and by pyproject.toml with %v", got, want)
	}
}
