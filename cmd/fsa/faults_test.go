package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"image"
	"image/png"
	"io/fs"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"

	"fsa/app/keypoint/faces"
	"fsa/app/motion/matlab/matlabtest"
	"fsa/internal/fault"
)

// allFaults makes every call of every command fail once, not only a sample; .ci/nightly sets it.
const allFaults = "FSA_FAULTS"

// faultCase is a command that writes.
type faultCase struct {
	name    string
	prepare [][]string // commands that make its input, and the earlier files that it replaces
	args    []string
	slow    bool // only with allFaults
}

// faultCases are the commands that write. DIR stands for the folder in which they work.
var faultCases = []faultCase{
	{"generate npy", [][]string{generated("X.npy", "9")}, generated("X.npy", "1"), false},
	{"generate npy.gz", [][]string{generated("X.npy.gz", "9")}, generated("X.npy.gz", "1"), true},
	{"generate csv", [][]string{generated("t.csv", "9")}, generated("t.csv", "1"), true},
	{"generate csv.zst", nil, generated("t.csv.zst", "1"), false},
	{"generate svm.gz", [][]string{generated("t.svm.gz", "9")}, generated("t.svm.gz", "1"), true},
	{"generate parquet", [][]string{generated("t.parquet", "9")}, generated("t.parquet", "1"), false},
	{"generate fsa", [][]string{generated("t.fsa", "9")}, generated("t.fsa", "1"), false},
	{"fit csv", [][]string{generated("t.csv", "1"), fitting("t.csv", "1")}, fitting("t.csv", "2"), false},
	{"fit anew", [][]string{generated("t.csv", "1")}, fitting("t.csv", "2"), false},
	{"fit npy", [][]string{generated("X.npy", "1"), fitting("X.npy", "1")}, fitting("X.npy", "2"), false},
	{"fit npy.zst", [][]string{generated("X.npy.zst", "1"), fitting("X.npy.zst", "1")}, fitting("X.npy.zst", "2"), true},
	{"fit fsa", [][]string{generated("t.fsa", "1"), fitting("t.fsa", "1")}, fitting("t.fsa", "2"), false},
	{"fit svm", [][]string{generated("t.svm", "1"), fitting("t.svm", "1")}, fitting("t.svm", "2"), true},
	{"fit parquet", [][]string{generated("t.parquet", "1"), fitting("t.parquet", "1")}, fitting("t.parquet", "2"), true},
	{"fit parquet.gz", [][]string{generated("t.parquet.gz", "1"), fitting("t.parquet.gz", "1")}, fitting("t.parquet.gz", "2", "--memory", "1GiB"), false},
	{"fit from a copy", [][]string{append(generated("t.csv", "1"), "--n", "3000", "--m", "300"), fitting("t.csv", "1", "--quick")}, fitting("t.csv", "2", "--memory", "131MiB", "--epochs", "20", "--quick"), true},
	{"fit from a file", [][]string{append(generated("X.npy", "1"), "--n", "300", "--m", "3000"), fitting("X.npy", "1", "--quick")}, fitting("X.npy", "2", "--memory", "131MiB", "--epochs", "20", "--quick"), true},
	{"fit with groups", [][]string{generated("t.csv", "1"), fitting("t.csv", "1")}, fitting("t.csv", "1", "--groups", "DIR/groups.txt"), true},
	{"cv", [][]string{generated("t.csv", "1")}, []string{"cv", "DIR/t.csv", "--folds", "3", "--out", "DIR/run", "--checkpoint-every", never}, true},
	{"export", [][]string{generated("t.csv", "1"), fitting("t.csv", "1"), {"export", "DIR/run", "--to", "onnx", "--out", "DIR/m.onnx"}, fitting("t.csv", "2")}, []string{"export", "DIR/run", "--to", "onnx", "--out", "DIR/m.onnx"}, false},
	{"report", [][]string{generated("t.csv", "1"), fitting("t.csv", "1", "--report")}, []string{"report", "DIR/run"}, true},
	{"plot", [][]string{generated("t.csv", "1"), fitting("t.csv", "1")}, []string{"plot", "DIR/run", "--what", "importance", "--out", "DIR/p.svg"}, true},
	{"predict", [][]string{generated("t.csv", "1"), fitting("t.csv", "1"), {"predict", "DIR/run", "DIR/t.csv", "--out", "DIR/p.csv"}, fitting("t.csv", "2")}, []string{"predict", "DIR/run", "DIR/t.csv", "--out", "DIR/p.csv"}, false},
	{"predict gz", [][]string{generated("X.npy", "1"), fitting("X.npy", "1")}, []string{"predict", "DIR/run", "DIR/X.npy", "--out", "DIR/p.csv.gz"}, true},
	{"convert csv", [][]string{generated("t.csv", "9"), {"convert", "DIR/t.csv", "DIR/o.fsa"}, generated("t.csv", "1")}, []string{"convert", "DIR/t.csv", "DIR/o.fsa"}, false},
	{"convert npy", [][]string{generated("X.npy", "1")}, []string{"convert", "DIR/X.npy", "DIR/o.fsa"}, false},
	{"convert with a part", [][]string{append(generated("X.npy", "1"), "--n", "3000"), {"convert", "DIR/X.npy", "DIR/o.fsa", "--memory", "30KiB"}}, []string{"convert", "DIR/X.npy", "DIR/o.fsa", "--memory", "20KiB", "--resume", "--checkpoint-every", never}, true},
	{"convert npz in a file", [][]string{generated("t.parquet.zst", "1")}, []string{"convert", "DIR/t.parquet.zst", "DIR/o.fsa"}, true},
	{"motion train", [][]string{{"motion", "train", "DIR/motion", "--pool", "paper", "--out", "DIR/run", "--checkpoint-every", never}}, []string{"motion", "train", "DIR/motion", "--pool", "paper", "--out", "DIR/run", "--checkpoint-every", never}, true},
	{"motion segment", [][]string{{"motion", "train", "DIR/motion", "--pool", "paper", "--out", "DIR/run", "--checkpoint-every", never}}, []string{"motion", "segment", "DIR/motion/a_truth.mat", "--model", "DIR/run", "--out", "DIR/m.csv", "--svg", "DIR/m.svg"}, true},
	{"motion evaluate", [][]string{evaluating("1")}, evaluating("2"), true},
	{"keypoint train", [][]string{training("1", "--report")}, training("2", "--report"), true},
	{"keypoint train with a state", [][]string{training("1")}, training("2", "--state", "DIR/state", "--rounds", "1"), true},
	{"keypoint train goes on", [][]string{training("2", "--state", "DIR/state")}, training("2", "--state", "DIR/state", "--rounds", "1"), true},
	{"keypoint detect", [][]string{training("1"), detecting("1"), training("2")}, detecting("2"), true},
	{"paper cost", nil, []string{"paper", "cost", "--out", "DIR/results"}, true},
	{"paper goes on", [][]string{repeating("L2")}, repeating("L2,QTP"), true},
	{"demo", nil, []string{"demo", "--out", "DIR/demo"}, true},
}

