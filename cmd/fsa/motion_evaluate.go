package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"fsa/app/motion"
	"fsa/internal/atomicfile"
	"fsa/internal/fault"
)

func motionEvaluateCommand() *cobra.Command {
	var (
		o         motion.Options
		pool, svg string
		asJSON    bool
	)
	cmd := &cobra.Command{
		Use:   "evaluate DIR",
		Short: "Cross-validate on the Hopkins 155 sequences",
		Long: `evaluate divides the videos of DIR into ten folds, trains on nine and tests on
the tenth. It prints the mean and median error of each method beside the
published numbers. Sequences of one video stay in one fold, because they share
points; the file index.tsv in DIR says which sequences these are.`,
		Example: `  fsa motion evaluate hopkins155
  fsa motion evaluate hopkins155 --pool paper --assignments 5 --json`,
		Args: arguments,
		RunE: func(cmd *cobra.Command, args []string) error {
			o.Pool = motion.Pool(pool)
			if o.Folds == 0 || o.Assignments == 0 {
				return usagef("--folds must be at least 2, and --assignments at least 1")
			}
			if err := o.Validate(); err != nil {
				return usagef("%v", err)
			}
			return motionEvaluate(cmd, args[0], o, svg, asJSON)
		},
	}
	poolFlag(cmd, &pool, motion.WidePool)
	f := cmd.Flags()
	f.IntVar(&o.Folds, "folds", 10, "cross-validate with `N` folds")
	f.IntVar(&o.Assignments, "assignments", 1, "repeat with `N` assignments of videos to folds")
	f.Uint64Var(&o.Seed, "seed", reportedSeeds, "`SEED` of the first assignment; each further one adds 1")
	f.StringVar(&svg, "svg", "", "`FOLDER` for the curves of cumulative errors")
	jsonFlag(f, &asJSON)
	return cmd
}

func motionEvaluate(cmd *cobra.Command, dir string, o motion.Options, svg string, asJSON bool) error {
	sequences, err := motion.ReadFolder(cmd.Context(), dir)
	if err != nil {
		return err
	}
	_, err = os.Stat(svg)
	made := errors.Is(err, fs.ErrNotExist)
	if svg != "" {
		if err := fault.MkdirAll(svg); err != nil { // to fail early
			return err
		}
	}
	progress := newProgress(cmd.ErrOrStderr())
	o.Log = stageLog(progress)
	e, err := motion.Evaluate(cmd.Context(), sequences, o)
	progress.end()
	if err == nil && svg != "" {
		err = writeCurves(svg, sequences, e)
	}
	if err != nil {
		if made {
			os.Remove(svg) // only if it is empty
		}
		return err
	}
	if asJSON {
		return printJSON(cmd.OutOrStdout(), newEvaluated(e))
	}
	return e.Print(cmd.OutOrStdout())
}

// writeCurves writes the cumulative error curves into a folder, all or none of them.
func writeCurves(dir string, sequences []*motion.Sequence, e *motion.Evaluation) error {
	var files []*atomicfile.File
	for i, name := range []string{"two", "three"} {
		curves := e.Curves(sequences, i+2)
		if len(curves) == 0 {
			continue
		}
		f, err := atomicfile.Create(filepath.Join(dir, "cumulative-"+name+".svg"))
		if err != nil {
			return err
		}
		defer f.Abort()
		title := fmt.Sprintf("Hopkins 155, %s motions, %s pool", name, e.Pool)
		if err := motion.WriteCurves(f, title, curves); err != nil {
			return err
		}
		files = append(files, f)
	}
	return atomicfile.CommitAll(files...)
}

// evaluated is the JSON output of evaluate: the evaluation, and a summary of the mean test errors.
type evaluated struct {
	*motion.Evaluation
	Error map[string]map[string]float64 `json:"error_percent"`
}

func newEvaluated(e *motion.Evaluation) evaluated {
	out := evaluated{e, map[string]map[string]float64{}}
	for i := range e.Methods {
		m := map[string]float64{}
		for name, group := range map[string]string{"two": "all_2", "three": "all_3", "all": "all"} {
			if c := e.Methods[i].Cell(group); c != nil && c.Sequences > 0 {
				m[name] = c.Mean
			}
		}
		out.Error[e.Methods[i].Method] = m
	}
	return out
}
