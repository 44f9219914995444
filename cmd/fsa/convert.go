package main

import (
	"errors"
	"fmt"
	"runtime/debug"
	"time"

	"github.com/spf13/cobra"

	"fsa/data"
	"fsa/data/open"
	"fsa/internal/atomicfile"
	"fsa/internal/checkpoint"
	"fsa/internal/machine"
)

// ownBytes is about what the program itself takes, which Go's limit does not count.
const ownBytes = 24 << 20

func convertCommand() *cobra.Command {
	var (
		o      open.Options
		how    open.Conversion
		memory string
		saving saving
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
runs of a column in the file.

With --resume what is written stays in OUT.fsa.part when the program is stopped,
and the same command goes on from there. It reads the table from its start, since
what a column holds is only known by then, but writes no row again.`,
		Example: `  fsa convert X.npy X.fsa
  fsa convert letor.txt.zst letor.fsa
  fsa convert big.csv.gz big.fsa --exact price --memory 4GiB --resume
  fsa fit big.fsa --target price -k 100 --memory 4GiB`,
		Args: arguments,
		RunE: func(cmd *cobra.Command, args []string) error {
			err := checkFormat(&o)
			if err != nil {
				return err
			}
			if err := onThisMachine(args[1]); err != nil {
				return err
			}
			if o.Memory, err = parseSize("memory", memory); err != nil {
				return err
			}
			o.Assumed = !cmd.Flags().Changed("memory")
			if have := machine.Share(); have > 0 && o.Assumed {
				o.Memory = min(o.Memory, have)
			}
			debug.SetMemoryLimit(max(o.Memory-ownBytes, o.Memory/2))
			if saving.every <= 0 {
				return usagef("--checkpoint-every %v: it must be positive", saving.every)
			}
			return convertTable(cmd, args[0], args[1], o, how, &saving)
		},
	}
	formatFlags(cmd, &o)
	f := cmd.Flags()
	f.StringSliceVar(&how.Exact, "exact", nil, "keep every digit of `COLUMN,...`, such as a target")
	f.StringVar(&memory, "memory", "1GiB", "use at most `SIZE` of memory, and never more than 80% of the machine")
	f.BoolVar(&saving.resume, "resume", false, "keep what is written when the program is stopped, and go on from what was kept")
	saving.everyFlag(f, "record the progress every `TIME`")
	return cmd
}

// convertTable writes a table of any format as a .fsa file.
func convertTable(cmd *cobra.Command, in, out string, o open.Options, how open.Conversion, s *saving) error {
	p, rows := newProgress(cmd.ErrOrStderr()), 0
	o.Note = p.note
	how.Observe = func(c open.Converted) {
		if rows = c.Rows; c.Share > 0 {
			p.line(func() string { return fmt.Sprintf("%d rows  %.0f%%", c.Rows, 100*c.Share) })
			return
		}
		p.line(func() string { return fmt.Sprintf("%d rows", c.Rows) })
	}
	k, err := s.keeperAt(cmd.Context(), out+"."+checkpointName, p.note)
	if err != nil {
		return err
	}
	part := out + ".part"
	if s.resume {
		of := settings(cmd)
		of["--memory"] = fmt.Sprint(o.Memory) // which may come from the machine
		if err := k.bindTo(of); err != nil {
			return err
		}
		how.Part = part
		if t := k.record.Task(rowsTask); t != nil {
			how.State = t.Found
		}
		how.Due = func() bool { return k.record.Due(rowsTask) }
		how.Note = func(state []byte, since time.Time) {
			k.record.Put(rowsTask, &checkpoint.Task{Found: state}, since)
		}
		k.begin(cmd.Context(), s.every)
	}
	err = open.Convert(cmd.Context(), in, out, o, how)
	p.end()
	k.stop()
	switch {
	case err == nil:
		atomicfile.RemoveStale(part) // of one that was not finished
		k.drop()
	case s.resume && errors.Is(err, data.ErrBadData):
		k.drop()
	case s.resume && !errors.Is(err, open.ErrUsage):
		k.leave(err)
	}
	if err != nil {
		return err
	}
	p.note("%d rows are in %s", rows, out)
	return nil
}

// rowsTask names what is noted of a conversion.
const rowsTask = "rows"
