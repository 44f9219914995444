package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"time"
)

// git returns the output of a git command.
func git(ctx context.Context, dir string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, "git", args...)
	cmd.Dir = dir
	var complaint bytes.Buffer
	cmd.Stderr = &complaint
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("git %s: %w\n%s", strings.Join(args, " "), err, complaint.String())
	}
	return strings.TrimSpace(string(out)), nil
}

// readCommit returns the checked-out commit, unless files were changed since.
func readCommit(ctx context.Context, root string) (c commit, err error) {
	changed, err := git(ctx, root, "status", "--porcelain")
	if err != nil {
		return c, err
	}
	if changed != "" {
		return c, fmt.Errorf("files differ from the commit: commit them first\n%s", changed)
	}
	said, err := git(ctx, root, "log", "-1", "--format=%H %ct")
	if err != nil {
		return c, err
	}
	var seconds int64
	if _, err := fmt.Sscanf(said, "%s %d", &c.revision, &seconds); err != nil {
		return c, fmt.Errorf("git log says %q: %w", said, err)
	}
	c.date = time.Unix(seconds, 0).UTC()
	return c, nil
}

// tagged returns an error if the tag of a version is at another commit.
func (r *release) tagged(ctx context.Context) error {
	tag := "refs/tags/v" + r.version
	at, err := git(ctx, r.root, "rev-parse", "--verify", "--quiet", tag+"^{commit}")
	if err != nil || at == r.commit.revision { // there is none yet
		return nil
	}
	return fmt.Errorf("the tag v%s is at %s, and %s is checked out", r.version, at, r.commit.revision)
}

// stamp is what internal/version reads.
func (r *release) stamp() string {
	return r.version + "," + r.commit.revision + "," + r.commit.date.Format(time.RFC3339)
}

// notes returns the section of the version in CHANGELOG.md.
func (r *release) notes() (string, error) {
	file, err := os.ReadFile(filepath.Join(r.root, "CHANGELOG.md"))
	if err != nil {
		return "", err
	}
	return section(string(file), r.version)
}

// section returns the text below the heading of a version, up to the next one.
func section(changelog, version string) (string, error) {
	var found []string
	inside := false
	for line := range strings.Lines(changelog) {
		if strings.HasPrefix(line, "## ") {
			name, _, _ := strings.Cut(strings.TrimSpace(line[3:]), " ")
			inside = strings.Trim(name, "[]") == version
			continue
		}
		if inside {
			found = append(found, line)
		}
	}
	text := strings.TrimSpace(strings.Join(found, ""))
	if text == "" {
		return "", fmt.Errorf("CHANGELOG.md has no section on version %s: it needs a heading ## %s", version, version)
	}
	return text + "\n", nil
}

// pythonVersion is how Python writes a version.
func pythonVersion(v string) string { return strings.Replace(v, "-rc.", "rc", 1) }

// samePython returns an error if the Python package has another version.
func (r *release) samePython() error {
	for name, pattern := range map[string]*regexp.Regexp{
		"python/pyproject.toml":             regexp.MustCompile(`(?m)^version = "([^"]*)"`),
		"python/src/fsa_select/__init__.py": regexp.MustCompile(`(?m)^__version__ = "([^"]*)"`),
	} {
		file, err := os.ReadFile(filepath.Join(r.root, filepath.FromSlash(name)))
		if err != nil {
			return err
		}
		found := pattern.FindSubmatch(file)
		if found == nil {
			return errors.New(name + " does not have a version")
		}
		if got, want := string(found[1]), pythonVersion(r.version); got != want {
			return fmt.Errorf("%s says version %s: make it %s", name, got, want)
		}
	}
	return nil
}
