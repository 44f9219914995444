package bench

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"time"
)

// disk fits a table that is larger than its memory limit, in a process of its own, which reports
// its peak if the system knows it. The file is removed from the system's cache before it is read,
// also before the plain read that measures the disk.
func (b *bencher) disk(ctx context.Context) error {
	if b.Program == "" {
		return nil
	}
	t, repeats := b.Table, 1
	if t.Path == "" {
		repeats = b.repeats
		s := b.diskShape
		t = Table{Path: filepath.Join(b.dir, "table.fsa"), K: s.k}
		b.Log("out of core: writing %d×%d", s.n, s.m)
		if err := b.generate(ctx, "equicorrelated", s, t.Path); err != nil {
			return err
		}
	}
	info, err := os.Stat(t.Path)
	if err != nil {
		return err
	}
	if t.Memory == 0 {
		t.Memory = info.Size() / diskShare
	}
	b.Log("out of core: fitting with a memory limit of %.2g of its size", float64(t.Memory)/float64(info.Size()))
	var over, rate, seconds []float64
	for range repeats {
		bandwidth, err := readBandwidth(ctx, t.Path, b.Threads)
		if err != nil {
			return err
		}
		forget(t.Path)
		took, err := b.diskFit(ctx, t)
		if err != nil {
			return err
		}
		rate, seconds = append(rate, bandwidth), append(seconds, took.seconds)
		d := &Disk{
			ReadBytesPerSecond: median(rate),
			Seconds:            median(seconds),
			BytesReadOverFile:  float64(took.BytesRead) / float64(info.Size()),
			PeakOverPromise:    float64(took.PeakBytes) / float64(t.Memory),
			InMemory:           took.BytesRead == 0,
		}
		if !d.InMemory {
			over = append(over, took.seconds/(float64(took.BytesRead)/bandwidth))
			d.OverRead = median(over)
		}
		b.report.OutOfCore = d
	}
	return nil
}

// diskShare is the size of the table in multiples of the memory limit.
const diskShare = 3

// diskFit fits a table that is larger than its memory limit.
func (b *bencher) diskFit(ctx context.Context, t Table) (fitCost, error) {
	return b.fitFile(ctx, t.Path, t.K, "--polish="+strconv.FormatBool(t.Polish), "--memory", strconv.FormatInt(t.Memory, 10))
}

// generate writes a table with the program.
func (b *bencher) generate(ctx context.Context, kind string, s shape, path string, flags ...string) error {
	args := append([]string{"generate", kind, "--n", strconv.Itoa(s.n), "--m", strconv.Itoa(s.m), "--k", strconv.Itoa(s.k), "--out", path}, flags...)
	if _, err := output(exec.CommandContext(ctx, b.Program, args...)); err != nil {
		return fmt.Errorf("bench: writing a table: %w", err)
	}
	return nil
}

// fitCost is the cost of a whole command.
type fitCost struct {
	seconds     float64
	SecondsRead float64 `json:"seconds_read"`
	SecondsFit  float64 `json:"seconds_fit"`
	Passes      float64 `json:"passes"`     // readings of the whole table
	BytesRead   int64   `json:"bytes_read"` // 0 if the whole table was in memory
	PeakBytes   int64   `json:"peak_bytes"`
	Selected    []struct {
		Index int `json:"index"`
	} `json:"selected"`
}

// fitFile fits a table in a file with the program.
func (b *bencher) fitFile(ctx context.Context, path string, k int, flags ...string) (c fitCost, err error) {
	args := append([]string{"fit", path, "-k", strconv.Itoa(k), "--json", "--threads", strconv.Itoa(b.Threads)}, flags...)
	start := time.Now()
	out, err := output(exec.CommandContext(ctx, b.Program, args...))
	if err != nil {
		return c, fmt.Errorf("bench: the fit of a table in a file: %w", err)
	}
	c.seconds = time.Since(start).Seconds()
	return c, json.Unmarshal(out, &c)
}

// output runs a program and returns its output. If it fails, the error has its error message.
func output(cmd *exec.Cmd) ([]byte, error) {
	out, err := cmd.Output()
	if e, ok := errors.AsType[*exec.ExitError](err); ok && len(e.Stderr) > 0 {
		err = fmt.Errorf("%w: %s", err, bytes.TrimSpace(e.Stderr))
	}
	return out, err
}

// readBandwidth returns the number of bytes per second at which a file that is not cached is read
// from the disk.
func readBandwidth(ctx context.Context, path string, threads int) (float64, error) {
	forget(path)
	f, err := os.Open(path)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return 0, err
	}
	const block = 8 << 20
	start := time.Now()
	blocks := int((info.Size() + block - 1) / block)
	err = share(ctx, threads, blocks, 1, func(_, lo, hi int) {
		buf := make([]byte, block)
		for i := lo; i < hi; i++ {
			f.ReadAt(buf, int64(i)*block) // at the end it reads less, which is fine
		}
	})
	return float64(info.Size()) / time.Since(start).Seconds(), err
}
