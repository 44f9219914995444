// Package need skips the tests that this machine cannot run. A test that depends on something
// outside Go and this repository asks for it here and nowhere else: a program, an environment
// variable, a data set, a device, a property of the system, or time.
//
// Every skip has the same sentence, which scripts read from the output of go test:
//
//	needs KIND NAME: HOW TO GET IT
//
// .ci/bare lists these sentences on a machine that has Go and git only. .ci/run fails if a test is
// skipped although everything is installed.
package need

import (
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// skip ends the test with the sentence that scripts read.
func skip(t testing.TB, kind, name, how string) {
	t.Helper()
	t.Skipf("needs %s: %s", strings.TrimSpace(kind+" "+name), how)
}

// Long skips a test that takes seconds if -short is given.
func Long(t testing.TB) {
	t.Helper()
	if testing.Short() {
		skip(t, "time", "", "run the tests without -short")
	}
}

// LongCase skips a case of a table of tests if -short is given, unless its name is one of quick,
// the few cases that reach most of the code.
func LongCase(t testing.TB, name string, quick ...string) {
	t.Helper()
	if !slices.Contains(quick, name) {
		Long(t)
	}
}

// Sweep returns how many random tables of one kind a test tries, or how large they are: usual, or
// all if FSA_SWEEP is set, as it is every night.
func Sweep[T int | uint64](usual, all T) T {
	if os.Getenv("FSA_SWEEP") != "" {
		return all
	}
	return usual
}

// Seed returns the seed of random tables and prints it: always the same one, so that a change is
// judged by what it changes, or a new one if FSA_SWEEP is set.
func Seed(t testing.TB) uint64 {
	t.Helper()
	seed := Sweep(1, rand.Uint64())
	t.Logf("seed %d", seed)
	return seed
}

// Program returns the path of the first of the named programs that is installed, or skips the test.
// How is the command that installs it.
func Program(t testing.TB, how string, names ...string) string {
	t.Helper()
	for _, name := range names {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	skip(t, "program", names[0], how)
	return ""
}

// Variable returns the value of an environment variable, or skips the test if it is not
// set. How says what to set it to.
func Variable(t testing.TB, name, how string) string {
	t.Helper()
	value := os.Getenv(name)
	if value == "" {
		skip(t, "variable", name, how)
	}
	return value
}

// root is the folder of go.mod; it is found before a test changes the working directory.
var root = findRoot()

func findRoot() string {
	dir, err := os.Getwd()
	for err == nil {
		if _, e := os.Stat(filepath.Join(dir, "go.mod")); e == nil {
			return dir
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			break
		}
		dir = parent
	}
	return "."
}

// Data returns the absolute path of a file or folder of the real data beside the repository, or
// skips the test if it is missing.
func Data(t testing.TB, name string) string {
	t.Helper()
	path := filepath.Join(root, "..", "shared", "data", filepath.FromSlash(name))
	if _, err := os.Stat(path); err != nil {
		skip(t, "data", name, "put it into ../shared/data")
	}
	return path
}

// Device skips the test if opening a GPU failed with err.
func Device(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		skip(t, "device", "", err.Error())
	}
}

// System skips the test if this system, file system or user does not have what the test is
// about. The kinds of systems are those of runtime.GOOS and runtime.GOARCH.
func System(t testing.TB, has bool, what string) {
	t.Helper()
	if !has {
		skip(t, "system", "", what)
	}
}
