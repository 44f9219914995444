package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"sort"
	"strconv"
)

func programName(p platform) string {
	if p.system == "windows" {
		return "fsa.exe"
	}
	return "fsa"
}

// cold are the packages that are compiled without inlining, which makes the program smaller: they wait for a user, a
// network or a disk, or draw.
var cold = []string{"fsa/cmd/...", "fsa/export", "fsa/internal/live", "fsa/internal/serve", "fsa/internal/runs", "fsa/internal/fit", "fsa/internal/collective/...", "fsa/internal/checkpoint", "fsa/internal/stages", "fsa/internal/grid/...", "fsa/data/describe", "fsa/report", "fsa/study/...", "fsa/app/...", "fsa", "fsa/internal/plan", "fsa/internal/stable", "fsa/internal/training", "fsa/internal/plots", "fsa/internal/record", "net", "net/http/...", "crypto/...", "math/big", "mime/...", "regexp/...", "text/template/...", "html/...", "encoding/json", "encoding/xml", "golang.org/x/image/...", "github.com/minio/...", "github.com/spf13/...", "github.com/tinylib/...", "codeberg.org/...", "gonum.org/v1/plot/..."}

// build links the program for a platform, without any trace of this machine.
func (r *release) build(ctx context.Context, p platform, to string, more ...string) error {
	args := append([]string{"build", "-trimpath", "-buildvcs=false", "-ldflags", "-s -w -X fsa/internal/version.stamp=" + r.stamp(), "-o", to}, more...)
	for _, packages := range cold {
		args = append(args, "-gcflags="+packages+"=-l")
	}
	return r.call(ctx, r.root, []string{"GOFLAGS=", "GOEXPERIMENT=", "CGO_ENABLED=0", "GOOS=" + p.system, "GOARCH=" + p.machine, "GOAMD64=v1", "GOARM64=v8.0"}, "go", append(args, "./cmd/fsa")...)
}

// call runs a program whose output goes to the log.
func (r *release) call(ctx context.Context, dir string, env []string, name string, args ...string) error {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = dir
	cmd.Env = append(append(os.Environ(), "SOURCE_DATE_EPOCH="+strconv.FormatInt(r.commit.date.Unix(), 10)), env...)
	cmd.Stdout, cmd.Stderr = r.log, r.log
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

// completions are the files that shells look for.
var completions = map[string]string{"bash": "fsa.bash", "zsh": "_fsa", "fish": "fsa.fish", "powershell": "fsa.ps1"}

// extras returns what every archive has besides the program: its documentation, as printed by the
// program, and documents.
func (r *release) extras(ctx context.Context) ([]entry, error) {
	host := platform{runtime.GOOS, runtime.GOARCH}
	program := filepath.Join(r.work, "host", programName(host))
	if err := r.build(ctx, host, program); err != nil {
		return nil, err
	}
	var list []entry
	for shell, name := range completions {
		text, err := exec.CommandContext(ctx, program, "completion", shell).Output()
		if err != nil {
			return nil, fmt.Errorf("fsa completion %s: %w", shell, err)
		}
		list = append(list, entry{"completions/" + name, 0o644, text})
	}
	pages := filepath.Join(r.work, "man")
	if err := r.call(ctx, r.root, nil, program, "man", "--all", pages); err != nil {
		return nil, err
	}
	names, err := filepath.Glob(filepath.Join(pages, "*.1"))
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		list = append(list, entry{"man/man1/" + filepath.Base(name), 0o644, text})
	}
	for _, name := range []string{"README.md", "CHANGELOG.md", "LICENSE"} {
		text, err := os.ReadFile(filepath.Join(r.root, name))
		if os.IsNotExist(err) { // which check allows
			continue
		} else if err != nil {
			return nil, err
		}
		list = append(list, entry{name, 0o644, text})
	}
	sort.Slice(list, func(i, j int) bool { return list[i].name < list[j].name })
	return list, nil
}

// folder is the name of what belongs to a platform.
func (r *release) folder(p platform) string {
	return fmt.Sprintf("fsa-%s-%s-%s", r.version, p.system, p.machine)
}

// archive packs the program for a platform with everything that belongs to it.
func (r *release) archive(p platform, program string, extras []entry) error {
	code, err := os.ReadFile(program)
	if err != nil {
		return err
	}
	folder := r.folder(p)
	list := []entry{{folder + "/" + programName(p), 0o755, code}}
	for _, e := range extras {
		e.name = folder + "/" + e.name
		list = append(list, e)
	}
	if p.system == "windows" {
		return r.pack(folder+".zip", list, writeZip)
	}
	return r.pack(folder+".tar.gz", list, writeTar)
}

// staticRoot builds the static program and packs the root folder of an image with it.
func (r *release) staticRoot(ctx context.Context, p platform) error {
	program := filepath.Join(r.work, p.system+"-"+p.machine+"-static", "fsa")
	if err := r.build(ctx, p, program, "-tags", "static"); err != nil {
		return err
	}
	return r.rootFolder(p, program)
}

// rootFolder packs the root folder of an image from scratch: the static program, a folder
// for temporary files, and a user.
func (r *release) rootFolder(p platform, program string) error {
	code, err := os.ReadFile(program)
	if err != nil {
		return err
	}
	return r.pack(r.folder(p)+"-rootfs.tar.gz", []entry{
		{"etc/passwd", 0o644, []byte("nobody:x:65534:65534:nobody:/work:/sbin/nologin\n")},
		{"tmp/", 0o777, nil},
		{"usr/bin/fsa", 0o755, code},
		{"work/", 0o777, nil},
	}, writeTar)
}
