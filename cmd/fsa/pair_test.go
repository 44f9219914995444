package main

import (
	"path/filepath"
	"testing"
)

// Labels that were written with another table are refused, however the two files were combined,
// unless they are given by name.
func TestMixedPair(t *testing.T) {
	for _, ext := range []string{".npy", ".npy.gz"} {
		if testing.Short() && ext != ".npy" {
			continue
		}
		dir := t.TempDir()
		x, y := filepath.Join(dir, "X"+ext), filepath.Join(dir, "X.y.npy")
		generate := func(seed string) {
			must(t, "generate", "ar1", "--n", "300", "--m", "100", "--k", "2", "--seed", seed, "--out", x)
		}
		generate("1")
		old, labels := read(t, x), read(t, y)
		must(t, "fit", x, "-k", "2")
		generate("2")
		must(t, "fit", x, "-k", "2")
		newer := read(t, y)

		for what, put := range map[string]func(){
			"new labels of an old table": func() { write(t, x, old) },
			"old labels of a new table":  func() { write(t, y, labels) },
		} {
			generate("2")
			put()
			for _, args := range [][]string{{"fit", x, "-k", "2"}, {"convert", x, filepath.Join(dir, "X.fsa")}} {
				t.Log(what, args)
				refused(t, args, exitBadData, "X.y.npy", "X"+ext, "--target")
			}
			must(t, "fit", x, "--target", y, "-k", "2")
		}

		// Labels of NumPy do not say what they belong to.
		write(t, x, old)
		write(t, y, newer[:128+8*300])
		must(t, "fit", x, "-k", "2")
	}
}
