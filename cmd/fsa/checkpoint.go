package main

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"fsa"
	"fsa/data"
	"fsa/internal/atomicfile"
	"fsa/internal/checkpoint"
	"fsa/internal/record"
	"fsa/internal/runs"
	"fsa/model"
)

// keeper writes the record of a fit into its folder at intervals.
type keeper struct {
	path   string
	record *checkpoint.Record
	note   func(format string, a ...any)
	stop   func()

	mu      sync.Mutex
	written int // number of changes of the record that are in the file
}

// newKeeper returns the keeper of a fit in a folder. It has the record to continue from, or an
// empty one.
func (s *saving) newKeeper(ctx context.Context, folder *runs.Folder, note func(format string, a ...any)) (*keeper, error) {
	k, err := s.keeperAt(ctx, filepath.Join(folder.Path, checkpointName), note)
	if err != nil {
		return nil, err
	}
	folder.Earlier = k.record.Seen().Events
	k.record.Watch(func() checkpoint.Seen { return checkpoint.Seen{Events: folder.Written()} })
	return k, nil
}

// follow adds a descent to the record, and gives the descent what an earlier fit recorded. columns
// is the number of columns of the table.
func (k *keeper) follow(folder *runs.Folder, d *record.Descent, columns int) {
	d.Resume(k.record.Seen().Descent, columns)
	k.record.Watch(func() checkpoint.Seen { return checkpoint.Seen{Events: folder.Written(), Descent: d.State()} })
}

// keeperAt returns the keeper of a record in a file.
func (s *saving) keeperAt(ctx context.Context, path string, note func(format string, a ...any)) (*keeper, error) {
	k := &keeper{path: path, record: checkpoint.New(), note: note, stop: func() {}}
	if !s.resume {
		if _, err := os.Lstat(k.path); err == nil {
			note("%s belongs to a run that was not finished; --resume continues it", k.path)
		}
		return k, nil
	}
	f, err := openOurs(ctx, k.path)
	if errors.Is(err, fs.ErrNotExist) {
		return k, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if k.record, err = checkpoint.Read(f); errors.Is(err, checkpoint.ErrFile) {
		return nil, &data.Error{File: k.path, Msg: "start anew without --resume", Err: err}
	}
	if err != nil {
		return nil, atPath(err, k.path)
	}
	return k, nil
}

// bind identifies the fit, and returns an error if the record belongs to another one. A fit on a
// grid can be continued on any other grid, but not without one, because the last digits of sums
// differ.
func (k *keeper) bind(ctx context.Context, cmd *cobra.Command, job *fsa.Job, spread bool) error {
	of := settings(cmd)
	if of["--grid"] = ""; spread {
		of["--grid"] = "given"
	}
	var err error
	if of["data"], err = job.Fingerprint(ctx); err != nil {
		return err
	}
	return k.bindTo(of)
}

// bindTo identifies what the record belongs to, and returns an error if it belongs to something
// else.
func (k *keeper) bindTo(of map[string]string) error {
	if err := k.record.Bind(of); err != nil {
		return usagef("%s: %v: use the same, or start again without --resume", k.path, err)
	}
	return nil
}

// begin writes the record at intervals until stop is called, and also when the fit is interrupted,
// because a fit on a grid may be killed before it ends. If writing is slow, it happens less often.
func (k *keeper) begin(ctx context.Context, every time.Duration) {
	done, ended := make(chan struct{}), make(chan struct{})
	k.stop = sync.OnceFunc(func() { close(done); <-ended })
	go func() {
		defer close(ended)
		failed := false
		for pause := every; ; {
			select {
			case <-done:
				return
			case <-ctx.Done():
				_ = k.write() // the end of the fit tries again, and reports the error
				return
			case <-time.After(pause):
			}
			start := time.Now()
			if err := k.write(); err != nil && !failed {
				failed = true // one message is enough
				k.note("no checkpoint could be written: %s", message(err))
			}
			pause = max(every, 200*time.Since(start))
		}
	}()
}

// write writes the record, unless the file is already up to date.
func (k *keeper) write() error {
	k.mu.Lock()
	defer k.mu.Unlock()
	changes := k.record.Changes()
	if changes == k.written {
		return nil
	}
	err := atomicfile.WriteFile(k.path, func(w io.Writer) error {
		_, err := k.record.WriteTo(w)
		return err
	})
	if err == nil {
		k.written = changes
	}
	return err
}

// saved removes the record of a fit that is complete and saved. The record of a fit that ran out of
// time remains.
func (k *keeper) saved(learned *model.Model) {
	if learned.Training().Status == model.OutOfTime {
		k.leave(nil)
		return
	}
	k.drop()
}

// drop removes the record, if there is one, of a complete task.
func (k *keeper) drop() {
	if k != nil {
		os.Remove(k.path)
	}
}

// continues begins the note that an unfinished task can be continued.
const continues = "the same command with --resume continues from "

// leave writes the record of a fit that did not complete, unless the fit can never complete.
func (k *keeper) leave(err error) {
	if errors.Is(err, data.ErrBadData) || errors.Is(err, fsa.ErrOptions) {
		return
	}
	if err := k.write(); err != nil {
		k.note("no checkpoint could be written: %s", message(err))
	} else if _, err := os.Lstat(k.path); err == nil {
		k.note(continues+"%s", k.path)
	}
}
