package paper

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"path/filepath"
	"sync"
	"time"

	"fsa/data"
	"fsa/data/open"
	"fsa/internal/atomicfile"
	"fsa/internal/checkpoint"
)

// keptEvery is the interval between writes of a record.
const keptEvery = time.Minute

// kept is the record of an experiment that is not a list of fits, in a file of the results folder.
// Like a journal it stays: a repeated command finds its work done.
type kept struct {
	path   string
	record *checkpoint.Record
	stop   func()
}

// keep returns the record of earlier calls, and updates it once a minute until its end. It returns
// an error for a record of something else.
func (s *Setup) keep(ctx context.Context, name string, of map[string]string) (*kept, error) {
	k := &kept{path: filepath.Join(s.Out, name+".checkpoint"), record: checkpoint.New()}
	f, err := open.Small(ctx, k.path)
	if err == nil {
		k.record, err = checkpoint.Read(f)
		f.Close()
	}
	if err == nil || errors.Is(err, fs.ErrNotExist) {
		err = k.record.Bind(of)
	}
	if errors.Is(err, checkpoint.ErrFile) || errors.Is(err, checkpoint.ErrOther) {
		return nil, &data.Error{File: k.path, Msg: "remove it to begin anew", Err: err}
	}
	if err != nil {
		return nil, err
	}
	done, ended := make(chan struct{}), make(chan struct{})
	k.stop = sync.OnceFunc(func() { close(done); <-ended })
	go func() {
		defer close(ended)
		tick := time.NewTicker(keptEvery)
		defer tick.Stop()
		for {
			select {
			case <-done:
				return
			case <-tick.C:
				_ = k.write() // the end tries again and reports errors
			}
		}
	}()
	return k, nil
}

func (k *kept) write() error {
	return atomicfile.WriteFile(k.path, func(w io.Writer) error {
		_, err := k.record.WriteTo(w)
		return err
	})
}

// end writes the record for the last time.
func (k *kept) end() error {
	k.stop()
	return k.write()
}
