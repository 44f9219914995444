//go:build linux

package main

import (
	"archive/zip"
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"fsa/internal/need"
)

// allFormats asks for a table of 400 MB in every format; .ci/nightly sets it.
const allFormats = "FSA_MEMORY"

// The size of the tables: as float32 they take four times the memory that a fit may use besides its
// own needs.
const wideRows, wideCols = 100_000, 1000

// cells writes rows of a table of small numbers, with a function that appends a row.
func cells(w io.Writer, rows, cols int, row func(line []byte, i int, cells []uint32) []byte) error {
	rng := rand.New(rand.NewPCG(3, 3))
	numbers, line := make([]uint32, cols), []byte(nil)
	for i := range rows {
		for j := range numbers {
			numbers[j] = rng.Uint32N(100)
		}
		line = row(line[:0], i, numbers)
		if _, err := w.Write(line); err != nil {
			return err
		}
	}
	return nil
}

// textTable writes a table with four bytes per cell as CSV.
func textTable(w io.Writer) error {
	line := []byte("y")
	for j := range wideCols {
		line = fmt.Appendf(line, ",x%d", j)
	}
	if _, err := w.Write(append(line, '\n')); err != nil {
		return err
	}
	return cells(w, wideRows, wideCols, func(line []byte, i int, cells []uint32) []byte {
		line = append(line, '0'+byte(i%2))
		for _, v := range cells {
			line = append(line, ',', '0'+byte(v/10), '.', '0'+byte(v%10))
		}
		return append(line, '\n')
	})
}

// sparseTable writes 400 MB of svmlight: rows with a hundred of 20,000 columns.
func sparseTable(w io.Writer) error {
	return cells(w, 500_000, 100, func(line []byte, i int, cells []uint32) []byte {
		line = append(line, '0'+byte(i%2))
		for j, v := range cells {
			line = append(line, ' ')
			line = strconv.AppendInt(line, int64(1+200*j)+int64(v), 10)
			line = append(line, ':', '1'+byte(v%9))
		}
		return append(line, '\n')
	})
}

// distinctTexts writes a column of three million distinct texts.
func distinctTexts(w io.Writer) error {
	if _, err := io.WriteString(w, "name,x,y\n"); err != nil {
		return err
	}
	return cells(w, 3_000_000, 1, func(line []byte, i int, cells []uint32) []byte {
		return fmt.Appendf(line, "customer number %d,%d,%d\n", i, cells[0], i%2)
	})
}

// rowsArray writes a .npy array that is stored row after row.
func rowsArray(w io.Writer) error {
	text := fmt.Sprintf("{'descr': '<f4', 'fortran_order': False, 'shape': (%d, %d), }", wideRows, wideCols)
	head := append([]byte("\x93NUMPY\x01\x00"), 0, 0)
	binary.LittleEndian.PutUint16(head[8:], uint16(len(text)))
	if _, err := w.Write(append(head, text...)); err != nil {
		return err
	}
	return cells(w, wideRows, wideCols, func(line []byte, _ int, cells []uint32) []byte {
		for _, v := range cells {
			line, _ = binary.Append(line, binary.LittleEndian, float32(v))
		}
		return line
	})
}

// arrowStream writes 400 MB of Arrow: the batches of a stream that pyarrow has written, again and
// again.
func arrowStream(w io.Writer) error {
	file, err := os.ReadFile("../../internal/format/arrow/testdata/stream.arrows")
	if err != nil {
		return err
	}
	const recordBatch = 3
	var batches []byte
	le := binary.LittleEndian
	for rest := file; len(rest) >= 8 && le.Uint32(rest[4:]) > 0; {
		// In a message, a table of flatbuffers, field 1 is its kind and field 3 the length of its
		// body.
		message := rest[8:][:le.Uint32(rest[4:])]
		table := int(le.Uint32(message))
		fields := message[table-int(int32(le.Uint32(message[table:]))):]
		kind := message[table+int(le.Uint16(fields[6:]))]
		length := 8 + len(message)
		if le.Uint16(fields) > 10 && le.Uint16(fields[10:]) > 0 { // it exists
			length += int(le.Uint64(message[table+int(le.Uint16(fields[10:])):]))
		}
		if kind == recordBatch {
			batches = append(batches, rest[:length]...)
		} else if _, err := w.Write(rest[:length]); err != nil {
			return err
		}
		rest = rest[length:]
	}
	if err := repeat(w, batches, (400<<20)/len(batches)); err != nil {
		return err
	}
	_, err = w.Write([]byte("\xff\xff\xff\xff\x00\x00\x00\x00"))
	return err
}

func columnsArray(w io.Writer) error { return fortran(w, wideRows, wideCols) }

// labelsFile writes a label for each row of an array.
func labelsFile(t *testing.T, dir string) string {
	path := filepath.Join(dir, "labels.txt")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(repeat(f, []byte("1\n0\n"), wideRows/2), f.Close()); err != nil {
		t.Fatal(err)
	}
	return path
}

