package main

import (
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"fsa/data"
	"fsa/data/open"
	"fsa/internal/atomicfile"
	"fsa/internal/checkpoint"
)

func convertCommand() *cobra.Command {
	var (
		o      open.Options
		how    open.Conversion
		memory string
		saving saving
	)
	cmd := &cobra.Command{
		Use:   "convert IN OUT.fsa",
		Short: "Convert a table to the .fsa format, for tables larger than memory",
		Long: `convert writes a table of any format as a .fsa file. A fit reads only the
columns it still needs from such a file, and the file may be larger than
memory.

All columns are kept, with their names and texts. A numeric target beside the
table, such as X.y.npy beside X.npy, becomes the label of the rows. Numbers are
stored as float32 if that is precise enough, and as float64 otherwise. Columns
named y, target or label, and those of --exact, keep every digit. With more
memory the file can be read in longer pieces.

With --resume, an interrupted conversion leaves its work in OUT.fsa.part, and
the same command continues it. It reads the table from the start again, to
learn the kinds of the columns, but does not write the same rows twice.`,
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
			if err := limitMemory(cmd, &o, memory); err != nil {
				return err
			}
			if saving.every <= 0 {
				return usagef("--checkpoint-every %v: it must be positive", saving.every)
			}
			return convertTable(cmd, args[0], args[1], o, how, &saving)
		},
	}
	formatFlags(cmd, &o)
	f := cmd.Flags()
	f.StringSliceVar(&how.Exact, "exact", nil, "store `COLUMN,...`, such as a target, without rounding")
	f.StringVar(&memory, "memory", "1GiB", "use at most `SIZE` of memory, and never more than 80% of the machine")
	f.BoolVar(&saving.resume, "resume", false, "if the program is stopped, keep what was written, and continue from it")
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
		of["--memory"] = fmt.Sprint(o.Memory) // by default, this is the memory of the machine
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
		atomicfile.RemoveStale(part) // of an unfinished conversion
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

// rowsTask names the record of a conversion.
const rowsTask = "rows"
