package paper

import (
	"context"
	"errors"
	"hash/fnv"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"fsa/internal/need"
)

// shared returns a folder of the shared data sets, or skips the test.
func shared(t *testing.T, name string) string {
	t.Helper()
	return need.Data(t, name)
}

// count reads a source to its end.
func count(t *testing.T, s source) (rows int, positive float64) {
	t.Helper()
	for r := s.reader(); ; {
		b, err := r.Next(t.Context())
		if errors.Is(err, io.EOF) {
			return rows, positive
		}
		if err != nil {
			t.Fatal(err)
		}
		if len(b.Label) != b.Rows {
			t.Fatalf("%d labels for %d rows", len(b.Label), b.Rows)
		}
		rows += b.Rows
		for _, y := range b.Label {
			if y > 0 {
				positive++
			}
		}
	}
}

func TestSplits(t *testing.T) {
	for _, c := range []struct {
		folder             string
		load               func(context.Context, string) (*splits, error)
		train, valid, test int
	}{
		{"dexter", loadDexter, 300, 300, 0},
		{"url_reputation", loadURL, 6441, 0, 317},
		{"reuters_acq", loadReuters("acq_unigram.svm.gz"), 7907, 0, 3460},
	} {
		t.Run(c.folder, func(t *testing.T) {
			parts, err := c.load(t.Context(), shared(t, c.folder))
			if err != nil {
				t.Fatal(err)
			}
			for i, want := range []int{c.train, c.valid, c.test} {
				part := []source{parts.train, parts.valid, parts.test}[i]
				if part == nil {
					if want > 0 {
						t.Errorf("part %d is missing", i)
					}
					continue
				}
				rows, positive := count(t, part)
				if rows != want || positive == 0 || int(positive) == rows {
					t.Errorf("part %d has %d rows, %v positive ones, want %d rows", i, rows, positive, want)
				}
				if again, _ := count(t, part); again != rows {
					t.Errorf("part %d has %d rows when it is read again", i, again)
				}
			}
		})
	}
}

// A line on dexter: the paper prints an error of 8.67% for annealing, and this is less than a whole
// percent worse.
func TestDexterLine(t *testing.T) {
	need.Long(t)
	parts, err := loadDexter(t.Context(), shared(t, "dexter"))
	if err != nil {
		t.Fatal(err)
	}
	l := line{contender: contender{label: "FSA", name: ours, loss: "logistic"}, k: 93}
	v, err := l.measure(t.Context(), "dexter", parts, 1, fitLimit)
	if err != nil {
		t.Fatal(err)
	}
	if v[trainRows] != 300 || v[trainColumns] != 20000 || v[selected] != 93 || v[trainError] > 1 || v[validError] > 9.67 {
		t.Errorf("%v", v)
	}
	l.both = true
	v, err = l.measure(t.Context(), "dexter", parts, 1, fitLimit)
	if err != nil {
		t.Fatal(err)
	}
	if v[trainRows] != 600 || v[validError] > 2 {
		t.Errorf("with the validation rows: %v", v)
	}
}

// A fit that takes too long is stopped and recorded as such; an interrupted one is not.
func TestFitLimit(t *testing.T) {
	parts, err := loadDexter(t.Context(), shared(t, "dexter"))
	if err != nil {
		t.Fatal(err)
	}
	l := line{contender: contender{label: "FSA", name: ours, loss: "logistic"}, k: 93}
	v, err := l.measure(t.Context(), "dexter", parts, 1, 1)
	if err != nil || len(v) != 1 || v[gaveUp] != 1e-9 {
		t.Errorf("%v, %v", v, err)
	}
	ctx, stop := context.WithCancel(t.Context())
	stop()
	if v, err := l.measure(ctx, "dexter", parts, 1, fitLimit); !errors.Is(err, context.Canceled) {
		t.Errorf("interrupted: %v, %v", v, err)
	}
}

