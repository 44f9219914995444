//go:build linux

package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"fsa/internal/need"
)

// Tables of very many columns are converted and fitted within the permitted memory, or refused
// before it is exceeded, for cells of every type.
func TestMemoryOfColumns(t *testing.T) {
	need.Long(t)
	const cols, rows, mib = 60_000, 40, 1 << 20
	dir := t.TempDir()
	done, refused, either := []int{exitDone}, []int{exitResources}, []int{exitDone, exitResources}
	csv := func(cell func(i, j int) string) func(w io.Writer) error {
		return func(w io.Writer) error {
			line := []byte("y")
			for j := range cols {
				line = fmt.Appendf(line, ",x%d", j)
			}
			for i := range rows {
				line = fmt.Appendf(line, "\n%d", i%2)
				for j := range cols {
					line = append(append(line, ','), cell(i, j)...)
				}
				if _, err := w.Write(line); err != nil {
					return err
				}
				line = line[:0]
			}
			_, err := w.Write([]byte("\n"))
			return err
		}
	}
	digit := func(i, j int) string { return string(rune('0' + (i*7+j)%10)) }
	for _, c := range []struct {
		name    string
		write   func(w io.Writer) error
		memory  int64
		convert []int
		fit     []int // nil for no fit
	}{
		{"numbers.csv", csv(digit), 160, done, done},
		{"float64.csv", csv(func(i, j int) string { return "170000000" + digit(i, j) + ".7" }), 90, done, nil},
		{"late.csv", csv(func(i, j int) string {
			if i == rows-1 {
				return "1.23456789e30"
			}
			return digit(i, j)
		}), 90, done, nil},
		{"commas.csv", csv(func(i, j int) string { return `"1,` + digit(i, j) + `"` }), 80, refused, refused},
		{"texts.csv", csv(func(i, j int) string { return "is " + digit(i%3, j) }), 80, refused, refused},
		{"scattered.svm", func(w io.Writer) error { return scattered(w, 600, 1000) }, 100, refused, either},
	} {
		path := filepath.Join(dir, c.name)
		if _, err := os.Stat(path); err != nil {
			into(t, path, nil, c.write)
		}
		memory := fmt.Sprintf("%dMiB", c.memory)
		for _, try := range []struct {
			args  []string
			codes []int
		}{
			{[]string{"convert", path, filepath.Join(dir, "o.fsa"), "--memory", memory}, c.convert},
			{[]string{"fit", path, "-k", "3", "--quick", "--epochs", "3", "--memory", memory}, c.fit},
		} {
			if try.codes == nil {
				continue
			}
			code, msg, rss := peak(t, dir, try.args...)
			if !slices.Contains(try.codes, code) || rss > (c.memory+32)*mib {
				t.Errorf("%s %s: exit code %d, %d MiB of %s: %.300s", try.args[0], c.name, code, rss/mib, memory, msg)
			}
			t.Logf("%s %s: %d MiB of %s, exit code %d", try.args[0], c.name, rss/mib, memory, code)
		}
	}
}
