//go:build !windows

package main

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"fsa/internal/need"
)

// soak is how long random tables are fitted; .ci/nightly sets it.
const soak = "FSA_SOAK"

// TestSoak fits random tables, many of them degenerate, in random ways. The result is a model or a
// clear refusal, the same with another number of threads, and no goroutine and no open file is
// left.
func TestSoak(t *testing.T) {
	rounds, until := 6, time.Time{}
	if d, err := time.ParseDuration(os.Getenv(soak)); err == nil {
		rounds, until = math.MaxInt, time.Now().Add(d)
	} else {
		need.Long(t)
	}
	dir := t.TempDir()
	goroutines, files := 0, 0
	fits, refusals := 0, 0
	for n := 0; n < rounds && (until.IsZero() || time.Now().Before(until)); n++ {
		rng := rand.New(rand.NewPCG(uint64(n), 5))
		path, args := randomFit(t, rng, dir)
		var models [2][]byte
		var codes [2]int
		for i := range models {
			out := filepath.Join(t.TempDir(), "run")
			var stdout, stderr bytes.Buffer
			codes[i] = run(context.Background(), append(args, "--out", out, "--threads", fmt.Sprint(1+2*i)), &stdout, &stderr)
			switch codes[i] {
			case exitDone:
				models[i] = read(t, filepath.Join(out, modelName))
			case exitUsage, exitBadData, exitResources:
				if !strings.HasPrefix(lastLine(strings.TrimSuffix(stderr.String(), "Run 'fsa fit --help' for usage.\n")), "fsa: ") {
					t.Errorf("seed %d: %v says %s", n, args, stderr.String())
				}
			default:
				t.Errorf("seed %d: %v: exit code %d: %s", n, args, codes[i], stderr.String())
			}
		}
		if codes[0] != codes[1] || !bytes.Equal(models[0], models[1]) {
			t.Errorf("seed %d: %v depends on the number of threads", n, args)
		}
		if codes[0] == exitDone {
			fits++
		} else {
			refusals++
		}
		os.Remove(path)
		runtime.GC() // files that are read at random positions close when they are no longer used
		open, err := os.ReadDir("/proc/self/fd")
		if n == 5 {
			goroutines, files = runtime.NumGoroutine(), len(open)
		} else if n > 5 && (runtime.NumGoroutine() > goroutines+8 || err == nil && len(open) > files+8) {
			t.Fatalf("seed %d: %d goroutines and %d open files, where there were %d and %d", n, runtime.NumGoroutine(), len(open), goroutines, files)
		}
	}
	t.Logf("%d tables fitted twice, %d refused twice", fits, refusals)
}

// randomFit writes a random table and returns how it is to be fitted.
func randomFit(t *testing.T, rng *rand.Rand, dir string) (path string, args []string) {
	t.Helper()
	rows, cols := 1+rng.IntN(120), 1+rng.IntN(40)
	kinds := make([]int, cols+1)
	for j := range kinds {
		kinds[j] = rng.IntN(9)
	}
	var text strings.Builder
	for j := range cols {
		fmt.Fprintf(&text, "x%d,", j)
	}
	text.WriteString("y\n")
	for i := range rows {
		for j, kind := range kinds {
			if j > 0 {
				text.WriteByte(',')
			}
			v := rng.NormFloat64()
			switch kind {
			case 0: // constant
				text.WriteString("3")
			case 1: // texts
				fmt.Fprintf(&text, "c%d", rng.IntN(4))
			case 2: // mostly missing
				if rng.IntN(3) > 0 {
					text.WriteString("NA")
				} else {
					fmt.Fprint(&text, v)
				}
			case 3: // two values
				fmt.Fprint(&text, rng.IntN(2))
			case 4: // huge
				fmt.Fprint(&text, v*1e30)
			case 5: // the number of the row
				fmt.Fprint(&text, i)
			default:
				fmt.Fprint(&text, v)
			}
		}
		text.WriteByte('\n')
	}
	path = filepath.Join(dir, "t.csv")
	write(t, path, []byte(text.String()))
	args = []string{"fit", path, "--target", "y"}
	if rng.IntN(3) > 0 {
		args = append(args, "-k", fmt.Sprint(1+rng.IntN(cols)))
	}
	for _, some := range [][]string{{"--quick"}, {"--polish"}, {"--bins", "3"}, {"--loss", "svm"}, {"--loss", "huber"}, {"--ridge", "none"}, {"--batch", "16"}, {"--scale", "none"}} {
		if rng.IntN(5) == 0 {
			args = append(args, some...)
		}
	}
	return path, append(args, "--epochs", "30")
}
