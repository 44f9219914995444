package main

import (
	"encoding/json"
	"fmt"
	"os"
	"time"

	"github.com/spf13/cobra"

	"fsa/data"
	"fsa/study/paper/real"
)

// noPeers is the value of --peers for no peers.
const noPeers = "none"

func paperRealCommand() *cobra.Command {
	var (
		s        real.Setup
		python   string
		variants []string
		before   string
		asJSON   bool
	)
	cmd := &cobra.Command{
		Use:   "real",
		Short: "Compare the defaults with other methods on many tables",
		Long: `real fits fsa with default settings, and the methods of scripts/peers, on the
same training rows of many tables, and compares their predictions on the same
test rows. For each family of tables it prints the means, the paired
differences with their standard errors, and the significance after Holm's
correction.

With --open the size is open: fsa is fitted with nothing set, and as "fsa few"
with at most a third of the columns, and at most 20. It is compared with
references that use all columns, LightGBM and an explainable boosting machine,
table by table: the last lines say on how many tables fsa is better, or worse by
at most one standard error.

Other methods run if --peers names a Python that has them;
scripts/peers/setup.sh creates one. Their predictions are stored in the folder
of --cache and reused, also with --peers none. Settings were chosen on seeds
below 100; results are reported on seeds from 1000 on.`,
		Example: `  fsa paper real --peers peers/bin/python --cache cache --splits 2
  fsa paper real --cache cache --families spectra,body --json > before.json
  fsa paper real --cache cache --families spectra,body --before before.json
  fsa paper real --cache cache --sets golub --variant polished:Polish=true
  fsa paper real --open --peers peers/bin/python --families mixed --splits 2`,
		Args: arguments,
		RunE: func(cmd *cobra.Command, args []string) error {
			if python != noPeers {
				s.Python = python
			}
			for _, text := range variants {
				v, err := real.ParseVariant(text)
				if err != nil {
					return usagef("--variant: %v", err)
				}
				s.Variants = append(s.Variants, v)
			}
			if before != "" {
				r, err := readRealResult(before)
				if err != nil {
					return err
				}
				s.Before = r.Records
			}
			if err := s.Validate(); err != nil {
				return usagef("%v", err)
			}
			return runReal(cmd, s, asJSON)
		},
	}
	f := cmd.Flags()
	f.StringSliceVar(&s.Families, "families", nil, "only the families `NAME,...` of tables (default: all)")
	f.StringSliceVar(&s.Sets, "sets", nil, "only the sets `NAME,...` of tables (default: all)")
	f.IntVar(&s.Splits, "splits", 5, "`N` pairs of tables of each set")
	f.Uint64Var(&s.Seed, "seed", reportedSeeds, "`SEED` of the first pair")
	f.BoolVar(&s.Open, "open", false, "let the size be chosen, and compare with references that use all columns")
	f.StringVar(&s.Data, "data", "../shared/data", "`FOLDER` of the real data sets")
	f.StringVar(&python, "peers", noPeers, "`PYTHON` with the other methods, or none")
	f.StringSliceVar(&s.Peers, "methods", nil, "compare only with the peers or references `NAME,...`, such as abess,l1+refit")
	f.StringVar(&s.Cache, "cache", "", "`FOLDER` for the predictions of peers")
	f.StringArrayVar(&variants, "variant", nil, "also compare other settings of fsa: `NAME:FIELD=VALUE,...` with fields of Options")
	f.StringVar(&before, "before", "", "compare with an earlier version of fsa, whose --json output is in `FILE`")
	f.IntVar(&s.Threads, "threads", 0, "run `N` tables in parallel (default: one per core)")
	f.DurationVar(&s.Limit, "limit", real.DefaultLimit, "longest `TIME` of a peer")
	jsonFlag(f, &asJSON)
	return cmd
}

// readRealResult reads the output of --json.
func readRealResult(path string) (*real.Result, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var r real.Result
	if err := json.Unmarshal(text, &r); err != nil {
		return nil, &data.Error{File: path, Msg: "this is not the output of fsa paper real --json", Err: err}
	}
	return &r, nil
}

// runReal runs the comparison and prints it.
func runReal(cmd *cobra.Command, s real.Setup, asJSON bool) error {
	p := newProgress(cmd.ErrOrStderr())
	start := time.Now()
	s.Log = p.note
	s.Progress = func(done, total int) { p.fits("real", done, total, start) }
	r, err := real.Run(cmd.Context(), s)
	p.end()
	if err != nil {
		return err
	}
	if asJSON {
		return printJSON(cmd.OutOrStdout(), r)
	}
	if err := r.Markdown(cmd.OutOrStdout()); err != nil {
		return err
	}
	_, err = fmt.Fprintf(cmd.OutOrStdout(), "\n%d fits, %s.\n", len(r.Records), time.Since(start).Round(time.Second))
	return err
}
