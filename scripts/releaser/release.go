package main

import (
	"io"
	"os"
	"path/filepath"
	"time"
)

// release is the release to be made.
type release struct {
	version    string
	out        string // folder of the files
	root       string // of the repository
	unlicensed bool
	platforms  []platform
	url        string // address from which the files will be downloaded
	python     string

	commit commit
	work   string // folder of temporary files
	log    io.Writer
}

// commit is the commit of a release.
type commit struct {
	revision string
	date     time.Time
}

// platform is a pair of GOOS and GOARCH.
type platform struct{ system, machine string }

func (p platform) String() string { return p.system + "/" + p.machine }

var platforms = []platform{{"linux", "amd64"}, {"linux", "arm64"}, {"darwin", "amd64"}, {"darwin", "arm64"}, {"windows", "amd64"}, {"windows", "arm64"}}

// whole reports whether all platforms are built, as the formula and the recipe require.
func (r *release) whole() bool { return len(r.platforms) == len(platforms) }

func (r *release) write(name, text string) error {
	return os.WriteFile(filepath.Join(r.out, name), []byte(text), 0o644)
}
