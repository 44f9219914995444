//go:build linux

package main

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/klauspost/compress/gzip"

	"fsa/internal/need"
)

// zipped writes a gzip file.
func zipped(t *testing.T, path string, write func(w io.Writer) error) string {
	t.Helper()
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	z, err := gzip.NewWriterLevel(f, gzip.BestSpeed)
	if err != nil {
		t.Fatal(err)
	}
	b := bufio.NewWriter(z)
	if err := errors.Join(write(b), b.Flush(), z.Close(), f.Close()); err != nil {
		t.Fatal(err)
	}
	return path
}

// fortran writes a .npy array that is stored column after column.
func fortran(w io.Writer, rows, cols int) error {
	text := fmt.Sprintf("{'descr': '<f4', 'fortran_order': True, 'shape': (%d, %d), }", rows, cols)
	text += strings.Repeat(" ", 63-(10+len(text))%64) + "\n"
	head := append([]byte("\x93NUMPY\x01\x00"), 0, 0)
	binary.LittleEndian.PutUint16(head[8:], uint16(len(text)))
	if _, err := w.Write(append(head, text...)); err != nil {
		return err
	}
	column := make([]float32, rows)
	rng := rand.New(rand.NewPCG(1, 1))
	for range cols {
		for i := range column {
			column[i] = float32(rng.IntN(100))
		}
		if err := binary.Write(w, binary.LittleEndian, column); err != nil {
			return err
		}
	}
	return nil
}

// repeat writes a text many times.
func repeat(w io.Writer, text []byte, times int) error {
	for range times {
		if _, err := w.Write(text); err != nil {
			return err
		}
	}
	return nil
}

// scattered writes sparse rows with cells in many distant columns.
func scattered(w io.Writer, rows, cells int) error {
	rng := rand.New(rand.NewPCG(2, 2))
	for i := range rows {
		line := []byte(fmt.Sprint(i % 2))
		step := (1<<31 - 2) / cells
		for c := range cells {
			line = fmt.Appendf(line, " %d:1", 1+c*step+rng.IntN(step))
		}
		if _, err := w.Write(append(line, '\n')); err != nil {
			return err
		}
	}
	return nil
}

// peakOf names the environment variable that makes the test binary start the program, and nothing
// else, and write its peak memory to file descriptor 3. Linux counts the memory of a process before
// exec, and the tests have a lot.
const peakOf = "FSA_TEST_PEAK"

func init() {
	if os.Getenv(peakOf) == "" {
		return
	}
	os.Unsetenv(peakOf)
	cmd := exec.Command(os.Args[0], os.Args[1:]...)
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	if err := cmd.Run(); err != nil && !errors.As(err, new(*exec.ExitError)) {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(exitFailed)
	}
	fmt.Fprint(os.NewFile(3, "peak"), cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss<<10)
	os.Exit(cmd.ProcessState.ExitCode())
}

// peak runs the program and returns its exit code, its output and its peak memory.
func peak(t *testing.T, dir string, args ...string) (code int, msg string, rss int64) {
	t.Helper()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	var stderr bytes.Buffer
	cmd := exec.Command(os.Args[0], args...)
	cmd.Stderr, cmd.ExtraFiles = &stderr, []*os.File{w}
	cmd.Env = append(os.Environ(), "TMPDIR="+dir, peakOf+"=1")
	err = cmd.Run()
	w.Close()
	if err != nil && !errors.As(err, new(*exec.ExitError)) {
		t.Fatal(err)
	}
	if _, err := fmt.Fscan(r, &rss); err != nil {
		t.Fatalf("the program's memory is not known: %v\n%s", err, &stderr)
	}
	return cmd.ProcessState.ExitCode(), stderr.String(), rss
}

