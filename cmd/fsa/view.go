package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"fsa/data/open"
	"fsa/internal/checkpoint"
	"fsa/internal/live"
)

func viewCommand() *cobra.Command {
	var browser bool
	cmd := &cobra.Command{
		Use:   "view RUN",
		Short: "Show the report of a run in a browser",
		Long: `view serves the report of a run on this machine alone, under an address that
nobody can guess, until Ctrl-C. Of a fit that is at work it shows what the page of
fit --live does, but the button; of one that was stopped, how far it has come.
It waits for the end of both.`,
		Example: "  fsa view run",
		Args:    arguments,
		RunE: func(cmd *cobra.Command, args []string) error {
			return view(cmd, args[0], browser)
		},
	}
	cmd.Flags().BoolVar(&browser, "open", false, "open the page in a browser, too")
	return cmd
}

// view serves the report of a run until it is interrupted, which is its way to end.
func view(cmd *cobra.Command, path string, browser bool) error {
	ctx := cmd.Context()
	page, err := reportPage(ctx, path)
	if err != nil && !(errors.Is(err, fs.ErrNotExist) && isFolder(path)) {
		return err
	}
	folder, err := filepath.Abs(path)
	if err != nil {
		return err
	}
	server, err := live.Listen(ctx, filepath.Base(folder), nil)
	if err != nil {
		return err
	}
	defer server.Close()
	p := newProgress(cmd.ErrOrStderr())
	p.note("look at %s, and end with Ctrl-C", server.Address())
	if browser {
		if err := openBrowser(server.Address()); err != nil {
			p.note("no browser could be opened: %v", err)
		}
	}
	run := unfinished{path: filepath.Join(path, checkpointName), now: live.Now{Stage: "The run is not complete: waiting for its model …", Left: -1}}
	work := working{path: filepath.Join(path, progressName)}
	for tick := time.NewTicker(time.Second); ; {
		if work.show(ctx, server.Board) {
			page = nil // what there was, if anything, is about to be replaced
		} else {
			if page == nil {
				page, err = reportPage(ctx, path)
			}
			if err == nil {
				break
			}
			if !errors.Is(err, fs.ErrNotExist) {
				return err
			}
			if work.board == nil {
				run.show(ctx, server)
			}
		}
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
		}
	}
	server.Finish(page)
	<-ctx.Done()
	return nil
}

// working is a fit that says in its folder how it stands.
type working struct {
	path  string
	read  time.Time // when it was written what was read last
	board *live.Snapshot
}

// show shows how the fit stands, and says whether it is at work.
func (w *working) show(ctx context.Context, to *live.Board) bool {
	info, err := os.Stat(w.path)
	if err != nil { // it has ended
		w.board = nil
		return false
	}
	if w.board == nil || info.ModTime() != w.read {
		board, err := readBoard(ctx, w.path)
		if err != nil { // it says nothing, or is just gone
			return false
		}
		w.read, w.board = info.ModTime(), board
	}
	works := time.Since(w.read) < silence
	if !works {
		w.board.Now.Stage = fmt.Sprintf("The run is not complete. Nothing was heard of it since %s …", w.read.Format(time.TimeOnly))
	}
	to.Set(w.board)
	return works
}

// readBoard reads how a fit stands.
func readBoard(ctx context.Context, path string) (*live.Snapshot, error) {
	f, err := open.Small(ctx, path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text, err := io.ReadAll(f)
	if err != nil {
		return nil, err
	}
	return live.ReadSnapshot(text)
}

// unfinished is a run that has not come to its end, as its checkpoint shows it.
type unfinished struct {
	path string
	read time.Time // when the checkpoint was written that was read last
	now  live.Now
}

// show shows the epochs that were noted since the last time.
func (u *unfinished) show(ctx context.Context, to *live.Server) {
	if info, err := os.Stat(u.path); err == nil && info.ModTime() != u.read {
		u.read = info.ModTime()
		for line := range bytes.Lines(eventsNoted(ctx, u.path)) {
			var e event
			if json.Unmarshal(line, &e) != nil || e.Epoch <= u.now.Epoch {
				continue
			}
			u.now.Epoch, u.now.Variables, u.now.Loss, u.now.Seconds = e.Epoch, e.Variables, e.Loss, e.Seconds
			to.Show(u.now)
		}
		u.now.Stage = fmt.Sprintf("The run is not complete. This is its checkpoint of %s …", u.read.Format(time.TimeOnly))
	}
	to.Show(u.now)
}

// eventsNoted returns the epochs in a checkpoint; nil if it cannot be read, which whoever
// goes on from it will be told.
func eventsNoted(ctx context.Context, path string) []byte {
	f, err := open.Small(ctx, path)
	if err != nil {
		return nil
	}
	defer f.Close()
	record, err := checkpoint.Read(f)
	if err != nil {
		return nil
	}
	return record.Events()
}
