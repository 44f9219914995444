package main

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"context"
	"encoding/binary"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"fsa/internal/need"
)

// attacks says how many times each file is changed; scripts/reliability sets it.
const attacks = "FSA_ATTACKS"

// evil are pieces of files of text that strangers may write: values without bounds, names twice, deep nesting, formulas
// and references to other places.
var evil = []string{
	"1e999", "-1e-999", "NaN", "Infinity", "0x1p9999", strings.Repeat("9", 5000), "1" + strings.Repeat("0", 400) + ".5", "\x00", "\xff\xfe", "\u202e", "\r", "\n\n", "\"", `\u0000`, `\ud800`,
	strings.Repeat("[", 3000), strings.Repeat(`{"a":`, 3000), `"a":1,"a":2`, `{"__proto__":1}`, "[[[1]]]", `null`, strings.Repeat(",", 3000),
	`<f>WEBSERVICE("http://192.0.2.1/")</f>`, `<f t="array" ref="A1:XFD1048576">1</f>`, `=cmd|' /C calc'!A0`, `<!DOCTYPE x [<!ENTITY a "&b;"><!ENTITY b SYSTEM "file:///etc/passwd">]>`, `&a;`,
	`<c r="XFD1048576"><v>1</v></c>`, `<row r="1048576"/>`, `<row r="0"/>`, `t="s"`, `Target="../../../../etc/passwd"`, `Target="http://192.0.2.1/a.xml" TargetMode="External"`,
	"4611686018427387904:1", "-1:1", "1:1 1:2", "qid:9999999999999999999", `"format_version": 99`, `"index": -1`, `"index": 4611686018427387904`,
}

// huge are numbers that are written over those of binary files, such as lengths and positions.
var huge = []uint64{0, 1, 0x7f, 0xff, 0x7fff, 0xffff, 1 << 20, 1<<31 - 1, 1 << 31, 1<<32 - 1, 1 << 40, 1 << 62, 1<<63 - 1, 1 << 63, 1<<64 - 1}

// changed returns a file that was changed in one to three places.
func changed(rng *rand.Rand, b []byte) []byte {
	b = slices.Clone(b)
	for range 1 + rng.IntN(3) {
		if len(b) == 0 {
			return b
		}
		at := rng.IntN(len(b))
		if rng.IntN(4) == 0 {
			at = rng.IntN(min(len(b), 512)) // in the head
		}
		n := min(1+rng.IntN(64), len(b)-at)
		switch rng.IntN(9) {
		case 0:
			b[at] ^= 1 << rng.IntN(8)
		case 1:
			b[at] = byte(rng.Uint32())
		case 2:
			clear(b[at : at+n])
		case 3:
			b = slices.Delete(b, at, at+n)
		case 4:
			from := rng.IntN(len(b))
			b = slices.Insert(b, at, slices.Clone(b[from:min(from+n, len(b))])...)
		case 5:
			b = b[:at]
		case 6:
			b = slices.Insert(b, at, []byte(evil[rng.IntN(len(evil))])...)
		default:
			word := make([]byte, 8)
			binary.LittleEndian.PutUint64(word, huge[rng.IntN(len(huge))])
			if rng.IntN(2) == 0 {
				slices.Reverse(word)
			}
			width := 1 << rng.IntN(4)
			copy(b[at:], word[:width])
		}
	}
	return b
}

// inside changes what a compressed file or an archive holds, and packs it again.
func inside(rng *rand.Rand, b []byte) []byte {
	var out bytes.Buffer
	if r, err := gzip.NewReader(bytes.NewReader(b)); err == nil {
		text, err := io.ReadAll(r)
		if err != nil {
			return changed(rng, b)
		}
		w := gzip.NewWriter(&out)
		w.Write(changed(rng, text))
		w.Close()
		return out.Bytes()
	}
	r, err := zip.NewReader(bytes.NewReader(b), int64(len(b)))
	if err != nil || len(r.File) == 0 {
		return changed(rng, b)
	}
	w, hit := zip.NewWriter(&out), rng.IntN(len(r.File))
	for i, f := range r.File {
		one, err := f.Open()
		if err != nil {
			return changed(rng, b)
		}
		text, err := io.ReadAll(one)
		if err != nil {
			return changed(rng, b)
		}
		if i == hit {
			text = changed(rng, text)
		}
		to, err := w.CreateHeader(&zip.FileHeader{Name: f.Name, Method: f.Method})
		if err != nil {
			return changed(rng, b)
		}
		to.Write(text)
	}
	w.Close()
	return out.Bytes()
}

