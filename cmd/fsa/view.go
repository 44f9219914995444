package main

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"fsa/report"
	"fsa/report/live"
)

func viewCommand() *cobra.Command {
	var open bool
	cmd := &cobra.Command{
		Use:   "view RUN",
		Short: "Show the report of a run in a browser",
		Long: `view serves the report of a run on this machine alone, under an address that
nobody can guess, until Ctrl-C. A run that is not complete is waited for.`,
		Example: "  fsa view run",
		Args:    arguments,
		RunE: func(cmd *cobra.Command, args []string) error {
			return view(cmd, args[0], open)
		},
	}
	cmd.Flags().BoolVar(&open, "open", false, "open the page in a browser, too")
	return cmd
}

// view serves the report of a run until it is interrupted, which is its way to end.
func view(cmd *cobra.Command, path string, open bool) error {
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
	if open {
		if err := openBrowser(server.Address()); err != nil {
			p.note("no browser could be opened: %v", err)
		}
	}
	for tick := time.NewTicker(time.Second); page == nil; {
		server.Show(live.Now{Stage: "The run is not complete: waiting for its model …", Left: -1})
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
		}
		page, err = reportPage(ctx, path)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	server.Finish(page)
	<-ctx.Done()
	return nil
}

// reportPage returns the report of a run folder.
func reportPage(ctx context.Context, path string) ([]byte, error) {
	r, err := readRun(ctx, path)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	if err := report.Write(&b, r); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// isFolder says whether a path is a folder that is there.
func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}
