package main

import (
	"encoding/csv"
	"io"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"fsa/app/motion"
	"fsa/data/open"
)

func motionSegmentCommand() *cobra.Command {
	var (
		model, out, svg string
		motions         int
		asJSON          bool
	)
	cmd := &cobra.Command{
		Use:   "segment SEQ.mat --model RUN",
		Short: "Segment one sequence",
		Long: `segment prints the motion of each point of a sequence, counted from 1. The
number of motions is taken from the array s of the file, or from --motions. If
the file has an array s, the error is printed too.`,
		Example: `  fsa motion segment cars1_truth.mat --model run > motions.csv
  fsa motion segment tracks.mat --model run --motions 2 --svg tracks.svg`,
		Args: arguments,
		RunE: func(cmd *cobra.Command, args []string) error {
			if model == "" {
				return usagef("--model is missing: give a model from 'fsa motion train'")
			}
			if cmd.Flags().Changed("motions") && (motions < 1 || motions > motion.MaxMotions) {
				return usagef("--motions %d: it must be from 1 to %d", motions, motion.MaxMotions)
			}
			return motionSegment(cmd, args[0], model, motions, out, svg, asJSON)
		},
	}
	f := cmd.Flags()
	f.StringVar(&model, "model", "", "run `FOLDER` of a model, or its file (required)")
	f.IntVar(&motions, "motions", 0, "find `N` motions (default: as in the array s)")
	f.StringVar(&out, "out", "", "`FILE` for the motions, instead of standard output: .csv, optionally followed by .gz or .zst")
	f.StringVar(&svg, "svg", "", "`FILE` for a picture")
	jsonFlag(f, &asJSON)
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
		if file, err = open.CreateCSV(out); err != nil { // to fail early
			return err
		}
		defer file.Abort()
	}
	found, err := segmenter.Segment(cmd.Context(), s)
	if err != nil {
		return err
	}
	var picture []*open.File // one file, or none
	if svg != "" {
		f, err := open.CreateFile(svg)
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
	} else {
		for _, f := range picture {
			err = f.Commit()
		}
		if err == nil && !asJSON {
			err = writeMotions(cmd.OutOrStdout(), found.Labels)
		}
	}
	if err != nil {
		return err
	}
	if asJSON {
		return printJSON(cmd.OutOrStdout(), newSegmented(s, found))
	}
	progress := newProgress(cmd.ErrOrStderr())
	progress.note("%d points, %d motions: chose a candidate of %s among %d", s.Points, s.Motions, strings.Join(found.Origins, ", "), found.Of)
	if found.Error >= 0 {
		progress.note("%.2f%% of the points are misclassified, compared with array s", 100*found.Error)
	}
	return nil
}

// segmented is the JSON output of segment.
type segmented struct {
	Sequence   string   `json:"sequence"`
	Points     int      `json:"points"`
	Motions    int      `json:"motions"`
	Labels     []int    `json:"labels"` // counted from 1
	Picked     []string `json:"picked"` // the methods that found it
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