func generated(name, seed string) []string {
	return []string{"generate", "ar1", "--n", "60", "--m", "8", "--k", "2", "--seed", seed, "--out", "DIR/" + name}
}

// never is so long that a checkpoint is only written at the end, however slow the machine.
const never = "24h"

func fitting(name, k string, more ...string) []string {
	return append([]string{"fit", "DIR/" + name, "-k", k, "--out", "DIR/run", "--checkpoint-every", never}, more...)
}

func evaluating(seed string) []string {
	return []string{"motion", "evaluate", "DIR/motion", "--pool", "paper", "--folds", "2", "--seed", seed, "--svg", "DIR/curves"}
}

func training(k string, more ...string) []string {
	return append([]string{"keypoint", "train", "DIR/faces", "--point", "left-eye", "--out", "DIR/eye.json", "-k", k, "--bins", "2", "--haar", "0", "--rounds", "0", "--negatives", "10"}, more...)
}

func repeating(methods string) []string {
	return []string{"paper", "regression", "--runs", "1", "--max-n", "300", "--methods", methods, "--out", "DIR/results"}
}

func detecting(threshold string) []string {
	return []string{"keypoint", "detect", "DIR/eye.json", "DIR/faces/img/0.png", "--draw", "DIR/found.png", "--threshold", threshold}
}

