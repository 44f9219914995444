package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"fsa/internal/need"
)

// gridApart starts two processes in different folders, and perhaps of different programs.
func gridApart(t *testing.T, launcher string, folders, programs [2]string, args ...string) (int, string) {
	t.Helper()
	need.Long(t)
	need.Program(t, installMPI, launcher)
	var all []string
	if strings.Contains(launcher, "openmpi") {
		all = []string{"--oversubscribe"}
	}
	for i, folder := range folders {
		if i > 0 {
			all = append(all, ":")
		}
		all = append(append(all, "-n", "1", "-wdir", folder, programs[i]), args...)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, launcher, all...)
	cmd.Env = append(os.Environ(), "OMPI_ALLOW_RUN_AS_ROOT=1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1", "GOMAXPROCS=1")
	out, _ := cmd.CombinedOutput()
	return cmd.ProcessState.ExitCode(), string(out)
}

// Processes that read different tables under one name, as on the disks of two machines, are refused
// before training, and so are different programs.
func TestGridDifferentTables(t *testing.T) {
	generate := func(name string, more ...string) string {
		dir := t.TempDir()
		args := append([]string{"generate", "ar1", "--n", "400", "--m", "30", "--k", "3", "--out", filepath.Join(dir, name)}, more...)
		must(t, args...)
		return dir
	}
	edited := func(old, new string) string {
		dir := generate("x.csv")
		path := filepath.Join(dir, "x.csv")
		text := string(read(t, path))
		if !strings.Contains(text, old) {
			t.Fatalf("%q is not in the table", old)
		}
		write(t, path, []byte(strings.Replace(text, old, new, 1)))
		return dir
	}
	text, array := generate("x.csv"), generate("x.npy")
	line := strings.SplitN(string(read(t, filepath.Join(text, "x.csv"))), "\n", 3)[1]
	cell := strings.Split(line, ",")[7]
	program := os.Args[0]
	other := filepath.Join(t.TempDir(), "other")
	write(t, other, append(read(t, program), 0)) // its checksum makes it another program
	if err := os.Chmod(other, 0o755); err != nil {
		t.Fatal(err)
	}
	for i, c := range []struct {
		what, file string
		folders    [2]string
		programs   [2]string
		code       int
		says       string
	}{
		{"the same", "x.csv", [2]string{text, text}, [2]string{program, program}, exitDone, ""},
		{"another table of that shape", "x.csv", [2]string{text, generate("x.csv", "--seed", "7")}, [2]string{program, program}, exitBadData, "the target"},
		{"fewer rows", "x.csv", [2]string{text, generate("x.csv", "--n", "380")}, [2]string{program, program}, exitBadData, "the number of rows is 400 there, and 380 here"},
		{"fewer columns", "x.csv", [2]string{text, generate("x.csv", "--m", "28")}, [2]string{program, program}, exitBadData, "the number of columns is 30 there, and 28 here"},
		{"another name", "x.csv", [2]string{text, edited("x5", "z5")}, [2]string{program, program}, exitBadData, "the names of the columns"},
		{"another cell", "x.csv", [2]string{text, edited(cell, "0.5")}, [2]string{program, program}, exitBadData, "of x.csv"},
		{"another array", "x.npy", [2]string{array, generate("x.npy", "--n", "401")}, [2]string{program, program}, exitBadData, "the number of rows"},
		{"another program", "x.csv", [2]string{text, text}, [2]string{program, other}, exitUsage, "program of rank 1"},
	} {
		l := launchers[i%len(launchers)]
		t.Run(fmt.Sprint(c.what, " ", l), func(t *testing.T) {
			for _, shape := range []string{"2x1", "1x2"} {
				code, said := gridApart(t, l, c.folders, c.programs, "fit", c.file, "-k", "3", "--quick", "--epochs", "20", "--grid", shape)
				if code != c.code || !strings.Contains(said, c.says) || c.code == exitBadData && !(strings.Contains(said, "rank 0 of 2") && strings.Contains(said, "rank 1 of 2")) {
					t.Errorf("%s: exit code %d, want %d and %q: %s", shape, code, c.code, c.says, said)
				}
			}
		})
	}
}
