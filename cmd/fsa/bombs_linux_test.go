//go:build linux

package main

import (
	"archive/zip"
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"fsa/internal/need"
)

// boast returns a .npy array without the data that its header announces.
func boast(shape string) []byte {
	text := fmt.Sprintf("{'descr': '<f8', 'fortran_order': False, 'shape': %s, }\n", shape)
	head := append([]byte("\x93NUMPY\x01\x00"), 0, 0)
	binary.LittleEndian.PutUint16(head[8:], uint16(len(text)))
	return append(head, text...)
}

// zeros returns n zero bytes.
func zeros(n int) io.Reader { return io.LimitReader(nothing{}, int64(n)) }

type nothing struct{}

func (nothing) Read(p []byte) (int, error) {
	clear(p)
	return len(p), nil
}

// matrixOf returns a MATLAB file with an element of the given kind and length.
func matrixOf(kind, length uint32, content []byte) []byte {
	b := append([]byte(strings.Repeat(" ", 124)), 0, 1, 'I', 'M')
	b = binary.LittleEndian.AppendUint32(b, kind)
	return append(binary.LittleEndian.AppendUint32(b, length), content...)
}

// TestBombs refuses files that announce or unpack to far more than they contain, and takes little
// memory even without a limit. TestMemoryPromise has some more.
func TestBombs(t *testing.T) {
	need.Long(t)
	const many = 512 << 20
	dir := t.TempDir()
	put := func(name string, content []byte) string {
		path := filepath.Join(dir, name)
		write(t, path, content)
		return path
	}
	packed := func(name string, head []byte, n int) string {
		return zipped(t, filepath.Join(dir, name), func(w io.Writer) error {
			_, err := io.Copy(w, io.MultiReader(bytes.NewReader(head), zeros(n)))
			return err
		})
	}
	repeated := func(name, cell string, n int) string { // in each of two rows
		return zipped(t, filepath.Join(dir, name), func(w io.Writer) error {
			for range 2 {
				if err := repeat(w, []byte(strings.Repeat(cell, 1<<10)), n>>10); err != nil {
					return err
				}
				if _, err := io.WriteString(w, "1\n"); err != nil {
					return err
				}
			}
			return nil
		})
	}
	zst := func() []byte {
		var b bytes.Buffer
		z, err := zstd.NewWriter(&b)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.Copy(z, zeros(many)); err != nil || z.Close() != nil {
			t.Fatal(err)
		}
		return b.Bytes()
	}
	npz := func(member []byte, n int) []byte {
		var b bytes.Buffer
		z := zip.NewWriter(&b)
		w, err := z.Create("X.npy")
		if err == nil {
			_, err = io.Copy(w, io.MultiReader(bytes.NewReader(member), zeros(n)))
		}
		if err != nil || z.Close() != nil {
			t.Fatal(err)
		}
		return b.Bytes()
	}
	deflated := func() []byte {
		var b bytes.Buffer
		z := zlib.NewWriter(&b)
		if _, err := io.Copy(z, zeros(many)); err != nil || z.Close() != nil {
			t.Fatal(err)
		}
		return b.Bytes()
	}
	table := put("t.csv", []byte("a,b,y\n1,2,0\n2,1,1\n3,5,0\n4,1,1\n"))
	run := filepath.Join(dir, "run")
	must(t, "fit", table, "-k", "1", "--out", run)
	foreign(t, dir)
	ranks := filepath.Join(dir, "ranks")
	must(t, "motion", "train", filepath.Join(dir, "motion"), "--pool", "paper", "--out", ranks)
	gz := packed("zeros.gz", nil, many)
	for _, c := range []struct {
		what string
		args []string
	}{
		{"an array of 10^15 rows", []string{"fit", put("a.npy", boast("(1000000000000000, 2)")), "--target", "0", "-k", "1"}},
		{"an array of 2^40 columns", []string{"fit", put("b.npy", boast("(1, 1099511627776)")), "--target", "0", "-k", "1"}},
		{"a compressed array of a billion rows", []string{"fit", packed("c.npy.gz", boast("(1000000000, 100)"), 1<<20), "--target", "0", "-k", "1"}},
		{"a vector of 10^15 numbers", []string{"fit", table, "--target", put("y.npy", boast("(1000000000000000,)")), "-k", "1"}},
		{"an archive of 10^12 rows", []string{"fit", put("d.npz", npz(boast("(1000000000000, 100)"), 0)), "--target", "0", "-k", "1"}},
		{"an archive of zeros", []string{"fit", put("e.npz", npz(nil, many)), "--target", "0", "-k", "1"}},
		{"zeros as zstd", []string{"fit", put("f.csv.zst", zst()), "-k", "1"}},
		{"zeros as Arrow", []string{"fit", gz, "--format", "arrow", "-k", "1"}},
		{"zeros as fsa", []string{"fit", gz, "--format", "fsa", "-k", "1"}},
		{"zeros as an array", []string{"fit", gz, "--format", "npy", "--target", "0", "-k", "1"}},
		{"zeros as an archive", []string{"fit", gz, "--format", "npz", "--target", "0", "-k", "1"}},
		{"zeros to predict", []string{"predict", run, packed("z.csv.gz", nil, many)}},
		{"zeros to convert", []string{"convert", gz, filepath.Join(dir, "o.fsa"), "--format", "csv"}},
		{"a column of number 2^62", []string{"fit", put("g.svm", []byte("1 4611686018427387904:1\n0 1:1\n")), "-k", "1"}},
		{"a name without an end", []string{"fit", packed("h.csv.gz", bytes.Repeat([]byte("a"), 300<<20), 0), "-k", "1"}},
		{"two rows of 30 million empty cells", []string{"fit", repeated("m.csv.gz", ",", 30<<20), "-k", "1"}},
		{"the names of 15 million columns", []string{"describe", repeated("n.csv.gz", "a,", 15<<20)}},
		{"15 million columns to convert", []string{"convert", repeated("o.txt.gz", "1 ", 15<<20), filepath.Join(dir, "o.fsa")}},
		{"a model without an end", []string{"show", "/dev/zero"}},
		{"groups without an end", []string{"fit", table, "-k", "1", "--groups", "/dev/zero"}},
		{"names without an end", []string{"fit", table, "-k", "1", "--names", "/dev/zero"}},
		{"folds without an end", []string{"fit", table, "--folds", "/dev/zero"}},
		{"a part of a column without an end", []string{"fit", put("i.arrow", append([]byte("ARROW1\x00\x00\xff\xff\xff\xff\xff\xff\xff\x7f"), make([]byte, 64)...)), "-k", "1"}},
		{"a Parquet footer of 2 GiB", []string{"fit", put("j.parquet", []byte("PAR1aaaa\xff\xff\xff\x7fPAR1")), "-k", "1"}},
		{"a matrix of 4 GiB", []string{"motion", "segment", put("k.mat", matrixOf(14, 0xfffffff0, make([]byte, 64))), "--model", ranks}},
		{"a compressed matrix of zeros", []string{"motion", "segment", put("l.mat", func() []byte { z := deflated(); return matrixOf(15, uint32(len(z)), z) }()), "--model", ranks}},
	} {
		code, msg, rss := peak(t, dir, c.args...)
		if code == exitDone || code == exitInterrupted || rss > 256<<20 || strings.Contains(msg, "goroutine ") {
			t.Errorf("%s: exit code %d, %d MiB: %.300s", c.what, code, rss>>20, msg)
		}
		t.Logf("%s: %d MiB, exit code %d: %.120s", c.what, rss>>20, code, msg)
	}
	if _, err := os.Stat(filepath.Join(dir, "o.fsa")); err == nil {
		t.Error("zeros were converted")
	}
}
