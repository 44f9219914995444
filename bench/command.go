package bench

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	scripts "fsa/scripts/peers"
)

// Command says what a whole command costs, from the file to the model.
type Command struct {
	Format string `json:"format"`
	N      int    `json:"n"`
	M      int    `json:"m"`
	// FileBytes is the size of the file, and PeakOverNumbers the peak of memory over that
	// of the numbers, at four bytes each; 0 where the system does not tell.
	FileBytes       int64   `json:"file_bytes"`
	PeakOverNumbers float64 `json:"peak_over_numbers"`
	// Seconds is the time of the command, of which Read is for reading.
	Seconds float64 `json:"seconds"`
	Read    float64 `json:"read"`
	// Readers is how long other programs take to read the file, by their names.
	Readers map[string]float64 `json:"readers"`
}

// fileReaders are the programs that read each format.
var fileReaders = []struct {
	format string
	by     []string
}{
	{"npy", []string{"numpy"}},
	{"parquet", []string{"polars", "duckdb"}},
	{"csv", []string{"polars", "duckdb"}},
}

// command fits tables in files by the whole command, without validation, and lets other
// programs read the same files.
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
		write := exec.CommandContext(ctx, b.Program, "generate", "ar1", "--n", strconv.Itoa(s.n), "--m", strconv.Itoa(s.m), "--k", strconv.Itoa(s.k), "--out", path)
		if _, err := output(write); err != nil {
			return fmt.Errorf("bench: writing a table: %w", err)
		}
		c, err := b.commandOn(ctx, path, f.format, s)
		if err != nil {
			return err
		}
		for _, name := range f.by {
			if hello.Methods[name] == "" {
				continue
			}
			var seconds []float64
			for range b.repeats {
				a, err := others.fit(ctx, strings.Join([]string{name, strconv.Itoa(b.Threads), path}, "\t"), b.peerLimit)
				if err == nil && a.Error != "" {
					err = fmt.Errorf("%s", a.Error)
				}
				if err != nil {
					b.report.Missing = append(b.report.Missing, Missing{name + " (" + f.format + ")", err.Error()})
					break
				}
				seconds = append(seconds, a.Seconds)
			}
			if len(seconds) == b.repeats {
				c.Readers[name] = median(seconds)
			}
		}
		b.report.Commands = append(b.report.Commands, c)
		if err := os.Remove(path); err != nil {
			return err
		}
	}
	return ctx.Err()
}

// startReaders starts the program that reads files by others. One that cannot be started
// knows no methods.
func (b *bencher) startReaders(ctx context.Context) (*runner, answer) {
	r := &runner{args: []string{b.Peers, filepath.Join(b.dir, "read.py")}}
	lack := func(why string) {
		for _, name := range []string{"numpy", "polars", "duckdb"} {
			b.report.Missing = append(b.report.Missing, Missing{name, why})
		}
	}
	if b.Peers == "" {
		lack("no peers were asked for")
		return r, answer{}
	}
	err := os.WriteFile(r.args[1], scripts.Read, 0o600)
	if err != nil {
		lack(err.Error())
		return r, answer{}
	}
	hello, err := r.start(ctx)
	if err != nil {
		lack(err.Error())
	}
	for name, why := range hello.Missing {
		b.report.Missing = append(b.report.Missing, Missing{name, why})
	}
	return r, hello
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
		cmd := exec.CommandContext(ctx, b.Program, "fit", path, "-k", strconv.Itoa(s.k), "--quick", "--json", "--threads", strconv.Itoa(b.Threads))
		start := time.Now()
		out, err := output(cmd)
		if err != nil {
			return c, fmt.Errorf("bench: the fit of a table in a file: %w", err)
		}
		seconds = append(seconds, time.Since(start).Seconds())
		var answer struct {
			SecondsRead float64 `json:"seconds_read"`
			PeakBytes   float64 `json:"peak_bytes"`
		}
		if err := json.Unmarshal(out, &answer); err != nil {
			return c, err
		}
		read, peak = append(read, answer.SecondsRead), append(peak, answer.PeakBytes)
	}
	c.Seconds, c.Read, c.PeakOverNumbers = median(seconds), median(read), median(peak)/float64(4*s.n*s.m)
	return c, nil
}