// Without any data there is no table, and no folder for it.
func TestUCIWithoutData(t *testing.T) {
	e, _ := Lookup("uci")
	folder, out := t.TempDir(), filepath.Join(t.TempDir(), "out")
	_, err := Run(t.Context(), e, Setup{Data: folder, Out: out})
	if want := "none of the folders dexter, digits49, url_reputation, reuters_acq is in " + folder; err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("error %v, want %q", err, want)
	}
	if _, err := os.Stat(out); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("there is a folder for results: %v", err)
	}
}

// Data sets that exist are measured, the others are named.
func TestUCIWithSomeData(t *testing.T) {
	need.Long(t)
	dexter, folder := shared(t, "dexter"), t.TempDir()
	err := os.Symlink(dexter, filepath.Join(folder, "dexter"))
	need.System(t, err == nil, "symbolic links that every user may make")
	e, _ := Lookup("uci")
	r := run(t, e, Setup{Data: folder, Methods: []string{"FSA logistic"}})
	for _, d := range datasets() {
		lacking := slices.ContainsFunc(r.Notes, func(n string) bool { return strings.HasPrefix(n, d.name+": there is no folder") })
		known := anyRow(r.Rows, func(r Row) bool { return r.Data == d.name && r.Ours != nil })
		if here := d.folder == "dexter"; known != here || lacking == here {
			t.Errorf("%s: measured %v, named as lacking %v", d.name, known, lacking)
		}
	}
	checkFiles(t, r)
}

func TestStandIn(t *testing.T) {
	need.Long(t)
	d, err := readDigits(t.Context(), shared(t, "digits49"))
	if err != nil {
		t.Fatal(err)
	}
	train, valid, test := makeStandIn(d)
	for part, want := range map[*standIn]int{train: gisetteTrain, valid: gisetteValid, test: gisetteTest} {
		rows, positive := count(t, part)
		if share := positive / float64(rows); rows != want || share < 0.4 || share > 0.6 {
			t.Errorf("%d rows, %v of them positive, want %d rows", rows, share, want)
		}
	}

	// A probe has the values of another column in another order: each list of frequencies of values
	// occurs an even number of times.
	twins := map[uint64]int{}
	sum := fnv.New64a()
	for c := range gisetteCols {
		values := slices.Concat(train.columns[c], valid.columns[c], test.columns[c])
		sum.Write(bytesOf(values))
		var often [levels + 1]uint16
		for _, v := range values {
			often[v]++
		}
		h := fnv.New64a()
		h.Write(bytesOf(often[:]))
		twins[h.Sum64()]++
	}
	for _, n := range twins {
		if n%2 != 0 {
			t.Fatalf("%d columns have the same values: a probe or its column is missing", n)
		}
	}
	// The table is the same every time. This program computed the checksum, which changes only if
	// the stand-in does; its results are then different, too.
	if got, want := sum.Sum64(), uint64(0xc213f1fb49a3a189); got != want {
		t.Errorf("checksum %#x, want %#x", got, want)
	}
}

func bytesOf(values []uint16) []byte {
	var out []byte
	for _, v := range values {
		out = append(out, byte(v), byte(v>>8))
	}
	return out
}

func TestStandInRefuses(t *testing.T) {
	if _, err := readDigits(t.Context(), t.TempDir()); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("nothing there: %v", err)
	}
}

// A method that a table does not have is refused, and the message lists those that it has.
func TestUnknownMethod(t *testing.T) {
	e, _ := Lookup("classification")
	out := filepath.Join(t.TempDir(), "out")
	_, err := Run(t.Context(), e, Setup{Out: out, Runs: 1, MaxN: 300, Methods: []string{"FSA", "nope"}})
	if err == nil || !strings.Contains(err.Error(), `no method "nope"`) || !strings.Contains(err.Error(), "FSA, FSV") {
		t.Errorf("error %v", err)
	}
	if r := run(t, e, Setup{Runs: 1, MaxN: 300, Methods: []string{"FSA", "nope"}, Some: true}); len(r.Files) == 0 {
		t.Error("nothing was done by the one that there is")
	}
}
