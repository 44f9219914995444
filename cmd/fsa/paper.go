package main

import (
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"fsa/app/keypoint"
	"fsa/study/paper"
)

func paperCommand() *cobra.Command {
	var (
		s      paper.Setup
		memory string
		asJSON bool
	)
	cmd := &cobra.Command{
		Use:   "paper list|all|NAME",
		Short: "Repeat the experiments of the paper",
		Long: `paper repeats a table or a figure of the paper and prints our numbers beside
the published ones. It writes NAME.csv, NAME.md and figures into a folder. All
settings are defaults except those that the table is about.

Every finished fit is recorded in NAME.jsonl in the same folder, and the fits
of hopkins155 once a minute in NAME-POOL.checkpoint. If a run was stopped, the
same command continues it; remove the file to start again. Some tables take
hours with the 100 runs of the paper: give fewer with --runs.`,
		Example: `  fsa paper list
  fsa paper classification --runs 5 --max-n 1000
  fsa paper all --runs 10 --out results`,
		Args:      arguments,
		ValidArgs: append([]string{"list", "all"}, experimentNames()...),
		RunE: func(cmd *cobra.Command, args []string) error {
			if args[0] == "list" {
				return listExperiments(cmd.OutOrStdout(), asJSON)
			}
			var err error
			if s.Memory, err = parseSize("memory", memory); err != nil {
				return err
			}
			if err := s.Validate(); err != nil {
				return usagef("%v", err)
			}
			if info, err := os.Stat(s.Data); cmd.Flags().Changed("data") && (err != nil || !info.IsDir()) {
				return usagef("--data %s: there is no such folder", s.Data)
			}
			return runPaper(cmd, args[0], s, asJSON)
		},
	}
	f := cmd.Flags()
	f.IntVar(&s.Runs, "runs", 0, "`N` runs of each cell (default: as in the paper)")
	f.Uint64Var(&s.SeedFrom, "seed-from", reportedSeeds, "`SEED` of the first run")
	f.StringVar(&s.Out, "out", "fsa-paper", "`FOLDER` for results")
	f.StringVar(&s.Data, "data", "../shared/data", "`FOLDER` of the real data sets")
	f.IntVar(&s.Threads, "threads", 0, "run `N` fits in parallel (default: one per core)")
	f.StringSliceVar(&s.Methods, "methods", nil, "run only `METHOD,...`, as named in the tables, such as FSA,L1")
	f.IntVar(&s.MaxN, "max-n", 0, "leave out tables with more than `N` rows")
	f.StringVar(&memory, "memory", "", "use at most `SIZE` of memory for big-data and keypoints (default 8GiB, or what is free if that is less)")
	f.StringVar(&s.Scale, "scale", "", "`SCALE` of keypoints: small, medium or full (default full; small if NAME is all)")
	jsonFlag(f, &asJSON)
	cmd.AddCommand(paperRealCommand())
	return cmd
}

func experimentNames() []string {
	var names []string
	for _, e := range paper.Experiments() {
		names = append(names, e.Name)
	}
	return names
}

func listExperiments(w io.Writer, asJSON bool) error {
	if asJSON {
		return printJSON(w, map[string]any{"experiments": experimentNames()})
	}
	for _, e := range paper.Experiments() {
		if _, err := fmt.Fprintf(w, "%-22s%s\n", e.Name, e.About); err != nil {
			return err
		}
	}
	_, err := fmt.Fprintf(w, "%-22s%s\n", "real", "not in the paper: compares the defaults with other methods on real tables; see fsa paper real --help")
	return err
}

// runPaper runs one experiment, or all of them.
func runPaper(cmd *cobra.Command, name string, s paper.Setup, asJSON bool) error {
	list := paper.Experiments()
	if name != "all" {
		e, _ := paper.Lookup(name) // the arguments have been checked
		list = []paper.Experiment{e}
	}
	s.Some = name == "all"
	if name == "all" && s.Scale == "" {
		s.Scale = keypoint.Small // the others take hours or days
	}
	p := newProgress(cmd.ErrOrStderr())
	var results []*paper.Result
	for _, e := range list {
		start := time.Now()
		s.Log = p.note
		s.Progress = func(done, total int) { p.fits(e.Name, done, total, start) }
		r, err := paper.Run(cmd.Context(), e, s)
		p.end()
		if cmd.Context().Err() != nil {
			p.note("finished fits are recorded in %s: the same command continues from there", s.Out)
		}
		if err != nil {
			return err
		}
		p.note("%s: %s", e.Name, strings.Join(r.Files, ", "))
		results = append(results, r)
		if asJSON {
			continue
		}
		if err := r.Markdown(cmd.OutOrStdout()); err != nil {
			return err
		}
	}
	switch {
	case !asJSON:
		return nil
	case name == "all":
		return printJSON(cmd.OutOrStdout(), map[string]any{"experiments": results})
	}
	return printJSON(cmd.OutOrStdout(), results[0])
}
