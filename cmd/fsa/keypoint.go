package main

import (
	"context"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"runtime/debug"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"fsa/app/keypoint"
	"fsa/app/keypoint/faces"
	"fsa/data/open"
	"fsa/internal/atomicfile"
)

func keypointCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "keypoint",
		Short: "Learn to find keypoints of faces on photographs, and find them",
		Long: `keypoint learns detectors of eye centres, nose sides, mouth corners and the chin
from annotated photographs, and finds these keypoints on others.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(keypointTrainCommand(), keypointDetectCommand(), keypointEvaluateCommand())
	return cmd
}

func keypointTrainCommand() *cobra.Command {
	var (
		o             keypoint.TrainOptions
		l             keypoint.LearnerOptions
		point, method string
		out, memory   string
		asJSON, card  bool
	)
	cmd := &cobra.Command{
		Use:   "train DIR --point NAME --out MODEL",
		Short: "Learn a detector of a keypoint from annotated photographs",
		Long: `train learns a detector from the photographs of DIR that have one face and
belong to the set helen_train. DIR has a table landmarks.tsv and a folder img.
It begins with random places that are not the keypoint and then repeatedly scans
all photographs for those that look most like it. With --state it can be stopped
after any round and goes on from there.`,
		Example: `  fsa keypoint train faces --point left-eye --out left-eye.json --state work
  fsa keypoint train faces --point chin --out chin.json -k 300 --haar 6000`,
		Args: arguments,
		RunE: func(cmd *cobra.Command, args []string) error {
			var err error
			if point == "" || out == "" {
				return usagef("--point and --out are needed: say what to learn and where to put it")
			}
			if card && detectorPage(out) == out {
				return usagef("--report would replace the detector %s: give it a name that does not end with .html", out)
			}
			if o.Point, err = faces.ParsePoint(point); err != nil {
				return usagef("--point: %v", err)
			}
			if l.K < 1 || l.Bins < 1 || o.Negatives < 1 || o.Rounds < 0 || o.Pool.Haar < 0 {
				return usagef("-k, --bins and --negatives must be at least 1, --rounds and --haar at least 0")
			}
			if o.Pool.Seed == 0 {
				return usagef("--pool-seed must be at least 1")
			}
			// Zero asks for none, not for the default.
			if o.Rounds == 0 {
				o.Rounds = -1
			}
			if o.Pool.Haar == 0 {
				o.Pool.Haar = -1
			}
			if memory != "" {
				if o.Memory, err = open.ParseSize(memory); err != nil {
					return usagef("--memory: %v", err)
				}
				debug.SetMemoryLimit(o.Memory)
			}
			l.Threads, l.Seed = o.Threads, o.Seed
			if o.Learner, err = keypoint.FindLearner(method, l); err != nil {
				return err
			}
			if o.Folder, err = faces.Open(args[0]); err != nil {
				return err
			}
			progress := newProgress(cmd.ErrOrStderr())
			o.Log = progress.note
			file, err := atomicfile.Create(out) // fails before the work, if it must
			if err != nil {
				return err
			}
			defer file.Abort()
			record := newRunRecord(cmd.Context(), args[0], o.Seed)
			t, err := keypoint.Train(cmd.Context(), o)
			if err != nil {
				return err
			}
			if card {
				err = commitWithCard(file, out, t, record)
			} else if _, err = t.Detector.WriteTo(file); err == nil {
				err = file.Commit()
			}
			if err != nil {
				rescue(progress, cmd.OutOrStdout(), t.Detector)
				return err
			}
			if card {
				progress.note("the report is in %s", detectorPage(out))
			}
			return printTraining(cmd.OutOrStdout(), t, out, asJSON)
		},
	}
	f := cmd.Flags()
	f.StringVar(&point, "point", "", "keypoint to learn: left-eye, right-eye, left-nose, right-nose, left-mouth, right-mouth or chin, as seen on the photo")
	f.StringVar(&out, "out", "", "`file` for the detector")
	f.StringVar(&method, "method", keypoint.FSALorenz, "`name` of the method: fsa-logistic, fsa-svm, fsa-lorenz, logitboost or svm-hog")
	f.IntVarP(&l.K, "features", "k", 1500, "how many features the detector has")
	f.IntVar(&l.Bins, "bins", 10, "bins of the response to a feature")
	f.Float64Var(&l.Smooth, "smooth", 0, "strength of the second-order prior on responses")
	f.IntVar(&o.Pool.Haar, "haar", 61000, "Haar features in the pool, besides 864 HOG features")
	f.Uint64Var(&o.Pool.Seed, "pool-seed", 1, "seed that the Haar features are drawn with")
	f.IntVar(&o.Photos, "photos", 0, "learn from so many photographs (default: all)")
	f.IntVar(&o.Rounds, "rounds", 10, "how often hard negatives are mined")
	f.IntVar(&o.Negatives, "negatives", 20000, "negatives of a round")
	f.Uint64Var(&o.Seed, "seed", 0, "seed of the first negatives")
	f.IntVar(&o.Threads, "threads", 0, "number of threads (default: one a core); the detector does not depend on it")
	f.StringVar(&memory, "memory", "", "how much memory may be used, such as 8GiB (default: what is free)")
	f.StringVar(&o.State, "state", "", "`folder` to keep every round in")
	f.BoolVar(&card, "report", false, "write a page about the detector, too, beside it")
	f.BoolVar(&asJSON, "json", false, "print one JSON object on standard output")
	return cmd
}

// trained is what train prints as JSON.
type trained struct {
	Point    string                 `json:"point"`
	Method   string                 `json:"method"`
	Pool     string                 `json:"pool"`
	Features int                    `json:"features"`
	Metrics  map[string]float64     `json:"metrics"` // on what was learned from
	Rounds   []keypoint.RoundRecord `json:"rounds"`
	Out      string                 `json:"out"`
}

func printTraining(w io.Writer, t *keypoint.Training, out string, asJSON bool) error {
	d := t.Detector
	if asJSON {
		return printJSON(w, trained{d.Point().String(), d.Learner(), d.PoolID(), d.Features(), d.Model().Training().Metrics, t.Rounds, out})
	}
	last := t.Rounds[len(t.Rounds)-1]
	_, err := fmt.Fprintf(w, "%s by %s: %d features of pool %s, learned with %d negatives after %d rounds of mining\ndetector  %s\n",
		d.Point(), d.Learner(), d.Features(), d.PoolID(), last.Negatives, last.Round, out)
	return err
}

func keypointDetectCommand() *cobra.Command {
	var (
		threshold float64
		threads   int
		picture   string
		asJSON    bool
	)
	cmd := &cobra.Command{
		Use:   "detect MODEL… IMAGE…",
		Short: "Find keypoints on photographs",
		Long: `detect runs detectors over photographs, which are JPEG or PNG files, and prints
