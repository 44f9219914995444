package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"fsa/internal/atomicfile"
	"fsa/internal/decimal"
	"fsa/report"
)

const (
	// runDepth is the depth of subfolders in which run folders are searched.
	runDepth = 4
	// mostRuns limits the number of runs in a list.
	mostRuns = 10_000
	// shownPath is the number of characters of a path in the list.
	shownPath = 36
)

func runsCommand() *cobra.Command {
	var asJSON bool
	var page string
	cmd := &cobra.Command{
		Use:   "runs [FOLDER]",
		Short: "List the runs under a folder",
		Long: `runs lists the run folders under a folder, this one if none is given: the
table, the target, the number of variables, the score, the time and the version.
With --html it writes a page that can be sorted and filtered, and that shows the
settings in which the runs differ. fsa report compares runs of one table.`,
		Example: "  fsa runs\n  fsa runs experiments --html runs.html",
		Args:    cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			folder := "."
			if len(args) > 0 {
				folder = args[0]
			}
			entries, err := runsUnder(cmd.Context(), folder, newProgress(cmd.ErrOrStderr()))
			if err != nil {
				return err
			}
			if page != "" {
				return atomicfile.WriteFile(page, func(w io.Writer) error { return report.WriteRuns(w, folder, entries) })
			}
			if asJSON {
				return printJSON(cmd.OutOrStdout(), runList{jsonSchema, entries})
			}
			return printRuns(cmd.OutOrStdout(), folder, entries)
		},
	}
	jsonFlag(cmd.Flags(), &asJSON)
	cmd.Flags().StringVar(&page, "html", "", "write a page to `FILE` instead")
	return cmd
}

// runList is what runs prints with --json.
type runList struct {
	Schema int            `json:"schema"`
	Runs   []report.Entry `json:"runs"`
}

// runsUnder reads the runs in a folder, the newest first. It notes and skips folders whose model
// cannot be read.
func runsUnder(ctx context.Context, folder string, p *progress) ([]report.Entry, error) {
	entries := []report.Entry{}
	root := filepath.Clean(folder)
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil && path == root:
			return err
		case err != nil:
			p.note("%s: %v", path, message(err))
			return nil
		case ctx.Err() != nil:
			return ctx.Err()
		case !d.IsDir():
			return nil
		}
		below, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		if below != "." && strings.HasPrefix(d.Name(), ".") || strings.Count(below, string(filepath.Separator)) >= runDepth {
			return fs.SkipDir
		}
		if info, err := os.Stat(filepath.Join(path, modelName)); err != nil || !info.Mode().IsRegular() {
			return nil
		}
		r, err := readEntry(ctx, path)
		if err != nil {
			p.note("%s: %v", path, message(err))
			return nil
		}
		if entries = append(entries, report.NewEntry(filepath.ToSlash(path), r)); len(entries) > mostRuns {
			return usagef("%s has more than %d runs: name a folder below it", folder, mostRuns)
		}
		return nil
	})
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s: there is no such folder", folder)
	}
	slices.SortStableFunc(entries, func(a, b report.Entry) int {
		return cmp.Or(cmp.Compare(b.Started, a.Started), cmp.Compare(a.Path, b.Path))
	})
	return entries, err
}

// printRuns prints a line for each run.
func printRuns(w io.Writer, folder string, entries []report.Entry) error {
	if len(entries) == 0 {
		_, err := fmt.Fprintf(w, "there are no runs under %s; fsa fit --out FOLDER writes one\n", oneLine(folder))
		return err
	}
	text, star := "", false
	for _, room := range []struct {
		letters int // of paths and names
		without int // columns at the end of the table
	}{{shownPath, 0}, {shownPath, 1}, {shownLetters, 1}, {20, 1}, {20, 2}, {15, 2}, {10, 2}} {
		text, star = runTable(entries, room.letters, room.without)
		if !slices.ContainsFunc(strings.Split(text, "\n"), func(line string) bool { return breadth(strings.TrimRight(line, " ")) > terminal }) {
			break
		}
	}
	if _, err := io.WriteString(w, text); err != nil {
		return err
	}
	if star {
		fmt.Fprintln(w, "* of the training rows; the other scores are cross-validated")
	}
	return nil
}

// runTable returns the table of runs with paths and names of at most the given number of characters, without some of the
// last columns. star says that it has scores of training rows.
func runTable(entries []report.Entry, letters, without int) (text string, star bool) {
	var b strings.Builder
	tab := newTable(&b)
	head := []string{"run", "table", "target", "k", "score", "started", "seconds", "version"}
	line := func(cells []string) { fmt.Fprintln(tab, strings.Join(cells[:len(cells)-without], "\t")) }
	line(head)
	for _, e := range entries {
		started, seconds, table := e.Started, "", ""
		if len(started) >= 16 {
			started = strings.Replace(started[:16], "T", " ", 1)
		}
		if e.Seconds > 0 {
			seconds = decimal.Digits(e.Seconds, 3)
		}
		if e.Table != "" {
			table = filepath.Base(e.Table)
		}
		star = star || e.Measure != "" && !e.Held
		names := min(letters, shownLetters)
		line([]string{
			oneLine(shorten(e.Path, letters)), oneLine(shorten(table, names)), oneLine(shorten(e.Target, names)), strconv.Itoa(e.K),
			e.ScoreText(), oneLine(started), seconds, oneLine(shortVersion(e.Version)),
		})
	}
	tab.Flush() // to memory
	return b.String(), star
}

// shortVersion returns a release, or the first digits of a revision.
func shortVersion(version string) string {
	const digits, shown = 12, 7
	revision, changed, _ := strings.Cut(version, "+")
	if len(revision) != digits || strings.Trim(revision, "0123456789abcdef") != "" {
		return version
	}
	if changed != "" {
		return revision[:shown] + "+"
	}
	return revision[:shown]
}
