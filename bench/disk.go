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

// disk fits a table that is larger than the memory it may use, in a process of
// its own, which tells its peak where the system knows it. The file is put out of the system's
// cache before it is read, also before it is read plainly to know the disk.
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
		write := exec.CommandContext(ctx, b.Program, "generate", "equicorrelated", "--n", strconv.Itoa(s.n), "--m", strconv.Itoa(s.m), "--k", strconv.Itoa(s.k), "--out", t.Path)
		if _, err := output(write); err != nil {
			return fmt.Errorf("bench: writing a table to disk: %w", err)
		}
	}
	info, err := os.Stat(t.Path)
	if err != nil {
		return err
	}
	if t.Memory == 0 {
		t.Memory = info.Size() / diskShare
	}
	b.Log("out of core: fitting with %.2g of its size", float64(t.Memory)/float64(info.Size()))
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
			BytesReadOverFile:  float64(took.read) / float64(info.Size()),
			PeakOverPromise:    float64(took.peak) / float64(t.Memory),
			InMemory:           took.read == 0,
		}
		if !d.InMemory {
			over = append(over, took.seconds/(float64(took.read)/bandwidth))
			d.OverRead = median(over)
		}
		b.report.OutOfCore = d
	}
	return nil
}

// diskShare is how many times larger the table is than the memory allowed.
const diskShare = 3

// diskCost is what a fit has cost.
type diskCost struct {
	read    int64 // bytes; 0 if the table came into memory as a whole
	peak    int64 // bytes
	seconds float64
}

// diskFit fits a table in another process.
func (b *bencher) diskFit(ctx context.Context, t Table) (diskCost, error) {
	cmd := exec.CommandContext(ctx, b.Program, "fit", t.Path, "-k", strconv.Itoa(t.K), "--json", "--polish="+strconv.FormatBool(t.Polish),
		"--memory", strconv.FormatInt(t.Memory, 10), "--threads", strconv.Itoa(b.Threads))
	start := time.Now()
	out, err := output(cmd)
	if err != nil {
		return diskCost{}, fmt.Errorf("bench: the fit of a table on disk: %w", err)
	}
	seconds := time.Since(start).Seconds()
	var answer struct {
		BytesRead int64 `json:"bytes_read"`
		PeakBytes int64 `json:"peak_bytes"`
	}
	err = json.Unmarshal(out, &answer)
	return diskCost{read: answer.BytesRead, peak: answer.PeakBytes, seconds: seconds}, err
}

// output runs a program and returns what it prints. If it fails, the error has
// what it says about that.
func output(cmd *exec.Cmd) ([]byte, error) {
	out, err := cmd.Output()
	if e, ok := errors.AsType[*exec.ExitError](err); ok && len(e.Stderr) > 0 {
		err = fmt.Errorf("%w: %s", err, bytes.TrimSpace(e.Stderr))
	}
	return out, err
}

// readBandwidth returns how many bytes a second of a file that is not cached
// come from the disk.
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
			f.ReadAt(buf, int64(i)*block) // at the end it reads less, which is all there is
		}
	})
	return float64(info.Size()) / time.Since(start).Seconds(), err
}