the places it finds with their scores, the highest first. Places are pixels,
counted from the centre of the first one.`,
		Example: `  fsa keypoint detect left-eye.json right-eye.json photo.jpg
  fsa keypoint detect *.json photo.jpg --threshold 0.5 --draw found.png --json`,
		Args: arguments,
		RunE: func(cmd *cobra.Command, args []string) error {
			if math.IsNaN(threshold) || threads < 0 {
				return usagef("--threshold must be a number, and --threads must not be negative")
			}
			detectors, images, err := sortArguments(cmd.Context(), args)
			if err != nil {
				return err
			}
			if picture != "" && len(images) > 1 {
				return usagef("--draw takes one photograph, not %d", len(images))
			}
			if err := notAmong(picture, args); err != nil {
				return err
			}
			if ext := filepath.Ext(picture); ext != "" && !strings.EqualFold(ext, ".png") {
				return usagef("--draw writes PNG, which %s does not sound like: give a name that ends with .png", picture)
			}
			all := make([]detected, len(images))
			for i, path := range images {
				if all[i], err = detect(cmd, detectors, path, threshold, threads, picture); err != nil {
					return err
				}
			}
			if asJSON {
				return printJSON(cmd.OutOrStdout(), map[string]any{"images": all})
			}
			return printDetected(cmd.OutOrStdout(), all)
		},
	}
	f := cmd.Flags()
	f.Float64Var(&threshold, "threshold", 0, "lowest score of a detection")
	f.StringVar(&picture, "draw", "", "`file` for the photograph with the places on it, as PNG")
	f.IntVar(&threads, "threads", 0, "number of threads (default: one a core)")
	f.BoolVar(&asJSON, "json", false, "print one JSON object on standard output")
	return cmd
}

// notAmong refuses to write a picture over a file that is read.
func notAmong(picture string, args []string) error {
	for _, path := range args {
		if sameFile(picture, path) {
			return usagef("--draw %s would replace %s: give the picture another name", picture, path)
		}
	}
	return nil
}

// sortArguments tells detectors from photographs: a detector file begins with a
// brace.
func sortArguments(ctx context.Context, args []string) (detectors []*keypoint.Detector, images []string, err error) {
	for _, path := range args {
		f, err := open.Small(ctx, path)
		if err != nil {
			return nil, nil, err
		}
		var first [1]byte
		_, err = io.ReadFull(f, first[:])
		f.Close()
		if ctx.Err() != nil {
			return nil, nil, ctx.Err()
		}
		if err != nil && err != io.EOF { // what it is cannot be told
			return nil, nil, atPath(err, path)
		}
		if err == io.EOF || first[0] != '{' {
			images = append(images, path)
			continue
		}
		d, err := loadDetector(ctx, path)
		if err != nil {
			return nil, nil, err
		}
		detectors = append(detectors, d)
	}
	if len(detectors) == 0 || len(images) == 0 {
		return nil, nil, usagef("%d detectors and %d photographs: give at least one of each", len(detectors), len(images))
	}
	return detectors, images, nil
}

// detected is what was found on a photograph.
type detected struct {
	Image      string  `json:"image"`
	Width      int     `json:"width"`
	Height     int     `json:"height"`
	Detections []found `json:"detections"`
}

type found struct {
	Point string `json:"point"`
	keypoint.Detection
}

func detect(cmd *cobra.Command, detectors []*keypoint.Detector, path string, threshold float64, threads int, picture string) (detected, error) {
	m, err := readPhoto(cmd.Context(), path)
	if err != nil {
		return detected{}, err
	}
	out := detected{Image: path, Width: m.W, Height: m.H, Detections: []found{}}
	var marks []keypoint.Mark
	for _, d := range detectors {
		places, err := d.Detect(cmd.Context(), m, path, threshold, threads)
		if err != nil {
			return detected{}, err
		}
		for _, p := range places {
			out.Detections = append(out.Detections, found{d.Point().String(), p})
		}
		marks = append(marks, keypoint.Mark{Point: d.Point(), Detections: places})
	}
	if picture != "" {
		return out, keypoint.DrawFile(picture, m, marks)
	}
	return out, nil
}

func printDetected(w io.Writer, all []detected) error {
	t := tabwriter.NewWriter(w, 0, 8, 2, ' ', 0)
	fmt.Fprintln(t, "image\tkeypoint\tx\ty\tscore")
	for _, d := range all {
		for _, f := range d.Detections {
			fmt.Fprintf(t, "%s\t%s\t%.1f\t%.1f\t%.2f\n", clean(d.Image), f.Point, f.X, f.Y, f.Score)
		}
	}
	return t.Flush()
}
