package main

import (
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
		Short: "Measure how fast fsa is on this machine, and against others",
		Long: `bench prints ratios, all measured in the same run: a pass over a table against
plain reading of memory, whole fits against those of other programs on the same
data, fits of growing tables against each other, and a fit of a table larger
than the memory it may use against reading it from the disk. The first line says
how quiet the machine was: on a busy one the ratios mean little.

Other programs are compared where --peers names a Python that has them;
scripts/peers/setup.sh makes one in a folder of its own. A full run takes some
minutes, and up to hours with peers, which get two minutes for each fit.`,
		Example: `  fsa bench --quick
  fsa bench --only pass,scaling --json
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
			if err != nil {
				return err
			}
			if asJSON {
				return printJSON(cmd.OutOrStdout(), r)
			}
			return r.Print(cmd.OutOrStdout())
		},
	}
	f := cmd.Flags()
	f.BoolVar(&o.Quick, "quick", false, "smaller tables and medians of three instead of five: within a minute")
	f.IntVar(&o.Threads, "threads", 0, "use `N` threads, for peers too (default: one per core)")
	f.StringVar(&o.Peers, "peers", "", "compare with the peers of this `PYTHON`")
	f.StringSliceVar(&o.Only, "only", nil, "run only `NAME,...`: "+strings.Join(bench.Measurements(), ", "))
	f.StringVar(&o.Table.Path, "table", "", "measure out of core with this `FILE`, once")
	f.IntVarP(&o.Table.K, "k", "k", 0, "select `N` variables of the table")
	f.StringVar(&memory, "memory", "", "use at most `SIZE` of memory for the fit of the table (default: a third of the file)")
	f.BoolVar(&o.Table.Polish, "polish", false, "polish what was selected of the table")
	jsonFlag(f, &asJSON)
	return cmd
}
