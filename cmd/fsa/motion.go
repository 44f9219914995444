package main

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"fsa/app/motion"
	"fsa/data/open"
	"fsa/internal/atomicfile"
	"fsa/internal/fault"
)

func motionCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "motion",
		Short: "Segment point tracks by motion",
		Long: `motion segments points that were tracked through a video by how they move. It
makes many candidate segmentations, describes each by some thousand features,
and lets a ranking model pick one. A sequence is a MATLAB 5 file with an array x
of 3 × points × frames and, to learn from, an array s with the motion of each
point, as in the Hopkins 155 benchmark.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(motionTrainCommand(), motionSegmentCommand(), motionEvaluateCommand())
	return cmd
}

// poolFlag adds the flag that chooses the candidates.
func poolFlag(cmd *cobra.Command, pool *string, value motion.Pool) {
	cmd.Flags().StringVar(pool, "pool", string(value), "candidates to choose from: paper (velocity clustering) or wide (other methods too)")
}

func motionSegmentCommand() *cobra.Command {
	var (
		model, out, svg string
		motions         int
		asJSON          bool
	)
	cmd := &cobra.Command{
		Use:   "segment SEQ.mat --model RUN",
		Short: "Segment a sequence",
		Long: `segment prints the motion of each point of a sequence, counted from 1. How many
motions there are is taken from the array s of the file, or from --motions. If
there is an s, the error is told too.`,
		Example: `  fsa motion segment cars1_truth.mat --model run > motions.csv
  fsa motion segment tracks.mat --model run --motions 2 --svg tracks.svg`,
		Args: arguments,
		RunE: func(cmd *cobra.Command, args []string) error {
			if model == "" {
				return usagef("--model is missing: name a model of 'fsa motion train'")
			}
			if cmd.Flags().Changed("motions") && (motions < 1 || motions > motion.MaxMotions) {
				return usagef("--motions %d: it must be from 1 to %d", motions, motion.MaxMotions)
			}
			return motionSegment(cmd, args[0], model, motions, out, svg, asJSON)
		},
	}
	f := cmd.Flags()
	f.StringVar(&model, "model", "", "run `folder` of a model, or its file (required)")
	f.IntVar(&motions, "motions", 0, "number of motions (default as in the array s)")
	f.StringVar(&out, "out", "", "`file` for the motions, instead of standard output: .csv, and .gz or .zst behind it")
	f.StringVar(&svg, "svg", "", "`file` for a picture")
	f.BoolVar(&asJSON, "json", false, "print one JSON object on standard output")
	return cmd
}

func motionSegment(cmd *cobra.Command, path, run string, motions int, out, svg string, asJSON bool) error {
	m, _, err := loadModel(cmd.Context(), modelPath(run))
	if err != nil {
		return err
	}
	segmenter, err := motion.NewSegmenter(m)
	if err != nil {
		return inFile(err, run)
	}
	s, err := motion.ReadSequence(path, motions)
	if err != nil {
		return err
	}
	var file *open.File
	if out != "" {
		if file, err = open.CreateCSV(out); err != nil { // fails before the work, if it must
			return err
		}
		defer file.Abort()
	}
	found, err := segmenter.Segment(cmd.Context(), s)
	if err != nil {
		return err
	}
	var picture []*atomicfile.File // one, or none
	if svg != "" {
		f, err := atomicfile.Create(svg)
		if err != nil {
			return err
		}
		defer f.Abort()
		if err := motion.WritePicture(f, s, found.Labels); err != nil {
			return err
		}
		picture = append(picture, f)
	}
	if file != nil {
		if err = writeMotions(file, found.Labels); err == nil {
			err = file.Commit(picture...)
		}
	} else if err = atomicfile.CommitAll(picture...); err == nil && !asJSON {
		err = writeMotions(cmd.OutOrStdout(), found.Labels)
	}
	if err != nil {
		return err
	}
	if asJSON {
		return printJSON(cmd.OutOrStdout(), newSegmented(s, found))
	}
	progress := newProgress(cmd.ErrOrStderr())
	progress.note("%d points, %d motions: picked the candidate of %s among %d", s.Points, s.Motions, strings.Join(found.Origins, ", "), found.Of)
	if found.Error >= 0 {
		progress.note("%.2f%% of the points are not where array s has them", 100*found.Error)
	}
	return nil
}

// segmented is what segment prints as JSON.
type segmented struct {
	Sequence   string   `json:"sequence"`
	Points     int      `json:"points"`
	Motions    int      `json:"motions"`
	Labels     []int    `json:"labels"` // counted from 1
	Picked     []string `json:"picked"` // the methods that came to it
	Candidates int      `json:"candidates"`
	Score      float64  `json:"score"`
	Error      *float64 `json:"error_percent,omitempty"`
}

func newSegmented(s *motion.Sequence, found *motion.Segmentation) segmented {
	out := segmented{Sequence: s.Name, Points: s.Points, Motions: s.Motions, Picked: found.Origins, Candidates: found.Of, Score: found.Score}
	for _, l := range found.Labels {
		out.Labels = append(out.Labels, l+1)
	}
	if found.Error >= 0 {
		percent := 100 * found.Error
		out.Error = &percent
	}
	return out
}

// writeMotions writes a row for each point.
func writeMotions(w io.Writer, labels motion.Labels) error {
	table := csv.NewWriter(w)
	table.Write([]string{"point", "motion"})
	for i, l := range labels {
		table.Write([]string{strconv.Itoa(i + 1), strconv.Itoa(l + 1)})
	}
	table.Flush()
	return table.Error()
}

func motionEvaluateCommand() *cobra.Command {
	var (
		o         motion.Options
		pool, svg string
		asJSON    bool
	)
	cmd := &cobra.Command{
		Use:   "evaluate DIR",
		Short: "Cross-validate by video on the Hopkins 155 sequences",
		Long: `evaluate spreads the videos of DIR over ten folds, learns on nine and tests on
the tenth, and prints the mean and median error of every method with the published
numbers beside. Sequences of one video stay together, because they share points;
index.tsv in DIR says which they are.`,
		Example: `  fsa motion evaluate hopkins155
  fsa motion evaluate hopkins155 --pool paper --assignments 5 --json`,
		Args: arguments,
		RunE: func(cmd *cobra.Command, args []string) error {
			o.Pool = motion.Pool(pool)
			if o.Folds == 0 || o.Assignments == 0 {
				return usagef("--folds and --assignments must not be 0")
			}
			if err := o.Validate(); err != nil {
				return usagef("%v", err)
			}
			return motionEvaluate(cmd, args[0], o, svg, asJSON)
		},
	}
	poolFlag(cmd, &pool, motion.WidePool)
	f := cmd.Flags()
	f.IntVar(&o.Folds, "folds", 10, "number of folds")
	f.IntVar(&o.Assignments, "assignments", 1, "how often videos are assigned to folds anew")
	f.Uint64Var(&o.Seed, "seed", reportedSeeds, "seed of the first assignment; the next has the next seed")
	f.StringVar(&svg, "svg", "", "`folder` for the curves of cumulative errors")
	f.BoolVar(&asJSON, "json", false, "print one JSON object on standard output")
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
		if err := fault.MkdirAll(svg); err != nil { // fails before the work, if it must
			return err
		}
	}
	progress := newProgress(cmd.ErrOrStderr())
	o.Log = stages(progress)
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

// writeCurves writes the curves of cumulative errors into a folder, all or none of them.
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

// evaluated is what evaluate prints as JSON: the evaluation, and the mean test
// errors in short.
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
