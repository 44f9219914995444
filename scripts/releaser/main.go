// Command releaser makes a release of fsa: archives for all platforms, the wheels and the source
// distribution of the Python package, an SBOM, recipes of package managers, notes and checksums.
// The same commit and the same tools give the same bytes. scripts/release calls it.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stdout, os.Stderr); err != nil {
		fmt.Fprintf(os.Stderr, "scripts/release: %v\n", err)
		os.Exit(1)
	}
}

// versions matches a version: numbers, and optionally a candidate.
var versions = regexp.MustCompile(`^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(-rc\.[1-9]\d*)?$`)

func run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	r := &release{log: stderr}
	var only string
	f := flag.NewFlagSet("scripts/release VERSION", flag.ContinueOnError)
	f.SetOutput(stderr)
	f.StringVar(&r.out, "out", "", "`folder` of the files (default dist/VERSION)")
	f.BoolVar(&r.unlicensed, "unlicensed", false, "make the release although there is no LICENSE file")
	f.StringVar(&only, "only", "", "build for these `platforms` only, such as linux/amd64,darwin/arm64; without formula and recipe")
	f.StringVar(&r.url, "url", "https://example.org/fsa/VERSION", "`address` of the folder that the files will be downloaded from, for the formula and the recipe")
	f.StringVar(&r.python, "python", "python3", "`Python` that builds the wheels")
	// The version may come before the flags.
	if len(args) > 0 && !strings.HasPrefix(args[0], "-") {
		r.version, args = args[0], args[1:]
	}
	if err := f.Parse(args); err != nil {
		return err
	}
	if rest := f.Args(); len(rest) == 1 && r.version == "" {
		r.version = rest[0]
	} else if len(rest) > 0 || r.version == "" {
		return errors.New("write scripts/release VERSION [--out DIR] [--unlicensed] [--only SYSTEM/MACHINE,…] [--url BASE]")
	}
	if !versions.MatchString(r.version) {
		return fmt.Errorf("version %q: it must be like 1.2.3 or 1.2.3-rc.1", r.version)
	}
	if err := r.choose(only); err != nil {
		return err
	}
	r.url = strings.ReplaceAll(r.url, "VERSION", r.version)
	notes, err := r.check(ctx)
	if err != nil {
		return err
	}
	if r.work, err = os.MkdirTemp("", "fsa-release-"); err != nil {
		return err
	}
	defer os.RemoveAll(r.work)
	if err := r.cut(ctx, notes); err != nil {
		return err
	}
	fmt.Fprintf(stdout, "%s\n", r.out)
	return nil
}

// choose reads a list of platforms; empty means all.
func (r *release) choose(only string) error {
	r.platforms = platforms
	if only == "" {
		return nil
	}
	r.platforms = nil
	for name := range strings.SplitSeq(only, ",") {
		i := slices.IndexFunc(platforms, func(p platform) bool { return p.String() == name })
		if i < 0 {
			return fmt.Errorf("platform %q: it must be one of %v", name, platforms)
		}
		r.platforms = append(r.platforms, platforms[i])
	}
	return nil
}

// check returns an error for a release that is not allowed. Otherwise it returns the notes.
func (r *release) check(ctx context.Context) (notes string, err error) {
	if r.root, err = git(ctx, ".", "rev-parse", "--show-toplevel"); err != nil {
		return "", err
	}
	if _, err := os.Stat(filepath.Join(r.root, "LICENSE")); err != nil && !r.unlicensed {
		return "", errors.New("there is no LICENSE file: nobody may use a release without one; --unlicensed makes one for yourself")
	}
	if r.commit, err = readCommit(ctx, r.root); err != nil {
		return "", err
	}
	if err := r.tagged(ctx); err != nil {
		return "", err
	}
	if notes, err = r.notes(); err != nil {
		return "", err
	}
	if err := r.samePython(); err != nil {
		return "", err
	}
	if r.out == "" {
		r.out = filepath.Join(r.root, "dist", r.version)
	}
	if r.out, err = filepath.Abs(r.out); err != nil {
		return "", err
	}
	if list, err := os.ReadDir(r.out); err == nil && len(list) > 0 {
		return "", fmt.Errorf("%s is not empty: remove it, or give another folder with --out", r.out)
	}
	return notes, os.MkdirAll(r.out, 0o755)
}

// cut makes all files.
func (r *release) cut(ctx context.Context, notes string) error {
	extras, err := r.extras(ctx)
	if err != nil {
		return err
	}
	var programs []string
	for _, p := range r.platforms {
		fmt.Fprintf(r.log, "== %v\n", p)
		program := filepath.Join(r.work, p.system+"-"+p.machine, programName(p))
		if err := r.build(ctx, p, program); err != nil {
			return err
		}
		programs = append(programs, program)
		if err := r.archive(p, program, extras); err != nil {
			return err
		}
		if err := r.wheel(ctx, p, program); err != nil {
			return err
		}
		if p.system == "linux" {
			if err := r.staticRoot(ctx, p); err != nil {
				return err
			}
		}
	}
	if err := r.sdist(ctx); err != nil {
		return err
	}
	if err := r.bill(programs); err != nil {
		return err
	}
	if err := r.write("NOTES.md", notes); err != nil {
		return err
	}
	if err := r.recipes(); err != nil {
		return err
	}
	return r.sums()
}
