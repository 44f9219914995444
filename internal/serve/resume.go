package serve

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"sync"
	"time"

	"fsa"
	"fsa/data"
	"fsa/internal/atomicfile"
	"fsa/internal/checkpoint"
	"fsa/internal/version"
	"fsa/model"
)

// checkpointEvery is the time between two writes of a checkpoint.
const checkpointEvery = 30 * time.Second

// keeper writes the record of a fit into a file, from which the next fit continues. Without a file
// it does nothing.
type keeper struct {
	path   string
	record *fsa.Record // nil without a file

	mu      sync.Mutex
	written int // number of changes of the record that are in the file
}

// newKeeper reads the record that an earlier fit left in a file, or starts a new one.
func newKeeper(path string) (*keeper, error) {
	k := &keeper{path: path}
	if path == "" {
		return k, nil
	}
	k.record = new(fsa.Record)
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return k, nil
	}
	if err != nil {
		return nil, ofPath("resume", err)
	}
	defer f.Close()
	if k.record, err = fsa.ReadRecord(f); err != nil {
		return nil, &data.Error{File: path, Msg: "resume: remove the file to start anew", Err: err}
	}
	return k, nil
}

// bind identifies the fit, and returns an error if the record belongs to another one.
func (k *keeper) bind(ctx context.Context, job *fsa.Job, o *options) error {
	if k.record == nil {
		return nil
	}
	asked := *o
	asked.Threads, asked.MaxTime, asked.Resume = 0, 0, "" // these do not change the model
	settings, err := json.Marshal(asked)
	if err != nil {
		return err
	}
	var each map[string]json.RawMessage
	if err := json.Unmarshal(settings, &each); err != nil {
		return err
	}
	of := map[string]string{"version": version.String()}
	for name, value := range each {
		of[name] = string(value)
	}
	if of["data"], err = job.Fingerprint(ctx); err != nil {
		return err
	}
	if err := (*checkpoint.Record)(k.record).Bind(of); err != nil {
		return fmt.Errorf("%w: resume = %q: %w: fit with the same, or remove the file to start anew", fsa.ErrOptions, k.path, err)
	}
	return nil
}

// follow writes the record at intervals and when the fit is cancelled, until the function that it
// returns is called.
func (k *keeper) follow(ctx context.Context) (stop func()) {
	if k.record == nil {
		return func() {}
	}
	done, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		for {
			select {
			case <-done:
				return
			case <-ctx.Done():
				_ = k.write() // the end of the fit reports the error
				return
			case <-time.After(checkpointEvery):
				_ = k.write()
			}
		}
	}()
	return func() { close(done); <-ended }
}

// write writes the record, unless the file is up to date.
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

// leave writes the record of a fit that failed, unless it would always fail.
func (k *keeper) leave(err error) error {
	if k.record == nil || errors.Is(err, data.ErrBadData) || errors.Is(err, fsa.ErrOptions) {
		return err
	}
	return errors.Join(err, k.write())
}

// done removes the record of a fit that is complete. The record of a fit that ran out of time
// remains.
func (k *keeper) done(m *model.Model) error {
	switch {
	case k.record == nil:
		return nil
	case m.Training().Status == model.OutOfTime:
		return k.write()
	}
	k.mu.Lock() // nothing is written after this
	defer k.mu.Unlock()
	k.written = k.record.Changes()
	if err := os.Remove(k.path); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}
