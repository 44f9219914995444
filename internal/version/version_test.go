package version

import (
	"runtime"
	"runtime/debug"
	"strings"
	"testing"
)

const revision = "0123456789abcdef0123456789abcdef01234567"

func build(path, version string, settings ...string) *debug.BuildInfo {
	b := &debug.BuildInfo{Main: debug.Module{Path: path, Version: version}}
	for i := 0; i < len(settings); i += 2 {
		b.Settings = append(b.Settings, debug.BuildSetting{Key: settings[i], Value: settings[i+1]})
	}
	return b
}

func TestFrom(t *testing.T) {
	date := "2026-01-02T03:04:05Z"
	vcs := []string{"vcs.revision", revision, "vcs.time", date, "vcs.modified", "false"}
	dirty := []string{"vcs.revision", revision, "vcs.time", date, "vcs.modified", "true"}
	library := build("example.com/program", "v9.9.9", vcs...)
	library.Deps = []*debug.Module{{Path: "other", Version: "v1.0.0"}, {Path: "fsa", Version: "v0.2.0"}}
	for name, c := range map[string]struct {
		build    *debug.BuildInfo
		stamp    string
		want     string
		revision string
		dirty    bool
	}{
		"nothing is known":       {nil, "", "devel", "", false},
		"no version control":     {build("fsa", "(devel)"), "", "devel", "", false},
		"a commit":               {build("fsa", "v0.0.0-20260102030405-0123456789ab", vcs...), "", "0123456789ab", revision, false},
		"after a release":        {build("fsa", "v0.1.1-0.20260102030405-0123456789ab", vcs...), "", "0123456789ab", revision, false},
		"a commit, changed":      {build("fsa", "v0.0.0-20260102030405-0123456789ab+dirty", dirty...), "", "0123456789ab+dirty", revision, true},
		"a release, changed":     {build("fsa", "v0.1.0+dirty", dirty...), "", "0123456789ab+dirty", revision, true},
		"a release":              {build("fsa", "v0.1.0", vcs...), "", "0.1.0", revision, false},
		"a candidate":            {build("fsa", "v0.1.0-rc.1", vcs...), "", "0.1.0-rc.1", revision, false},
		"by the linker":          {build("fsa", "(devel)"), "0.3.0," + revision + "," + date, "0.3.0", revision, false},
		"a linker that is wrong": {build("fsa", "(devel)"), "0.3.0", "devel", "", false},
		"as a library":           {library, "", "0.2.0", "", false},
	} {
		got := from(c.build, c.stamp)
		if got.Version != c.want || got.Revision != c.revision || got.Dirty != c.dirty {
			t.Errorf("%s: %+v, want version %q, revision %q, dirty %v", name, got, c.want, c.revision, c.dirty)
		}
		if got.Go != runtime.Version() || got.Platform != runtime.GOOS+"/"+runtime.GOARCH {
			t.Errorf("%s: %+v does not say which Go and platform", name, got)
		}
		if !Valid(got.Version) {
			t.Errorf("%s: version %q may not stand in a file", name, got.Version)
		}
	}
}

func TestString(t *testing.T) {
	i := Info{Version: "0.1.0", Revision: revision, Date: "2026-01-02T03:04:05Z", Go: "go1.26", Platform: "linux/amd64"}
	if got, want := i.String(), "0.1.0 (0123456789ab, 2026-01-02T03:04:05Z, go1.26, linux/amd64)"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	i.Version = "0123456789ab+dirty"
	if got, want := i.String(), "0123456789ab+dirty (2026-01-02T03:04:05Z, go1.26, linux/amd64)"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

func TestValid(t *testing.T) {
	for s, want := range map[string]bool{
		"devel": true, "0.1.0": true, "0123456789ab+dirty": true, strings.Repeat("x", MaxLength): true,
		"": false, strings.Repeat("x", MaxLength+1): false, "a\nb": false, "\x1b[2J": false, "\xff": false,
	} {
		if Valid(s) != want {
			t.Errorf("Valid(%q) is %v", s, !want)
		}
	}
}
