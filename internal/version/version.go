// Package version identifies this build of fsa: its release or revision, the date of the commit,
// the version of Go, and the platform.
package version

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// Info describes a build.
type Info struct {
	// Version is the release, such as 0.1.0. Without a release it is the first 12 digits of the
	// revision, with +dirty if files were changed since, or "devel" if nothing is known.
	Version  string `json:"version"`
	Revision string `json:"revision,omitempty"` // the commit, all digits
	Date     string `json:"date,omitempty"`     // of the commit, RFC 3339
	Dirty    bool   `json:"dirty"`              // files were changed after the commit
	Go       string `json:"go"`
	Platform string `json:"platform"` // such as linux/amd64
}

const (
	module  = "fsa"
	unknown = "devel"
	// shortRevision is the number of digits of a revision in a version, as in Go's own
	// pseudo-versions.
	shortRevision = 12
	// MaxLength is the number of bytes that the version in a file may have.
	MaxLength = 128
)

// stamp is set by scripts/release with -ldflags "-X fsa/internal/version.stamp=...": the release,
// the revision and the date of the commit, separated by commas.
var stamp string

var current = sync.OnceValue(func() Info {
	build, ok := debug.ReadBuildInfo()
	if !ok {
		build = nil
	}
	return from(build, stamp)
})

// Get describes the running build.
func Get() Info { return current() }

// String returns the version of the running build, as written in files.
func String() string { return current().Version }

// from describes a build by the linker's stamp and by what Go has recorded.
func from(build *debug.BuildInfo, stamp string) Info {
	i := Info{Version: unknown, Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH}
	if parts := strings.Split(stamp, ","); len(parts) == 3 && Valid(parts[0]) {
		i.Version, i.Revision, i.Date = parts[0], parts[1], parts[2]
		return i
	}
	if build == nil {
		return i
	}
	released := build.Main.Version
	if build.Main.Path == module {
		for _, s := range build.Settings {
			switch s.Key {
			case "vcs.revision":
				i.Revision = s.Value
			case "vcs.time":
				i.Date = s.Value
			case "vcs.modified":
				i.Dirty = s.Value == "true"
			}
		}
	} else { // a program that uses the packages
		released = ""
		for _, d := range build.Deps {
			if d.Path == module {
				released = d.Version
			}
		}
	}
	switch {
	case isRelease(released):
		i.Version = strings.TrimPrefix(released, "v")
	case i.Revision != "":
		i.Version = i.Revision[:min(len(i.Revision), shortRevision)]
		if i.Dirty {
			i.Version += "+dirty"
		}
	case Valid(released) && released != "(devel)":
		i.Version = released
	}
	return i
}

// isRelease distinguishes the tag of a release from pseudo-versions of other commits, which begin
// with v0.0.0- or end with the date and the revision.
func isRelease(v string) bool {
	if !strings.HasPrefix(v, "v") || strings.HasPrefix(v, "v0.0.0-") || strings.Contains(v, "+") {
		return false
	}
	parts := strings.Split(v, "-")
	last := parts[len(parts)-1]
	return len(parts) < 2 || len(last) != shortRevision || strings.Trim(last, "0123456789abcdef") != ""
}

// Valid reports whether a text may be a version in a file: a short line.
func Valid(s string) bool {
	return s != "" && len(s) <= MaxLength && utf8.ValidString(s) && !strings.ContainsFunc(s, func(r rune) bool { return !unicode.IsPrint(r) })
}

// String describes the build in one line.
func (i Info) String() string {
	about := []string{}
	if i.Revision != "" && !strings.HasPrefix(i.Version, i.Revision[:min(len(i.Revision), shortRevision)]) {
		about = append(about, i.Revision[:min(len(i.Revision), shortRevision)])
	}
	if i.Date != "" {
		about = append(about, i.Date)
	}
	return fmt.Sprintf("%s (%s)", i.Version, strings.Join(append(about, i.Go, i.Platform), ", "))
}