// Awkward inputs are read within the permitted memory, or refused before it is exceeded; small
// files that unpack to gigabytes take little memory even without a limit.
func TestMemoryPromise(t *testing.T) {
	need.Long(t)
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	zeros := zipped(t, at("zeros.csv.gz"), func(w io.Writer) error { return repeat(w, make([]byte, 1<<20), 1<<10) })
	line := zipped(t, at("line.csv.gz"), func(w io.Writer) error { return repeat(w, bytes.Repeat([]byte("1,"), 1<<19), 1<<8) })
	array := zipped(t, at("F.npy.gz"), func(w io.Writer) error { return fortran(w, 60_000, 1000) })
	labels := at("F.y.txt")
	write(t, labels, bytes.Repeat([]byte("1\n0\n"), 30_000))
	sparse := zipped(t, at("scattered.svm.gz"), func(w io.Writer) error { return scattered(w, 600, 1000) })
	const mib = 1 << 20
	for _, c := range []struct {
		what  string
		args  []string
		codes []int
		most  int64
	}{
		{"zeros as CSV", []string{"fit", zeros, "-k", "2"}, []int{exitBadData}, 256 * mib},
		{"zeros as a vector", []string{"fit", labels, "--target", zeros, "-k", "1"}, []int{exitBadData}, 256 * mib},
		{"zeros as svmlight", []string{"fit", zeros, "--format", "svmlight", "-k", "2"}, []int{exitBadData}, 256 * mib},
		{"zeros as Parquet", []string{"fit", zeros, "--format", "parquet", "-k", "2"}, []int{exitBadData}, 256 * mib},
		{"a line without an end", []string{"fit", line, "-k", "2"}, []int{exitBadData}, 256 * mib},
		{"columns of a compressed array", []string{"fit", array, "--target", labels, "-k", "2", "--quick", "--epochs", "5", "--memory", "220MiB"}, []int{exitDone}, (220 + 32) * mib},
		{"scattered columns", []string{"convert", sparse, at("s.fsa"), "--memory", "300MiB"}, []int{exitDone}, (300 + 32) * mib},
	} {
		code, msg, rss := peak(t, dir, c.args...)
		ok := false
		for _, want := range c.codes {
			ok = ok || code == want
		}
		if !ok || rss > c.most {
			t.Errorf("%s: exit code %d, %d MiB of %d: %.300s", c.what, code, rss/mib, c.most/mib, msg)
		}
		t.Logf("%s: %d MiB", c.what, rss/mib)
	}
}

// TestPredictMemory predicts tables that unpack to millions of rows. Memory does not grow with the
// rows, except for measuring predictions, which is refused before it takes more than is permitted.
func TestPredictMemory(t *testing.T) {
	need.Long(t)
	dir := t.TempDir()
	train, run := file(t, "train.csv", table(60, "a,b,y\n", plainRow)), filepath.Join(dir, "run")
	must(t, "fit", train, "--target", "y", "-k", "2", "--quick", "--out", run)
	const rows = 3 << 20
	many := func(name, head, row string) string {
		return zipped(t, filepath.Join(dir, name), func(w io.Writer) error {
			if _, err := io.WriteString(w, head); err != nil {
				return err
			}
			return repeat(w, bytes.Repeat([]byte(row), 1<<10), rows>>10)
		})
	}
	plain, labelled := many("plain.csv.gz", "a,b\n", "1,2\n"), many("labelled.csv.gz", "a,b,y\n", "1,2,1\n")
	out := filepath.Join(dir, "out.csv")
	for _, c := range []struct {
		what string
		args []string
		code int
		says string
	}{
		{"to a file", []string{plain, "--out", out}, exitDone, ""},
		{"as JSON", []string{plain, "--json"}, exitDone, ""},
		{"to standard output", []string{plain, "--contributions"}, exitDone, ""},
		{"evaluated as far as memory goes", []string{labelled, "--out", out}, exitDone, "could not be evaluated"},
		{"evaluated by all means", []string{labelled, "--target", "y", "--out", out}, exitResources, "allow more"},
	} {
		code, msg, rss := peak(t, dir, append([]string{"predict", run, "--memory", "120MiB"}, c.args...)...)
		if code != c.code || !strings.Contains(msg, c.says) || strings.Count(msg, "\n") > 1 || rss > 152<<20 {
			t.Errorf("%s: exit code %d, %d MiB, %s", c.what, code, rss>>20, msg)
		}
		t.Logf("%s: %d MiB", c.what, rss>>20)
	}
	got, err := os.Stat(out)
	if err != nil || got.Size() < 3*rows {
		t.Errorf("the predictions are %v, %v", got, err)
	}
}
