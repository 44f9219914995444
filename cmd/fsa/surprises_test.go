package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// An empty value of a flag is not the same as a missing flag.
func TestEmptyFlags(t *testing.T) {
	table := file(t, "t.csv", "a,b,y\n1,2,0\n2,3,1\n3,1,0\n")
	for _, args := range [][]string{
		{"fit", table, "-k", "1", "--out", ""}, {"fit", table, "-k", "1", "--target="}, {"fit", table, "-k", "1", "--drop", ""}, {"fit", table, "-k", "1", "--memory", ""},
		{"fit", table, "-k", "1", "--groups", ""}, {"predict", "run", table, "--out", ""}, {"generate", "ar1", "--out", ""}, {"demo", "--out", ""}, {"keypoint", "detect", "a", "b", "--draw", ""},
	} {
		refused(t, args, exitUsage, "is empty")
	}
}

// The page of a detector does not replace the detector.
func TestPageOfADetector(t *testing.T) {
	refused(t, []string{"keypoint", "train", "faces", "--point", "chin", "--out", "chin.html", "--report"}, exitUsage, "does not end in .html")
}

// The address of an object cannot be written to, and makes no folder called s3:.
func TestOutputInAStore(t *testing.T) {
	t.Chdir(t.TempDir())
	table := file(t, "t.csv", "a,b,y\n1,2,0\n2,3,1\n3,1,0\n")
	const to = "s3://bucket/x"
	for _, args := range [][]string{
		{"fit", table, "-k", "1", "--out", to}, {"convert", table, to + ".fsa"}, {"generate", "ar1", "--out", to + ".csv"}, {"predict", "run", table, "--out", to}, {"export", "run", "--to", "onnx", "--out", to},
		{"report", "run", "--out", to}, {"plot", "run", "--what", "path", "--out", to}, {"paper", "cost", "--out", to}, {"demo", "--out", to},
		{"motion", "train", "d", "--out", to}, {"motion", "evaluate", "d", "--svg", to}, {"keypoint", "detect", "a", "b", "--draw", to}, {"keypoint", "train", "d", "--point", "chin", "--out", "x", "--state", to},
	} {
		refused(t, args, exitUsage, "to this machine only")
	}
	if _, err := os.Stat("s3:"); err == nil {
		t.Error("there is a folder called s3:")
	}
}

// Queries that a float64 cannot distinguish are refused, the others are distinguished.
func TestLargeQueries(t *testing.T) {
	rows := func(ids ...string) string {
		text := "q,a,b,y\n"
		for i, id := range ids {
			for j := range 4 {
				text += fmt.Sprintf("%s,%d,%d,%d\n", id, (i+j)*7%5, j*3%4, j)
			}
		}
		return text
	}
	fit := func(content string, more ...string) []string {
		return append([]string{"fit", file(t, "t.csv", content), "--query", "q", "-k", "1", "--loss", "rank"}, more...)
	}
	for _, id := range []string{"9007199254740992", "9007199254740993", "-9007199254740992", "9223372036854775807", "1e300"} {
		refused(t, fit(rows("1", id)), exitBadData, "t.csv:6", "column q", "2^53", "--categorical")
	}
	must(t, fit(rows("9007199254740990", "9007199254740991"))...)
	must(t, fit(rows("9007199254740992", "9007199254740993"), "--categorical", "q")...)
	must(t, "fit", file(t, "t.svm", "1 qid:9007199254740992 1:1\n0 qid:9007199254740992 1:2\n1 qid:9007199254740993 1:1\n0 qid:9007199254740993 1:3\n"), "-k", "1", "--loss", "rank")
}

// One absurd cell hides its column, which is noted.
func TestAbsurdCell(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	table := func(cell string) string {
		var text strings.Builder
		text.WriteString("strong,weak,rare,y\n")
		for i := range 200 {
			strong, weak := rng.NormFloat64(), rng.NormFloat64()
			shown := fmt.Sprint(strong)
			if i == 77 {
				shown = cell
			}
			fmt.Fprintf(&text, "%s,%v,%d,%v\n", shown, weak, i/199, 3*strong+weak)
		}
		return file(t, "t.csv", text.String())
	}
	for cell, said := range map[string]bool{"1e30": true, "-99999999": true, "0.5": false, "": false} {
		code, _, msg := call(t, "fit", table(cell), "-k", "1", "--quick")
		if code != exitDone || strings.Contains(msg, "column strong has one extreme value") != said || strings.Contains(msg, "rare") {
			t.Errorf("a cell of %q: exit code %d, says %q", cell, code, msg)
		}
	}
}

