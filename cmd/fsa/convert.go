package main

import (
	"fmt"
	"runtime/debug"

	"github.com/spf13/cobra"

	"fsa/data/open"
	"fsa/internal/machine"
)

func convertCommand() *cobra.Command {
	var (
		o      open.Options
		exact  []string
		memory string
	)
	cmd := &cobra.Command{
		Use:   "convert IN OUT.fsa",
		Short: "Bring a table into the layout that is fastest to learn from",
		Long: `convert writes a table of any format as a .fsa file, from which a fit reads only
the columns that it still needs, and which may be larger than memory. All
columns are kept, with their names and texts; a numeric target beside the table,
such as X.y.npy beside X.npy, becomes the label of its rows. Numbers are kept as
float32 where that holds them well, else as float64; columns called y, target or
label, and those named by --exact, keep every digit. More memory makes longer
runs of a column in the file.`,
		Example: `  fsa convert X.npy X.fsa
  fsa convert letor.txt.zst letor.fsa
  fsa convert big.csv.gz big.fsa --exact price --memory 4GiB
  fsa fit big.fsa --target price -k 100 --memory 4GiB`,
		Args: arguments,
		RunE: func(cmd *cobra.Command, args []string) error {
			err := checkFormat(&o)
			if err != nil {
				return err
			}
			if o.Memory, err = open.ParseSize(memory); err != nil {
				return usagef("--memory: %v", err)
			}
			if have := machine.Share(); have > 0 && !cmd.Flags().Changed("memory") {
				o.Memory = min(o.Memory, have)
			}
			debug.SetMemoryLimit(o.Memory)
			p := newProgress(cmd.ErrOrStderr())
			o.Note = p.note
			rows := 0
			err = open.Convert(cmd.Context(), args[0], args[1], o, exact, func(c open.Converted) {
				if rows = c.Rows; c.Share > 0 {
					p.line(func() string { return fmt.Sprintf("%d rows  %.0f%%", c.Rows, 100*c.Share) })
					return
				}
				p.line(func() string { return fmt.Sprintf("%d rows", c.Rows) })
			})
			p.end()
			if err != nil {
				return err
			}
			p.note("%d rows are in %s", rows, args[1])
			return nil
		},
	}
	formatFlags(cmd, &o)
	f := cmd.Flags()
	f.StringSliceVar(&exact, "exact", nil, "columns that keep every digit, such as a target")
	f.StringVar(&memory, "memory", "1GiB", "how much memory may be used; not more than four fifths of what there is by itself")
	return cmd
}
