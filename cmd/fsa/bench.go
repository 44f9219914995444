package main

import (
	"errors"
	"os"
	"os/exec"
	"strings"

	"github.com/spf13/cobra"

	"fsa/study/bench"
)

func benchCommand() *cobra.Command {
	var (
		o      bench.Options
		memory string
		asJSON bool
	)
	cmd := &cobra.Command{
		Use:   "bench",
		Short: "Measure the speed of fsa, and compare with other programs",
		Long: `bench prints ratios, all measured in the same run: a pass over a table compared
with reading memory, whole fits compared with other programs on the same data,
fits of growing tables compared with each other, and the fit of a table larger
than its memory limit compared with reading the file. The first line says how
busy the machine was: on a busy machine the ratios mean little.

Three sections answer common questions. choice says what it costs to choose:
k open over k given, k given over --quick, and curves beside lines over
--bins 0. threads fits four tables and reads memory with 1, 2, 4, ... threads.
shapes makes and fits tables of shapes on which users of other programs report
hours or a lack of memory. It runs only if --only names it: it fills up to nine
tenths of what is free on the disk of TMPDIR, and may take an hour.

Other programs are included if --peers names a Python that has them;
scripts/peers/setup.sh creates one in a folder of its own. A full run takes tens
of minutes, and up to hours with peers, which get two minutes for each fit.`,
		Example: `  fsa bench --quick
  fsa bench --only pass,scaling --json
  fsa bench --only choice,threads
  fsa bench --only shapes --scale 0.01
  fsa bench --only shapes --shapes 900x860000,500000x230
  fsa bench --only out-of-core --table big.fsa -k 500 --memory 8GiB
  scripts/peers/setup.sh /tmp/peers && fsa bench --peers /tmp/peers/bin/python`,
		Args: arguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			var err error
			if o.Table.Memory, err = parseSize("memory", memory); err != nil {
				return err
			}
			if err := o.Validate(); err != nil {
				return usagef("%v", err)
			}
			if o.Peers != "" {
				if _, err := exec.LookPath(o.Peers); err != nil {
					return usagef("--peers: %v", err)
				}
			}
			o.Log = newProgress(cmd.ErrOrStderr()).note
			if program, err := os.Executable(); err == nil {
				o.Program = program
			}
			r, err := bench.Run(cmd.Context(), o)
			if r == nil {
				return err
			}
			if asJSON {
				return errors.Join(err, printJSON(cmd.OutOrStdout(), r))
			}
			return errors.Join(err, r.Print(cmd.OutOrStdout()))
		},
	}
	f := cmd.Flags()
	f.BoolVar(&o.Quick, "quick", false, "smaller tables and medians of three instead of five: within a minute")
	f.IntVar(&o.Threads, "threads", 0, "use `N` threads, for peers too (default: one per core)")
	f.StringVar(&o.Peers, "peers", "", "compare with the programs that are installed for this `PYTHON`")
	f.StringSliceVar(&o.Only, "only", nil, "run only `NAME,...`: "+strings.Join(bench.Measurements(), ", "))
	f.Float64Var(&o.Scale, "scale", 0, "scale the tables of shapes to this `SHARE` of their cells (default: as many as fit on the disk)")
	f.StringSliceVar(&o.Shapes, "shapes", nil, "of the shapes, measure only `ROWSxCOLUMNS,...`: "+strings.Join(bench.ShapeNames(), ", "))
	f.StringVar(&o.Table.Path, "table", "", "measure the fit of a table larger than memory on this `FILE`, once")
	f.IntVarP(&o.Table.K, "k", "k", 0, "select `N` variables of that table")
	f.StringVar(&memory, "memory", "", "use at most `SIZE` of memory for the fit of the table (default: a third of the file)")
	f.BoolVar(&o.Table.Polish, "polish", false, "polish what was selected of the table")
	jsonFlag(f, &asJSON)
	return cmd
}