// into writes a file through a compressor; nil for none.
func into(t *testing.T, path string, compress func(w io.Writer) (io.WriteCloser, error), write func(w io.Writer) error) {
	t.Helper()
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	var z io.WriteCloser = f
	if compress != nil {
		if z, err = compress(f); err != nil {
			t.Fatal(err)
		}
	}
	b := bufio.NewWriterSize(z, 1<<20)
	err = errors.Join(write(b), b.Flush(), z.Close())
	if compress != nil {
		err = errors.Join(err, f.Close())
	}
	if err != nil {
		t.Fatal(err)
	}
}

func asGzip(w io.Writer) (io.WriteCloser, error) { return gzip.NewWriterLevel(w, gzip.BestSpeed) }

func asZstd(w io.Writer) (io.WriteCloser, error) {
	return zstd.NewWriter(w, zstd.WithEncoderLevel(zstd.SpeedFastest))
}

// archive is an .npz file that is being written.
type archive struct {
	io.Writer
	zip *zip.Writer
}

func (a *archive) Close() error { return a.zip.Close() }

// asArchive returns a writer of an .npz file with one array.
func asArchive(method uint16) func(w io.Writer) (io.WriteCloser, error) {
	return func(w io.Writer) (io.WriteCloser, error) {
		z := zip.NewWriter(w)
		member, err := z.CreateHeader(&zip.FileHeader{Name: "X.npy", Method: method})
		return &archive{member, z}, err
	}
}

// One table of 400 MB in each format, and awkward ones, are fitted and converted with --memory
// 200MiB: the program takes at most 32 MiB more, or says beforehand that it needs more.
func TestMemoryOfFormats(t *testing.T) {
	need.Variable(t, allFormats, "set it to 1; TestMemoryPromise has a sample")
	type table struct {
		name     string
		compress func(w io.Writer) (io.WriteCloser, error)
		write    func(w io.Writer) error
		labels   bool  // are in a file
		fit      []int // exit codes
		convert  []int
	}
	done, either := []int{exitDone}, []int{exitDone, exitResources}
	for _, c := range []table{
		{"t.csv", nil, textTable, false, done, done},
		{"t.csv.gz", asGzip, textTable, false, done, done},
		{"t.csv.zst", asZstd, textTable, false, done, done},
		{"t.svm", nil, sparseTable, false, done, done},
		{"t.svm.gz", asGzip, sparseTable, false, done, done},
		{"rows.npy", nil, rowsArray, true, done, done},
		{"rows.npy.gz", asGzip, rowsArray, true, done, done},
		{"columns.npy", nil, columnsArray, true, done, done},
		{"columns.npy.gz", asGzip, columnsArray, true, done, done},
		{"stored.npz", asArchive(zip.Store), rowsArray, true, done, done},
		{"rows.npz", asArchive(zip.Deflate), rowsArray, true, done, done},
		{"columns.npz", asArchive(zip.Deflate), columnsArray, true, done, done},
		{"t.arrows", nil, arrowStream, false, either, done},
		{"t.arrows.zst", asZstd, arrowStream, false, either, done},
		{"texts.csv", nil, distinctTexts, false, either, either},
		{"t.parquet", nil, nil, false, done, done},
		{"t.parquet.zst", nil, nil, false, done, done},
		{"long.parquet", nil, nil, false, done, done},
		{"t.fsa", nil, nil, false, done, done},
		{"t.fsa.gz", nil, nil, false, done, done},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			path, out := filepath.Join(dir, c.name), filepath.Join(dir, "o.fsa")
			defer os.RemoveAll(dir)
			if c.write != nil {
				into(t, path, c.compress, c.write)
			} else {
				rows, cols := wideRows, wideCols
				if c.name == "long.parquet" {
					rows, cols = 5*wideRows, wideCols/10
				}
				must(t, "generate", "ar1", "--n", strconv.Itoa(rows), "--m", strconv.Itoa(cols), "--k", "3", "--out", path)
			}
			fit := []string{"fit", path, "-k", "3", "--quick", "--epochs", "5", "--memory", "200MiB"}
			if c.labels {
				fit = append(fit, "--target", labelsFile(t, dir))
			}
			if strings.HasPrefix(c.name, "t.arrows") {
				fit = append(fit, "--target", "double")
			}
			for _, try := range []struct {
				args  []string
				codes []int
			}{{fit, c.fit}, {[]string{"convert", path, out, "--memory", "200MiB"}, c.convert}} {
				code, msg, rss := peak(t, dir, try.args...)
				const mib, most = 1 << 20, (200 + 32) << 20
				if !slices.Contains(try.codes, code) || rss > most {
					t.Errorf("%s: exit code %d, %d MiB: %.400s", try.args[0], code, rss/mib, msg)
				}
				t.Logf("%s %s: %d MiB, exit code %d", try.args[0], c.name, rss/mib, code)
			}
		})
	}
}