// Extreme targets are noted if they may dominate the fit, or if cross-validation chose the huber loss for them.
func TestExtremeTargetNote(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	var text strings.Builder
	text.WriteString("a,b,y\n")
	for i := range 100 {
		a := rng.NormFloat64()
		y := a + 0.2*rng.NormFloat64()
		if i%40 == 7 {
			y = 1000
		}
		fmt.Fprintf(&text, "%v,%v,%v\n", a, rng.NormFloat64(), y)
	}
	path := file(t, "t.csv", text.String())
	for flags, says := range map[string]string{
		"":               "3 target values are extreme, and out of fold the huber loss",
		"--explain":      "3 extreme target values: both are",
		"--quick":        "3 target values are extreme outliers and may dominate the fit",
		"--loss squared": "3 target values are extreme outliers and may dominate the fit",
		"--loss huber":   "",
	} {
		code, _, msg := call(t, append([]string{"fit", path, "-k", "1"}, strings.Fields(flags)...)...)
		if code != exitDone || !strings.Contains(msg, says) || says == "" && strings.Contains(msg, "extreme") {
			t.Errorf("%q: exit code %d, says %q", flags, code, msg)
		}
	}
}

// What cannot be measured for the model that cross-validation chose is missing with a note, and the model stays the same.
func TestUnmeasuredNote(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 2))
	tables := map[bool]string{}
	for _, extreme := range []bool{false, true} {
		var text strings.Builder
		text.WriteString("a,b,c,y\n")
		for i := range 160 {
			a, b := rng.NormFloat64(), rng.NormFloat64()
			y := a + b + a*b + 0.2*rng.NormFloat64()
			if extreme {
				y = a + 0.2*rng.NormFloat64()
			}
			if extreme && i%40 == 7 {
				y = 1000
			}
			fmt.Fprintf(&text, "%v,%v,%v,%v\n", a, b, rng.NormFloat64(), y)
		}
		tables[extreme] = file(t, fmt.Sprintf("%v.csv", extreme), text.String())
	}
	const notRivals, notIntervals, noLikelihood = "the rivals were not measured", "so its effects have no intervals", "no confidence intervals, because they need a likelihood"
	for _, c := range []struct {
		extreme bool
		flags   string
		says    string
	}{
		{false, "", ""}, {false, "--rivals", notRivals}, {false, "--stability 2", notIntervals}, {false, "--confidence 0.9 --stability 2", notIntervals},
		{true, "", ""}, {true, "--rivals", ""}, {true, "--stability 2", ""}, {true, "--confidence 0.9 --stability 2", noLikelihood},
	} {
		code, _, msg := call(t, append([]string{"fit", tables[c.extreme]}, strings.Fields(c.flags)...)...)
		if code != exitDone || !strings.Contains(msg, c.says) {
			t.Errorf("%v: %q: exit code %d, says %q, not %q", c.extreme, c.flags, code, msg, c.says)
		}
		for _, other := range []string{notRivals, notIntervals, noLikelihood} {
			if other != c.says && strings.Contains(msg, other) {
				t.Errorf("%v: %q says %q", c.extreme, c.flags, msg)
			}
		}
	}
}

// A storage that needs the table in memory is refused before the table is copied to a file because
// it does not fit.
func TestStorageBeforeCopy(t *testing.T) {
	path := filepath.Join(t.TempDir(), "t.csv")
	must(t, "generate", "ar1", "--n", "600", "--m", "3000", "--k", "5", "--out", path)
	folder := t.TempDir()
	t.Setenv("TMPDIR", folder)
	code, _, msg := call(t, "fit", path, "-k", "2", "--memory", "132MiB", "--storage", "int8")
	if code != exitResources || !strings.Contains(msg, "--storage int8") || strings.Contains(msg, "copied") {
		t.Errorf("exit code %d, says %q", code, msg)
	}
	if left, err := os.ReadDir(folder); err != nil || len(left) > 0 {
		t.Errorf("%v, %v", left, err)
	}
}
