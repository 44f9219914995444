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

	"fsa/internal/checkpoint"
	"fsa/internal/live"
	"fsa/internal/runs"
)

func viewCommand() *cobra.Command {
	var browser bool
	cmd := &cobra.Command{
		Use:   "view RUN",
		Short: "Show the report of a run in a browser",
		Long: `view serves the report of a run until Ctrl-C. The page can be opened on this
machine only, and its address has a random part. While a fit is running, the
page shows its progress, like fit --live but without the button to stop; then
it shows the report. If a fit was stopped, the page shows how far it came.`,
		Example: "  fsa view run",
		Args:    arguments,
		RunE: func(cmd *cobra.Command, args []string) error {
			return view(cmd, args[0], browser)
		},
	}
	cmd.Flags().BoolVar(&browser, "open", false, "open the page in a browser, too")
	return cmd
}

// view serves the report of a run until it is interrupted, which is the normal end.
func view(cmd *cobra.Command, path string, browser bool) error {
	ctx := cmd.Context()
	page, err := reportPage(ctx, path)
	if err != nil && !(errors.Is(err, fs.ErrNotExist) && isFolder(path)) {
		return err
	}
	if err := tellChanged(cmd, path); err != nil {
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
	p.note("Ctrl-C stops; the report is at %s", server.Address())
	if browser {
		if err := openBrowser(server.Address()); err != nil {
			p.note("no browser could be opened: %v", err)
		}
	}
	run := unfinished{path: filepath.Join(path, checkpointName), now: live.Now{Stage: "The run is not complete: waiting for its model …", Left: -1}}
	work := working{path: filepath.Join(path, progressName)}
	for tick := time.NewTicker(time.Second); ; {
		if work.show(ctx, server.Board) {
			page = nil // a previous page, if any, is about to be replaced
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

// working is a running fit that writes its state to its folder.
type working struct {
	path  string
	read  time.Time // time of the last state that was read
	board *live.Snapshot
}

// show shows the state of the fit, and reports whether the fit is running.
func (w *working) show(ctx context.Context, to *live.Board) bool {
	info, err := os.Stat(w.path)
	if err != nil { // it has ended
		w.board = nil
		return false
	}
	if w.board == nil || info.ModTime() != w.read {
		board, err := readBoard(ctx, w.path)
		if err != nil { // it has not written for too long, or has just ended
			return false
		}
		w.read, w.board = info.ModTime(), board
	}
	works := time.Since(w.read) < silence
	if !works {
		w.board.Now.Stage = fmt.Sprintf("The run is not complete. It has made no progress since %s …", w.read.Format(time.TimeOnly))
	}
	to.Set(w.board)
	return works
}

// readBoard reads the state of a fit.
func readBoard(ctx context.Context, path string) (*live.Snapshot, error) {
	f, err := openOurs(ctx, path)
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

// unfinished is a run that did not complete; its state is in its checkpoint.
type unfinished struct {
	path string
	read time.Time // time of the last checkpoint that was read
	now  live.Now
}

// show shows the epochs that were added since the last call.
func (u *unfinished) show(ctx context.Context, to *live.Server) {
	if info, err := os.Stat(u.path); err == nil && info.ModTime() != u.read {
		u.read = info.ModTime()
		for line := range bytes.Lines(eventsNoted(ctx, u.path)) {
			var e runs.Event
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

// eventsNoted returns the epochs in a checkpoint, or nil if it cannot be read, which is reported
// when the fit is resumed.
func eventsNoted(ctx context.Context, path string) []byte {
	f, err := openOurs(ctx, path)
	if err != nil {
		return nil
	}
	defer f.Close()
	record, err := checkpoint.Read(f)
	if err != nil {
		return nil
	}
	return record.Seen().Events
}
