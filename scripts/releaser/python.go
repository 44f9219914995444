package main

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
)

// environment returns the Python of an environment that has only the build tools, so that the
// wheels do not depend on what is installed.
func (r *release) environment(ctx context.Context) (string, error) {
	dir := filepath.Join(r.work, "python")
	python := filepath.Join(dir, "bin", "python")
	if runtime.GOOS == "windows" {
		python = filepath.Join(dir, "Scripts", "python.exe")
	}
	if _, err := os.Stat(python); err == nil {
		return python, nil
	}
	if err := r.call(ctx, r.root, nil, r.python, "-m", "venv", dir); err != nil {
		return "", err
	}
	return python, r.call(ctx, r.root, nil, python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "-r", filepath.Join("scripts", "python", "release.txt"))
}

// wheel packs the Python package with a program.
func (r *release) wheel(ctx context.Context, p platform, program string) error {
	return r.hatch(ctx, "wheel", "FSA_SELECT_PLATFORM="+p.String(), "FSA_SELECT_PROGRAM="+program)
}

// sdist packs the sources of the Python package and of the program.
func (r *release) sdist(ctx context.Context) error { return r.hatch(ctx, "sdist") }

func (r *release) hatch(ctx context.Context, target string, env ...string) error {
	python, err := r.environment(ctx)
	if err != nil {
		return err
	}
	env = append(env, "FSA_SELECT_STAMP="+r.stamp())
	return r.call(ctx, filepath.Join(r.root, "python"), env, python, "-m", "hatchling", "build", "-t", target, "-d", r.out)
}