// TestAttacks changes files of every format at random, also inside archives, and describes, fits, converts, predicts or
// shows them. They are read or refused with one line, by a code that says whose fault it is, and nothing else in their
// folder changes.
func TestAttacks(t *testing.T) {
	each := 3
	if n, err := strconv.Atoi(os.Getenv(attacks)); err == nil {
		each = n
	} else {
		need.Long(t)
	}
	dir := t.TempDir()
	t.Setenv("TMPDIR", t.TempDir())
	plain, run := filepath.Join(dir, "plain.csv"), filepath.Join(dir, "run")
	must(t, "generate", "ar1", "--n", "60", "--m", "6", "--k", "2", "--task", "regression", "--out", plain)
	must(t, "fit", plain, "-k", "2", "--folds", "3", "--out", run)
	files := map[string][]byte{"run/model.json": read(t, filepath.Join(run, modelName)), "t.csv": read(t, plain)}
	for _, ext := range []string{".csv", ".parquet", ".arrow", ".xlsx", ".jsonl", ".json"} {
		to := filepath.Join(dir, "p"+ext)
		must(t, "predict", run, plain, "--keep", strings.TrimSpace(strings.SplitN(string(files["t.csv"]), "\n", 2)[0]), "--out", to)
		files["p"+ext] = read(t, to)
	}
	for _, ext := range []string{".npy", ".fsa", ".svm", ".parquet", ".npy.gz", ".fsa.zst", ".svm.gz"} {
		to := filepath.Join(dir, "g"+ext)
		must(t, "generate", "ar1", "--n", "60", "--m", "6", "--k", "2", "--task", "regression", "--out", to)
		files["g"+ext] = read(t, to)
	}
	for _, pattern := range []string{"testdata/messy.*", "../../internal/format/*/testdata/*"} {
		names, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			switch filepath.Ext(name) {
			case ".py", ".R", ".md", ".csv", "":
			default:
				files[filepath.Base(filepath.Dir(filepath.Dir(name)))+"-"+filepath.Base(name)] = read(t, name)
			}
		}
	}
	names := make([]string, 0, len(files))
	for name := range files {
		names = append(names, name)
	}
	slices.Sort(names)
	rng := rand.New(rand.NewPCG(49, uint64(need.Seed(t))))
	counts, tried := map[int]int{}, 0
	for _, name := range names {
		for i := range each {
			seed := rng.Uint64()
			r := rand.New(rand.NewPCG(seed, 0))
			content := changed
			if i%3 > 0 {
				content = inside
			}
			folder := t.TempDir()
			path := filepath.Join(folder, filepath.Base(name))
			write(t, path, content(r, files[name]))
			if strings.HasPrefix(name, "run/") {
				for _, args := range [][]string{{"show", path}, {"predict", path, plain}, {"export", path, "--to", "sql"}, {"report", path, "--out", filepath.Join(folder, "r.html")}} {
					code := attacked(t, name, seed, args)
					counts[code]++
					tried++
				}
				continue
			}
			args := [][]string{
				{"describe", path}, {"fit", path, "-k", "2", "--quick", "--out", filepath.Join(folder, "run")},
				{"convert", path, filepath.Join(folder, "to.fsa")}, {"predict", run, path},
			}[r.IntN(4)]
			counts[attacked(t, name, seed, append(args, "--memory", "1GiB"))]++
			tried++
		}
	}
	t.Logf("%d files changed in %d ways, %d commands: %d read, %d refused as bad data, %d by their use, %d for lack of memory", len(names), each, tried, counts[exitDone], counts[exitBadData], counts[exitUsage], counts[exitResources])
}

// attackTime is how long a command may take on a small file, on a busy machine.
const attackTime = 2 * time.Minute

// attacked runs a command on a changed file and returns its exit code.
func attacked(t *testing.T, name string, seed uint64, args []string) int {
	t.Helper()
	if args[0] == "describe" {
		args = slices.DeleteFunc(args, func(a string) bool { return a == "--memory" || a == "1GiB" })
	}
	ctx, cancel := context.WithTimeout(t.Context(), attackTime)
	defer cancel()
	var out, told bytes.Buffer
	code := within(ctx, args, &out, &told)
	text := told.String()
	bad := ctx.Err() != nil || strings.Contains(text, "goroutine ") || strings.Contains(text, "runtime error")
	switch code {
	case exitDone:
	case exitBadData, exitUsage, exitResources:
		bad = bad || !strings.Contains(text, "fsa: ")
	default:
		bad = true
	}
	if bad {
		t.Errorf("%s changed with seed %d: fsa %s: exit code %d\n%.2000s", name, seed, strings.Join(args, " "), code, text)
	}
	return code
}