// inFolder replaces DIR by a folder.
func inFolder(dir string, args []string) []string {
	args = slices.Clone(args)
	for i := range args {
		args[i] = strings.ReplaceAll(args[i], "DIR", dir)
	}
	return args
}

// foreign writes files that no command makes: a list of groups, some small sequences of two and
// three motions, and some small photographs of a face.
func foreign(t *testing.T, dir string) {
	t.Helper()
	write(t, filepath.Join(dir, "groups.txt"), []byte("x1,x2\nx5,x6\n"))
	rng := rand.New(rand.NewPCG(5, 5))
	const points, frames = 16, 6
	index := "sequence\tcategory\tvideo\n"
	for i, name := range []string{"a", "b", "c", "d"} {
		motions := 2 + i/2
		index += fmt.Sprintf("%s\ttraffic\t%[1]s\n", name)
		var x, s []float64
		place := make([][2]float64, points)
		for p := range place {
			place[p] = [2]float64{rng.Float64() * 300, rng.Float64() * 200}
			s = append(s, float64(1+p%motions))
		}
		for f := range frames {
			for p := range place {
				at := float64(f) * (1 + 4*float64(p%motions))
				x = append(x, place[p][0]+at+3*rng.NormFloat64(), place[p][1]+at*math.Pow(-1, float64(p%motions))+3*rng.NormFloat64(), 1)
			}
		}
		le := binary.LittleEndian
		file := matlabtest.File(le, matlabtest.Doubles(le, []int32{3, points, frames}, "x", x...), matlabtest.Doubles(le, []int32{points, 1}, "s", s...))
		if err := os.MkdirAll(filepath.Join(dir, "motion"), 0o755); err != nil {
			t.Fatal(err)
		}
		write(t, filepath.Join(dir, "motion", name+"_truth.mat"), file)
	}
	write(t, filepath.Join(dir, "motion", "index.tsv"), []byte(index))
	photographs(t, filepath.Join(dir, "faces"), rng)
}

// photographs writes photographs of noise in which the left eye is a dark spot.
func photographs(t *testing.T, dir string, rng *rand.Rand) {
	t.Helper()
	if err := os.MkdirAll(filepath.Join(dir, "img"), 0o755); err != nil {
		t.Fatal(err)
	}
	var table strings.Builder
	table.WriteString("set\timage\tface\twidth\theight\tfaces_in_image\tied")
	for i := range faces.Landmarks {
		fmt.Fprintf(&table, "\tx%d\ty%d", i+1, i+1)
	}
	for k := range 3 {
		const side, x, y = 100, 40, 50
		m := image.NewGray(image.Rect(0, 0, side, side))
		for i := range m.Pix {
			m.Pix[i] = uint8(120 + rng.IntN(100))
			if math.Hypot(float64(i%side-x), float64(i/side-y)) < 8 {
				m.Pix[i] /= 8
			}
		}
		var b bytes.Buffer
		if err := png.Encode(&b, m); err != nil {
			t.Fatal(err)
		}
		name := fmt.Sprintf("%d.png", k)
		write(t, filepath.Join(dir, "img", name), b.Bytes())
		fmt.Fprintf(&table, "\n%s\t%s\t%d\t%d\t%[4]d\t1\t42", faces.Train, name, k, side)
		table.WriteString(strings.Repeat(fmt.Sprintf("\t%d\t%d", x, y), faces.Landmarks))
	}
	write(t, filepath.Join(dir, "landmarks.tsv"), []byte(table.String()+"\n"))
}

