package bench

import (
	"context"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	scripts "fsa/scripts/peers"
)

// fileReaders are the programs that read each format.
var fileReaders = []struct {
	format string
	by     []string
}{
	{"npy", []string{"numpy"}},
	{"parquet", []string{"polars", "duckdb"}},
	{"csv", []string{"polars", "duckdb"}},
}

// command fits tables in files by the whole command, without cross-validation, and reads the same
// files with other programs.
func (b *bencher) command(ctx context.Context) error {
	if b.Program == "" {
		return nil
	}
	others, hello := b.startReaders(ctx)
	defer others.stop()
	for _, f := range fileReaders {
		s := b.commandShape
		path := filepath.Join(b.dir, "table."+f.format)
		b.Log("command: writing %d×%d as %s", s.n, s.m, f.format)
		if err := b.generate(ctx, "ar1", s, path); err != nil {
			return err
		}
		c, err := b.commandOn(ctx, path, f.format, s)
		if err != nil {
			return err
		}
		for _, name := range f.by {
			if hello.Methods[name] == "" {
				continue
			}
			if c.Readers[name], err = b.readBy(ctx, others, name, path); err != nil {
				delete(c.Readers, name)
				b.report.Missing = append(b.report.Missing, Missing{name + " (" + f.format + ")", err.Error()})
			}
		}
		b.report.Commands = append(b.report.Commands, c)
		if err := os.Remove(path); err != nil {
			return err
		}
	}
	return ctx.Err()
}

// startReaders starts the program that reads files with other libraries. If it cannot be started,
// it has no methods.
func (b *bencher) startReaders(ctx context.Context) (*runner, answer) {
	r := &runner{args: []string{b.Peers, filepath.Join(b.dir, "read.py")}}
	hello, err := answer{}, errors.New("--peers was not given")
	if b.Peers != "" {
		if err = os.WriteFile(r.args[1], scripts.Read, 0o600); err == nil {
			hello, err = r.start(ctx)
		}
	}
	if err != nil {
		b.report.Missing = append(b.report.Missing, Missing{"other readers", err.Error()})
	}
	for _, name := range slices.Sorted(maps.Keys(hello.Missing)) {
		b.report.Missing = append(b.report.Missing, Missing{name, hello.Missing[name]})
	}
	return r, hello
}

// readBy returns the time that another program takes to read a file.
func (b *bencher) readBy(ctx context.Context, others *runner, name, path string) (float64, error) {
	var seconds []float64
	for range b.repeats {
		a, err := others.fit(ctx, strings.Join([]string{name, strconv.Itoa(b.Threads), path}, "\t"), b.peerLimit)
		if err == nil {
			err = a.check(0, 0)
		}
		if err != nil {
			return 0, err
		}
		seconds = append(seconds, a.Seconds)
	}
	return median(seconds), nil
}

// commandOn fits a table in a file by the whole command.
func (b *bencher) commandOn(ctx context.Context, path, format string, s shape) (Command, error) {
	c := Command{Format: format, N: s.n, M: s.m, Readers: map[string]float64{}}
	info, err := os.Stat(path)
	if err != nil {
		return c, err
	}
	c.FileBytes = info.Size()
	var seconds, read, peak []float64
	for range b.repeats {
		b.Log("command: fitting from %s", format)
		took, err := b.fitFile(ctx, path, s.k, "--quick")
		if err != nil {
			return c, err
		}
		seconds, read, peak = append(seconds, took.seconds), append(read, took.SecondsRead), append(peak, float64(took.PeakBytes))
	}
	c.Seconds, c.Read, c.PeakOverNumbers = median(seconds), median(read), median(peak)/float64(4*s.n*s.m)
	return c, nil
}