// longFile is the size of files that are compared unchanged.
const longFile = 1 << 20

// snapshot returns all files below a folder, without what depends on the time and the place. For a
// long file, a table, it has the checksum.
func snapshot(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	seconds := regexp.MustCompile(`"((cpu_)?seconds[a-z_]*|peak_bytes|started|read|fit|time_s)":("[^"]*"|[0-9.e+-]+)` + // in JSON
		`|[0-9:]+Z</dd>|[0-9.e-]+ s to (read|fit)` + // in a page
		`|"(events\.jsonl|run\.json)": "[^"]*"` + // of such files, in the list of a folder
		`|time_s,[0-9.e-]+|(?s:## time_s.*)`) // in a result
	folders := regexp.MustCompile(regexp.QuoteMeta(filepath.Dir(dir)) + "/[0-9]+") // of this test
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text := read(t, path)
		if len(text) < longFile {
			text = folders.ReplaceAll(seconds.ReplaceAll(text, nil), []byte("DIR"))
		} else {
			sum := sha256.Sum256(text)
			text = sum[:]
		}
		all[strings.TrimPrefix(path, dir)] = string(text)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// differ describes how two snapshots differ; empty if they do not.
func differ(a, b map[string]string) string {
	for name := range a {
		if other, ok := b[name]; !ok {
			return name + " is gone"
		} else if other != a[name] {
			at := 0
			for at < min(len(other), len(a[name])) && other[at] == a[name][at] {
				at++
			}
			return fmt.Sprintf("%s has changed: %.60q is %.60q", name, a[name][at:], other[at:])
		}
	}
	for name := range b {
		if _, ok := a[name]; !ok {
			return name + " is new"
		}
	}
	return ""
}

// copyFolder returns a copy of a folder.
func copyFolder(t *testing.T, from string) string {
	t.Helper()
	to := t.TempDir()
	if err := os.CopyFS(to, os.DirFS(from)); err != nil {
		t.Fatal(err)
	}
	return to
}

// injected makes the n-th call of the system fail, counted from 1, and records which it was.
type injected struct {
	mu    sync.Mutex
	n     int
	calls int
	op    fault.Op // of the call that failed; empty if none did
	path  string
	err   error
	board bool // it was a call of the live progress, which happens in slow runs
}

func (f *injected) check(op fault.Op, path string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.calls++; f.calls != f.n {
		return nil
	}
	f.op, f.path, f.err = op, path, syscall.EIO
	f.board = bytes.Contains(debug.Stack(), []byte("keepBoard"))
	switch {
	case op == fault.Open:
		f.err = []error{syscall.EMFILE, syscall.EIO}[f.n%2]
	case op != fault.Read && op != fault.Close && op != fault.Map && f.n%2 == 0:
		f.err = syscall.ENOSPC
	}
	return f.err
}

// TestFaults makes one call of the system after another fail in every command that writes. Either
// what was there before stays, nothing else is left, and the message and the exit code are right;
// or the call was not needed, and the result is the same.
func TestFaults(t *testing.T) {
	every := os.Getenv(allFaults) != ""
	total := 0
	for _, c := range faultCases {
		if !every && (c.slow || testing.Short() && c.name != "fit npy" && c.name != "generate npy") {
			continue
		}
		t.Run(c.name, func(t *testing.T) {
			start := t.TempDir()
			foreign(t, start)
			for _, args := range c.prepare {
				must(t, inFolder(start, args)...)
			}
			good := copyFolder(t, start)
			t.Setenv("TMPDIR", t.TempDir())
			counted := &injected{}
			remove := fault.Install(counted.check)
			must(t, inFolder(good, c.args)...)
			remove()
			before, after := snapshot(t, start), snapshot(t, good)
			step := 1
			if !every {
				step = max(1, counted.calls/12)
			}
			if testing.Short() {
				step *= 6
			}
			for n := 1; n <= counted.calls; n += step {
				c.try(t, n, start, before, after)
				total++
			}
			t.Logf("%d calls", counted.calls)
		})
	}
	t.Logf("%d calls of the system failed", total)
}

// try makes the n-th call fail in a copy of a folder.
func (c *faultCase) try(t *testing.T, n int, start string, before, after map[string]string) {
	t.Helper()
	dir, temporary := copyFolder(t, start), t.TempDir()
	defer os.RemoveAll(dir) // there are thousands of them
	t.Setenv("TMPDIR", temporary)
	f := &injected{n: n}
	remove := fault.Install(f.check)
	code, out, msg := call(t, inFolder(dir, c.args)...)
	remove()
	what := fmt.Sprintf("call %d, %s of %s: %v", n, f.op, strings.TrimPrefix(f.path, dir), f.err)
	got := snapshot(t, dir)
	if f.op == "" { // goroutines may make slightly fewer calls
		if code != exitDone || differ(after, got) != "" {
			t.Errorf("%s: exit code %d, %s: %s", what, code, msg, differ(after, got))
		}
		return
	}
	if code == exitDone {
		// These are not needed: closing files that were read, mapping files that can also be read,
		// opening and reading files a second time, and saying how long a fit took.
		if change := differ(after, got); change != "" {
			t.Errorf("%s: exit code 0, but %s", what, change)
		}
		again := f.op == fault.Open && !strings.HasSuffix(f.path, ".tmp")
		if f.op != fault.Close && f.op != fault.Map && f.op != fault.Read && !again && !f.board {
			t.Errorf("%s: exit code 0", what)
		}
		return
	}
	want := exitFailed
	if f.err == syscall.ENOSPC || f.err == syscall.EMFILE {
		want = exitResources
	}
	if code != want || !strings.Contains(msg, f.err.Error()) || !strings.HasPrefix(lastLine(msg), "fsa: ") {
		t.Errorf("%s: exit code %d, not %d, says %q", what, code, want, msg)
	}
	inPlace := f.op == fault.Sync && filepath.Ext(f.path) == "" // the names in the folder may not be durable
	inPlace = inPlace && f.path != filepath.Join(dir, "state")
	if journal := "/results/regression.jsonl"; !inPlace && strings.HasPrefix(got[journal], before[journal]) { // completed fits stay
		got[journal] = before[journal]
		if before[journal] == "" {
			delete(got, journal)
		}
	}
	if !inPlace { // completed rounds stay
		for name := range got {
			if _, old := before[name]; !old && strings.HasPrefix(name, "/state/round-") {
				delete(got, name)
			}
		}
	}
	if strings.Contains(msg, continues) { // unfinished files
		for _, name := range []string{"/run/" + checkpointName, "/o.fsa." + checkpointName, "/o.fsa.part"} {
			delete(got, name)
		}
	}
	if change := differ(before, got); change != "" && !inPlace {
		t.Errorf("%s: %s", what, change)
	}
	if change := differ(after, got); change != "" && inPlace {
		t.Errorf("%s: %s", what, change)
	}
	// The model may have been saved elsewhere.
	left, err := os.ReadDir(temporary)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range left {
		if !strings.HasPrefix(e.Name(), "fsa-model-") || !strings.Contains(msg, e.Name()) {
			t.Errorf("%s: %s is left", what, e.Name())
		}
	}
	if learns := c.args[0] == "fit" || c.args[1] == "train"; learns && strings.Contains(msg, notSaved) && len(left) == 0 && out == "" {
		t.Errorf("%s: what was learned is lost", what)
	}
}

// lastLine returns the last line of a text.
func lastLine(text string) string {
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	return lines[len(lines)-1]
}
